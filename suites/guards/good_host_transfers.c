/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A buffer in the program's own memory that is read, written, copied and filled
 * by each transfer there is, whole and in part, among launches; transfers from
 * and to that memory itself; an image on it.
 */
#include "guards.h"

enum { ROW = 32, WIDTH = 16 };

static const cl_image_format format = { CL_RGBA, CL_UNSIGNED_INT8 };
static cl_int memory[ITEMS] __attribute__((aligned(4096)));
static cl_int more[2 * ITEMS] __attribute__((aligned(4096)));

static void print(const struct setup *cl, const char *when, cl_mem mem)
{
	unsigned int there = 1, here = 1;
	cl_int got[ITEMS];

	must(clFinish(cl->queue));
	for (int i = 0; i < ITEMS; i++)
		here = here * 31 + (unsigned int)memory[i];
	read_all(cl->queue, mem, BYTES, got);
	for (int i = 0; i < ITEMS; i++)
		there = there * 31 + (unsigned int)got[i];
	printf("%s: %u in the buffer, %u in memory\n", when, there, here);
}

static void plain(const struct setup *cl, cl_kernel kernel, cl_mem mem)
{
	const cl_int pattern[2] = { 4711, -1 };
	cl_mem other = new_ints(cl);

	memory[5] = 500;
	must(clEnqueueCopyBuffer(cl->queue, mem, other, 0, 256, 512, 0, NULL,
				 NULL));
	print(cl, "copied from", mem);
	memory[6] = 600;
	write_all(cl->queue, mem, 128, more);
	print(cl, "written", mem);
	memory[7] = 700;
	must(clEnqueueFillBuffer(cl->queue, mem, pattern, sizeof(pattern), 512,
				 256, 0, NULL, NULL));
	run(cl->queue, kernel, ITEMS);
	print(cl, "filled", mem);
	must(clEnqueueCopyBuffer(cl->queue, other, mem, 256, 64, 512, 0, NULL,
				 NULL));
	print(cl, "copied to", mem);
	must(clEnqueueCopyBuffer(cl->queue, mem, mem, 0, 512, 256, 0, NULL,
				 NULL));
	print(cl, "copied within", mem);
	must(clReleaseMemObject(other));
}

static void rects(const struct setup *cl, cl_mem mem)
{
	const size_t from[3] = { 4, 2, 0 }, to[3] = { 8, 1, 0 };
	const size_t region[3] = { 12, 5, 1 };
	cl_mem other = new_ints(cl);

	memory[8] = 800;
	must(clEnqueueWriteBufferRect(cl->queue, mem, CL_TRUE, from, to, region,
				      ROW, 0, ROW, 0, more, 0, NULL, NULL));
	print(cl, "a box written", mem);
	must(clEnqueueCopyBufferRect(cl->queue, mem, other, from, to, region,
				     ROW, 0, ROW, 0, 0, NULL, NULL));
	must(clEnqueueCopyBufferRect(cl->queue, other, mem, to, from, region,
				     ROW, 0, 2 * ROW, 0, 0, NULL, NULL));
	print(cl, "a box copied", mem);
	must(clEnqueueReadBufferRect(cl->queue, mem, CL_TRUE, from, to, region,
				     ROW, 0, ROW, 0, more, 0, NULL, NULL));
	printf("a box read: %d\n", more[18]);
	must(clReleaseMemObject(other));
}

/* The buffer's own memory as the other side of a transfer. */
static void itself(const struct setup *cl, cl_kernel kernel, cl_mem mem)
{
	run(cl->queue, kernel, ITEMS);
	must(clEnqueueReadBuffer(cl->queue, mem, CL_FALSE, 0, BYTES, memory, 0,
				 NULL, NULL));
	print(cl, "read to where it is", mem);
	for (int i = 0; i < ITEMS; i++)
		memory[i] = 3 * i;
	must(clEnqueueWriteBuffer(cl->queue, mem, CL_FALSE, 0, BYTES, memory, 0,
				  NULL, NULL));
	run(cl->queue, kernel, ITEMS);
	print(cl, "written from where it is", mem);
}

/* Behind each other, with no wait between them. */
static void chain(const struct setup *cl, cl_kernel kernel, cl_mem mem)
{
	cl_mem other = buffer_of(cl, CL_MEM_USE_HOST_PTR, 2 * BYTES, more);

	for (int i = 0; i < ROUNDS; i++) {
		set_arg(kernel, 0, mem);
		run(cl->queue, kernel, ITEMS);
		must(clEnqueueCopyBuffer(cl->queue, mem, other, 0, BYTES, BYTES,
					 0, NULL, NULL));
		set_arg(kernel, 0, other);
		run(cl->queue, kernel, 2 * ITEMS);
		must(clEnqueueCopyBuffer(cl->queue, other, mem, BYTES, 0, BYTES,
					 0, NULL, NULL));
	}
	print(cl, "a chain", mem);
	must(clReleaseMemObject(other));
	set_arg(kernel, 0, mem);
}

static void image(const struct setup *cl, cl_mem mem)
{
	const size_t origin[3] = { 2, 0, 0 }, region[3] = { 8, 1, 1 };
	cl_image_desc about = {
		.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER,
		.image_width = WIDTH,
	};
	size_t pitch = 0;
	cl_int err, *map;
	cl_mem view;

	about.buffer = mem;
	view = clCreateImage(cl->context, CL_MEM_READ_WRITE, &format, &about,
			     NULL, &err);
	printf("an image on it: %d\n", err);
	if (!view)
		return;
	memory[2] = 900;
	must(clEnqueueWriteImage(cl->queue, view, CL_TRUE, origin, region, 0, 0,
				 more, 0, NULL, NULL));
	print(cl, "an image written", mem);
	must(clEnqueueReadImage(cl->queue, view, CL_TRUE, origin, region, 0, 0,
				more + 8, 0, NULL, NULL));
	printf("an image read: %d %d\n", more[8], more[15]);
	map = clEnqueueMapImage(cl->queue, view, CL_TRUE, CL_MAP_WRITE, origin,
				region, &pitch, NULL, 0, NULL, NULL, &err);
	printf("an image mapped: %d\n", err);
	if (map) {
		map[0] = 4;
		must(clEnqueueUnmapMemObject(cl->queue, view, map, 0, NULL,
					     NULL));
	}
	print(cl, "and unmapped", mem);
	must(clEnqueueCopyBufferToImage(cl->queue, mem, view, 512, origin,
					region, 0, NULL, NULL));
	print(cl, "an image copied to", mem);
	must(clReleaseMemObject(view));
}

int main(void)
{
	struct setup cl = open_device();
	cl_kernel kernel = add_one(&cl);
	cl_mem mem;

	for (int i = 0; i < ITEMS; i++) {
		memory[i] = i;
		more[i] = 100 + i;
	}
	mem = buffer_of(&cl, CL_MEM_USE_HOST_PTR, BYTES, memory);
	set_arg(kernel, 0, mem);
	plain(&cl, kernel, mem);
	rects(&cl, mem);
	itself(&cl, kernel, mem);
	chain(&cl, kernel, mem);
	image(&cl, mem);
	close_with(&cl, kernel, mem);
	return 0;
}
