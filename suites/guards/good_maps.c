/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mappings: blocking and not, of parts, two of one range, for reading and for
 * writing; how many there are at each time.
 * Parts: a kernel is given a sub-buffer that ends inside its buffer
 */
#include "guards.h"

/* Drivers do not count those of parts, or none at all. */
static void print_maps(cl_mem mem)
{
	cl_uint maps = 99;

	must(clGetMemObjectInfo(mem, CL_MEM_MAP_COUNT, sizeof(maps), &maps,
				NULL));
	printf("mapped %u times\n", maps);
}

static cl_int *map_of(const struct setup *cl, cl_mem mem, cl_bool blocking,
		      cl_map_flags flags, size_t from, size_t count)
{
	cl_int err = 1;
	void *map = clEnqueueMapBuffer(cl->queue, mem, blocking, flags,
				       from * sizeof(cl_int),
				       count * sizeof(cl_int), 0, NULL, NULL,
				       &err);

	must(err);
	holds(map != NULL);
	return map;
}

static void unmap(const struct setup *cl, cl_mem mem, void *map)
{
	must(clEnqueueUnmapMemObject(cl->queue, mem, map, 0, NULL, NULL));
	must(clFinish(cl->queue));
}

static void map_all(const struct setup *cl, cl_mem mem, cl_kernel kernel)
{
	cl_int got[ITEMS], *map, *low, *high;

	map = map_of(cl, mem, CL_TRUE, CL_MAP_WRITE, 0, ITEMS);
	for (int i = 0; i < ITEMS; i++)
		map[i] = i;
	print_maps(mem);
	unmap(cl, mem, map);
	print_maps(mem);
	set_arg(kernel, 0, mem);
	run(cl->queue, kernel, ITEMS);
	low = map_of(cl, mem, CL_FALSE, CL_MAP_READ, 0, 200);
	high = map_of(cl, mem, CL_FALSE, CL_MAP_READ, 100, 156);
	must(clFinish(cl->queue));
	print_maps(mem);
	for (int i = 0; i < 200; i++)
		expect(low[i], i + 1);
	for (int i = 0; i < 156; i++)
		expect(high[i], i + 101);
	unmap(cl, mem, low);
	print_maps(mem);
	unmap(cl, mem, high);
	map = map_of(cl, mem, CL_TRUE, CL_MAP_WRITE_INVALIDATE_REGION,
		     ITEMS - 1, 1);
	map[0] = -5;
	unmap(cl, mem, map);
	print_maps(mem);
	read_all(cl->queue, mem, BYTES, got);
	expect(got[ITEMS - 2], ITEMS - 1);
	expect(got[ITEMS - 1], -5);
}

int main(void)
{
	static const cl_mem_flags flags[] = {
		CL_MEM_READ_WRITE, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR,
		CL_MEM_READ_WRITE | CL_MEM_HOST_READ_ONLY,
	};
	struct setup cl = open_device();
	cl_kernel kernel = add_one(&cl);
	cl_int err = 0;
	void *map;

	for (int i = 0; i < 2; i++) {
		cl_mem mem = buffer_of(&cl, flags[i], BYTES, NULL);
		cl_mem part;

		map_all(&cl, mem, kernel);
		must(clReleaseMemObject(mem));
		mem = buffer_of(&cl, flags[i], 2 * BYTES, NULL);
		part = part_of(mem, BYTES, BYTES);
		map_all(&cl, part, kernel);
		must(clReleaseMemObject(mem));
		must(clReleaseMemObject(part));
	}
	cl_mem closed = buffer_of(&cl, flags[2], BYTES, NULL);

	map = clEnqueueMapBuffer(cl.queue, closed, CL_TRUE, CL_MAP_WRITE, 0,
				 BYTES, 0, NULL, NULL, &err);
	printf("written where only reading is allowed: %d\n", err);
	if (map)
		unmap(&cl, closed, map);
	close_with(&cl, kernel, closed);
	return 0;
}
