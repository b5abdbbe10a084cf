/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For repro.test: work of one kind, whose last read is printed as "BYTES HASH",
 * as openclaw repro --json has it; and some ways to come to grief.
 *
 *	replayed buffers|images|svm|threads|null|build|calls
 *
 * Status 2: a call failed, 77: the device cannot.
 */
#define CL_TARGET_OPENCL_VERSION 200
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "faults/shared/trace_hash.h"

enum { ITEMS = 256, BYTES = ITEMS * 4, SIDE = 16, PITCH = 96 };

static const char source[] =
	"kernel void mix_in(global int *to, global const int *from, int by)\n"
	"{\n"
	"	size_t i = get_global_id(0);\n"
	"	to[i] = to[i] * 3 + from[i] + by;\n"
	"}\n"
	"kernel void turn(global int *v, local int *part)\n"
	"{\n"
	"	size_t i = get_local_id(0), n = get_local_size(0);\n"
	"	part[i] = v[get_global_id(0)];\n"
	"	barrier(CLK_LOCAL_MEM_FENCE);\n"
	"	v[get_global_id(0)] = part[n - 1 - i];\n"
	"}\n";
static const char image_source[] =
	"kernel void copy(read_only image2d_t from, sampler_t how,\n"
	"		 write_only image2d_t to)\n"
	"{\n"
	"	int2 at = (int2)(get_global_id(0), get_global_id(1));\n"
	"	uint4 v = read_imageui(from, how, at);\n"
	"	write_imageui(to, at, v + (uint4)(1, 2, 3, 4));\n"
	"}\n";

struct setup {
	cl_device_id device;
	cl_context context;
	cl_command_queue queue;
};

static void must(cl_int err)
{
	if (err == CL_SUCCESS)
		return;
	fprintf(stderr, "a call failed: %d\n", err);
	exit(2);
}

static struct setup open_device(cl_command_queue_properties properties)
{
	struct setup cl;
	cl_platform_id platform;
	cl_int err;

	must(clGetPlatformIDs(1, &platform, NULL));
	must(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &cl.device, NULL));

	cl_context_properties of_context[] = {
		CL_CONTEXT_PLATFORM, (cl_context_properties)platform, 0,
	};

	cl.context = clCreateContext(of_context, 1, &cl.device, NULL, NULL,
				     &err);
	must(err);
	cl.queue = clCreateCommandQueue(cl.context, cl.device, properties,
					&err);
	must(err);
	return cl;
}

static void close_device(struct setup *cl)
{
	must(clReleaseCommandQueue(cl->queue));
	must(clReleaseContext(cl->context));
}

static cl_kernel new_kernel(const struct setup *cl, const char *text,
			    const char *name)
{
	cl_int err;
	cl_program program = clCreateProgramWithSource(cl->context, 1, &text,
						       NULL, &err);
	cl_kernel kernel;

	must(err);
	must(clBuildProgram(program, 1, &cl->device, "", NULL, NULL));
	kernel = clCreateKernel(program, name, &err);
	must(err);
	must(clReleaseProgram(program));
	return kernel;
}

static cl_mem new_buffer(const struct setup *cl, cl_mem_flags flags,
			 void *host)
{
	cl_int err;
	cl_mem mem = clCreateBuffer(cl->context, flags, BYTES, host, &err);

	must(err);
	return mem;
}

static void mix(const struct setup *cl, cl_kernel kernel, cl_mem to,
		cl_mem from, int by, cl_event after, cl_event *event)
{
	const size_t items = ITEMS;

	must(clSetKernelArg(kernel, 0, sizeof(to), &to));
	must(clSetKernelArg(kernel, 1, sizeof(from), &from));
	must(clSetKernelArg(kernel, 2, sizeof(by), &by));
	must(clEnqueueNDRangeKernel(cl->queue, kernel, 1, NULL, &items, NULL,
				    after ? 1 : 0, after ? &after : NULL,
				    event));
}

static void print_hash(const void *bytes, size_t size)
{
	uint64_t hash[2];

	claw_trace_hash(bytes, size, hash);
	printf("%zu %016" PRIx64 "%016" PRIx64 "\n", size, hash[0], hash[1]);
}

static void fill(cl_int *values, int from)
{
	for (int i = 0; i < ITEMS; i++)
		values[i] = from + i * i;
}

/* ---- kinds of work ---------------------------------------------------- */

/* Rectangles with gaps between their rows in the program's memory. */
static void move_rectangles(const struct setup *cl, cl_mem mem)
{
	const size_t origin[3] = { 16, 2, 0 }, host[3] = { 4, 1, 0 };
	const size_t region[3] = { 32, 4, 1 };
	unsigned char rows[8 * PITCH];

	for (size_t i = 0; i < sizeof(rows); i++)
		rows[i] = (unsigned char)(i * 7);
	must(clEnqueueWriteBufferRect(cl->queue, mem, CL_TRUE, origin, host,
				      region, 64, 0, PITCH, 0, rows, 0, NULL,
				      NULL));
}

/* The host writes into what it has mapped. */
static void write_mapping(const struct setup *cl, cl_mem mem)
{
	cl_int err, *mapped = clEnqueueMapBuffer(cl->queue, mem, CL_TRUE,
		CL_MAP_READ | CL_MAP_WRITE, 64, 128, 0, NULL, NULL, &err);

	must(err);
	for (int i = 0; i < 32; i++)
		mapped[i] = mapped[i] * 5 - i;
	must(clEnqueueUnmapMemObject(cl->queue, mem, mapped, 0, NULL, NULL));
	must(clFinish(cl->queue));
}

static void turn_around(const struct setup *cl, cl_mem mem)
{
	const size_t items = ITEMS, group = 32;
	cl_kernel kernel = new_kernel(cl, source, "turn");

	must(clSetKernelArg(kernel, 0, sizeof(mem), &mem));
	must(clSetKernelArg(kernel, 1, group * sizeof(cl_int), NULL));
	must(clEnqueueNDRangeKernel(cl->queue, kernel, 1, NULL, &items, &group,
				    0, NULL, NULL));
	must(clFinish(cl->queue));
	must(clReleaseKernel(kernel));
}

/* In a queue without order, held back by a gate, ordered by events alone. */
static void do_buffers(void)
{
	struct setup cl = open_device(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
	cl_kernel kernel = new_kernel(&cl, source, "mix_in");
	static cl_int first[ITEMS], second[ITEMS], last[ITEMS];
	static cl_int own[ITEMS] __attribute__((aligned(4096)));
	cl_event gate, events[5];
	cl_mem a, b, c;
	cl_int err;

	fill(first, 1);
	fill(second, 2);
	fill(own, 3);
	a = new_buffer(&cl, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, first);
	b = new_buffer(&cl, CL_MEM_READ_WRITE, NULL);
	c = new_buffer(&cl, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, own);
	gate = clCreateUserEvent(cl.context, &err);
	must(err);
	must(clEnqueueWriteBuffer(cl.queue, b, CL_FALSE, 0, BYTES, second, 1,
				  &gate, &events[0]));
	mix(&cl, kernel, a, b, 7, events[0], &events[1]);
	mix(&cl, kernel, c, a, -3, events[1], &events[2]);
	must(clEnqueueCopyBuffer(cl.queue, c, b, 0, 128, 256, 1, &events[2],
				 &events[3]));
	must(clSetUserEventStatus(gate, CL_COMPLETE));
	must(clWaitForEvents(1, &events[3]));
	move_rectangles(&cl, a);
	write_mapping(&cl, b);
	turn_around(&cl, b);
	mix(&cl, kernel, a, b, 100, NULL, &events[4]);
	must(clEnqueueReadBuffer(cl.queue, a, CL_TRUE, 0, BYTES, last, 1,
				 &events[4], NULL));
	print_hash(last, BYTES);
	for (int i = 0; i < 5; i++)
		must(clReleaseEvent(events[i]));
	must(clReleaseEvent(gate));
	must(clReleaseMemObject(a));
	must(clReleaseMemObject(b));
	must(clReleaseMemObject(c));
	must(clReleaseKernel(kernel));
	close_device(&cl);
}

static cl_mem new_image(const struct setup *cl, cl_mem_flags flags,
			size_t pitch, void *host)
{
	const cl_image_format format = { CL_RGBA, CL_UNSIGNED_INT8 };
	cl_image_desc desc;
	cl_int err;
	cl_mem image;

	memset(&desc, 0, sizeof(desc));
	desc.image_type = CL_MEM_OBJECT_IMAGE2D;
	desc.image_width = desc.image_height = SIDE;
	desc.image_row_pitch = host ? pitch : 0;
	image = clCreateImage(cl->context, flags, &format, &desc, host, &err);
	must(err);
	return image;
}

static void write_mapped_image(const struct setup *cl, cl_mem image)
{
	const size_t origin[3] = { 2, 3, 0 }, region[3] = { 5, 6, 1 };
	size_t pitch = 0;
	cl_int err;
	unsigned char *mapped = clEnqueueMapImage(cl->queue, image, CL_TRUE,
		CL_MAP_WRITE, origin, region, &pitch, NULL, 0, NULL, NULL,
		&err);

	must(err);
	for (size_t y = 0; y < region[1]; y++)
		for (size_t x = 0; x < region[0] * 4; x++)
			mapped[y * pitch + x] = (unsigned char)(x * 3 + y);
	must(clEnqueueUnmapMemObject(cl->queue, image, mapped, 0, NULL, NULL));
}

static void do_images(void)
{
	struct setup cl = open_device(0);
	const size_t origin[3] = { 0, 0, 0 }, region[3] = { SIDE, SIDE, 1 };
	const size_t part[3] = { 8, 4, 1 }, items[2] = { SIDE, SIDE };
	unsigned char rows[SIDE * PITCH];
	cl_bool has_images = CL_FALSE;
	cl_kernel kernel;
	cl_sampler sampler;
	cl_mem from, to;
	cl_int err;

	clGetDeviceInfo(cl.device, CL_DEVICE_IMAGE_SUPPORT, sizeof(has_images),
			&has_images, NULL);
	if (!has_images)
		exit(77);
	for (size_t i = 0; i < sizeof(rows); i++)
		rows[i] = (unsigned char)(i * 11);
	kernel = new_kernel(&cl, image_source, "copy");
	from = new_image(&cl, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, PITCH,
			 rows);
	to = new_image(&cl, CL_MEM_WRITE_ONLY, 0, NULL);
	sampler = clCreateSampler(cl.context, CL_FALSE,
				  CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_NEAREST,
				  &err);
	must(err);
	must(clEnqueueWriteImage(cl.queue, from, CL_TRUE, origin, part, PITCH,
				 0, rows + PITCH, 0, NULL, NULL));
	write_mapped_image(&cl, from);
	must(clSetKernelArg(kernel, 0, sizeof(from), &from));
	must(clSetKernelArg(kernel, 1, sizeof(sampler), &sampler));
	must(clSetKernelArg(kernel, 2, sizeof(to), &to));
	must(clEnqueueNDRangeKernel(cl.queue, kernel, 2, NULL, items, NULL, 0,
				    NULL, NULL));
	must(clEnqueueReadImage(cl.queue, to, CL_TRUE, origin, region, 0, 0,
				rows, 0, NULL, NULL));
	print_hash(rows, SIDE * SIDE * 4);
	must(clReleaseSampler(sampler));
	must(clReleaseMemObject(from));
	must(clReleaseMemObject(to));
	must(clReleaseKernel(kernel));
	close_device(&cl);
}

static void do_svm(void)
{
	struct setup cl = open_device(0);
	cl_device_svm_capabilities can = 0;
	cl_kernel kernel;
	const size_t items = ITEMS;
	cl_int *shared, last[ITEMS], by = 9;
	cl_mem from;

	clGetDeviceInfo(cl.device, CL_DEVICE_SVM_CAPABILITIES, sizeof(can),
			&can, NULL);
	if (!(can & CL_DEVICE_SVM_COARSE_GRAIN_BUFFER))
		exit(77);
	kernel = new_kernel(&cl, source, "mix_in");
	fill(last, 5);
	from = new_buffer(&cl, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, last);
	shared = clSVMAlloc(cl.context, CL_MEM_READ_WRITE, 2 * BYTES, 0);
	if (!shared)
		exit(2);
	must(clEnqueueSVMMap(cl.queue, CL_TRUE, CL_MAP_WRITE, shared,
			     2 * BYTES, 0, NULL, NULL));
	fill(shared, 11);
	fill(shared + ITEMS, 12);
	must(clEnqueueSVMUnmap(cl.queue, shared, 0, NULL, NULL));
	must(clSetKernelArgSVMPointer(kernel, 0, shared + ITEMS));
	must(clSetKernelArg(kernel, 1, sizeof(from), &from));
	must(clSetKernelArg(kernel, 2, sizeof(by), &by));
	must(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &items, NULL, 0,
				    NULL, NULL));
	/* What a read gives is what is compared. */
	must(clReleaseMemObject(from));
	from = new_buffer(&cl, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, last);
	must(clSetKernelArg(kernel, 0, sizeof(from), &from));
	must(clSetKernelArgSVMPointer(kernel, 1, shared + ITEMS));
	must(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &items, NULL, 0,
				    NULL, NULL));
	must(clEnqueueReadBuffer(cl.queue, from, CL_TRUE, 0, BYTES, last, 0,
				 NULL, NULL));
	print_hash(last, BYTES);
	clSVMFree(cl.context, shared);
	must(clReleaseMemObject(from));
	must(clReleaseKernel(kernel));
	close_device(&cl);
}

/* ---- threads ---------------------------------------------------------- */

/* Each waits for what the other opens: with a context of its own for what is
 * read, and one that both share. */
struct pair {
	struct setup shared;
	cl_event gates[2];
	cl_mem mem;
};

static void *work_beside(void *user)
{
	struct pair *pair = user;
	struct setup cl = open_device(0);
	cl_kernel kernel = new_kernel(&cl, source, "mix_in");
	/* The write below may end after the thread. */
	static cl_int values[ITEMS];
	cl_mem mem;

	fill(values, 21);
	mem = new_buffer(&cl, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
			 values);
	mix(&cl, kernel, mem, mem, 1, NULL, NULL);
	must(clEnqueueReadBuffer(cl.queue, mem, CL_TRUE, 0, BYTES, values, 0,
				 NULL, NULL));
	must(clEnqueueWriteBuffer(pair->shared.queue, pair->mem, CL_FALSE, 0,
				  BYTES, values, 0, NULL, NULL));
	must(clFlush(pair->shared.queue));
	must(clSetUserEventStatus(pair->gates[0], CL_COMPLETE));
	must(clWaitForEvents(1, &pair->gates[1]));
	must(clReleaseMemObject(mem));
	must(clReleaseKernel(kernel));
	close_device(&cl);
	return NULL;
}

static void do_threads(void)
{
	struct pair pair = { .shared = open_device(0) };
	cl_int last[ITEMS], err;
	pthread_t thread;

	pair.mem = new_buffer(&pair.shared, CL_MEM_READ_WRITE, NULL);
	for (int i = 0; i < 2; i++) {
		pair.gates[i] = clCreateUserEvent(pair.shared.context, &err);
		must(err);
	}
	if (pthread_create(&thread, NULL, work_beside, &pair) != 0)
		exit(2);
	must(clWaitForEvents(1, &pair.gates[0]));
	must(clSetUserEventStatus(pair.gates[1], CL_COMPLETE));
	pthread_join(thread, NULL);
	must(clEnqueueReadBuffer(pair.shared.queue, pair.mem, CL_TRUE, 0,
				 BYTES, last, 0, NULL, NULL));
	print_hash(last, BYTES);
	for (int i = 0; i < 2; i++)
		must(clReleaseEvent(pair.gates[i]));
	must(clReleaseMemObject(pair.mem));
	close_device(&pair.shared);
}

/* ---- what goes wrong -------------------------------------------------- */

/* Nobody looks whether the buffer was made. */
static void do_null(void)
{
	struct setup cl = open_device(0);
	cl_kernel kernel = new_kernel(&cl, source, "mix_in");
	const size_t items = ITEMS;
	cl_int by = 1;

	for (int i = 0; i < 4; i++) {
		cl_mem mem = clCreateBuffer(cl.context, CL_MEM_READ_WRITE,
					    BYTES, NULL, NULL);

		clSetKernelArg(kernel, 0, sizeof(mem), &mem);
		clSetKernelArg(kernel, 1, sizeof(mem), &mem);
		clSetKernelArg(kernel, 2, sizeof(by), &by);
		clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &items, NULL,
				       0, NULL, NULL);
		clFinish(cl.queue);
	}
}

static void do_build(void)
{
	struct setup cl = open_device(0);

	new_kernel(&cl, "kernel void broken(global int *v) { v[0] = ; }\n",
		   "broken");
}

/* A launch and a read, three times, until a call fails. */
static void do_calls(void)
{
	struct setup cl = open_device(0);
	cl_kernel kernel = new_kernel(&cl, source, "mix_in");
	cl_int values[ITEMS];

	for (int i = 0; i < 3; i++) {
		cl_mem mem;

		fill(values, i);
		mem = new_buffer(&cl, CL_MEM_READ_WRITE |
				 CL_MEM_COPY_HOST_PTR, values);
		mix(&cl, kernel, mem, mem, i, NULL, NULL);
		must(clEnqueueReadBuffer(cl.queue, mem, CL_TRUE, 0, BYTES,
					 values, 0, NULL, NULL));
		must(clReleaseMemObject(mem));
	}
	print_hash(values, BYTES);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*function)(void);
	} kinds[] = {
		{ "buffers", do_buffers }, { "images", do_images },
		{ "svm", do_svm }, { "threads", do_threads },
		{ "null", do_null }, { "build", do_build },
		{ "calls", do_calls },
	};

	for (size_t i = 0; argc == 2 && i < sizeof(kinds) / sizeof(*kinds);
	     i++)
		if (strcmp(argv[1], kinds[i].name) == 0) {
			kinds[i].function();
			return 0;
		}
	return 64;
}
