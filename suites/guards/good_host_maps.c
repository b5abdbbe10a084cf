/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A buffer in the program's own memory, which begins at no place that the device
 * likes: mapped to be written, to be read, twice at a time, later than the call
 * returns, through a part of it. Each is at the program's address, and has there
 * what is in the buffer.
 * Parts: a kernel is given a sub-buffer that ends inside its buffer
 */
#include "guards.h"

static struct {
	cl_int before[3];
	cl_int values[ITEMS];
	cl_int behind[13];
} memory __attribute__((aligned(4096)));

static cl_int *map_of(const struct setup *cl, cl_mem mem, cl_bool blocking,
		      cl_map_flags flags, size_t from, size_t count,
		      cl_event *event)
{
	cl_int err;
	cl_int *map = clEnqueueMapBuffer(cl->queue, mem, blocking, flags,
					 from * sizeof(cl_int),
					 count * sizeof(cl_int), 0, NULL, event,
					 &err);

	must(err);
	return map;
}

static void wait_for(cl_event event)
{
	must(clWaitForEvents(1, &event));
	must(clReleaseEvent(event));
}

static void unmap(const struct setup *cl, cl_mem mem, void *map)
{
	cl_event event;

	must(clEnqueueUnmapMemObject(cl->queue, mem, map, 0, NULL, &event));
	wait_for(event);
}

static void look(cl_mem mem)
{
	cl_mem_flags flags = 0;
	cl_uint maps = 99;
	char *host = NULL;
	size_t offset = 99;

	must(clGetMemObjectInfo(mem, CL_MEM_FLAGS, sizeof(flags), &flags, NULL));
	must(clGetMemObjectInfo(mem, CL_MEM_HOST_PTR, sizeof(host), &host,
				NULL));
	must(clGetMemObjectInfo(mem, CL_MEM_OFFSET, sizeof(offset), &offset,
				NULL));
	must(clGetMemObjectInfo(mem, CL_MEM_MAP_COUNT, sizeof(maps), &maps,
				NULL));
	printf("flags %#llx, offset %zu, mapped %u times, host pointer %td\n",
	       (unsigned long long)flags, offset, maps,
	       host ? host - (char *)memory.values : -99);
}

static void write_then_launch(const struct setup *cl, cl_mem mem,
			      cl_kernel kernel)
{
	cl_event event;
	cl_int *map = map_of(cl, mem, CL_FALSE, CL_MAP_WRITE, 0, ITEMS, &event);

	holds(map == memory.values);
	look(mem);
	wait_for(event);
	for (int i = 0; i < ITEMS; i++)
		map[i] = 2 * i;
	unmap(cl, mem, map);
	run(cl->queue, kernel, ITEMS);
	map = map_of(cl, mem, CL_TRUE, CL_MAP_READ, 10, 100, NULL);
	holds(map == memory.values + 10);
	for (int i = 0; i < 100; i++)
		expect(map[i], 2 * (i + 10) + 1);
	unmap(cl, mem, map);
}

static void map_two(const struct setup *cl, cl_mem mem, cl_kernel kernel)
{
	cl_int *low, *high;
	cl_event event;

	run(cl->queue, kernel, ITEMS);
	low = map_of(cl, mem, CL_FALSE, CL_MAP_READ, 0, 200, NULL);
	high = map_of(cl, mem, CL_FALSE, CL_MAP_READ, 100, 156, &event);
	holds(low == memory.values && high == low + 100);
	wait_for(event);
	for (int i = 0; i < ITEMS; i++)
		expect(low[i], 2 * i + 2);
	look(mem);
	unmap(cl, mem, low);
	expect(high[155], 2 * 255 + 2);
	unmap(cl, mem, high);
	low = map_of(cl, mem, CL_TRUE, CL_MAP_WRITE, 0, 8, NULL);
	high = map_of(cl, mem, CL_TRUE, CL_MAP_WRITE_INVALIDATE_REGION, 8, 8,
		      NULL);
	for (int i = 0; i < 8; i++) {
		low[i] = -1 - i;
		high[i] = -9 - i;
	}
	unmap(cl, mem, high);
	unmap(cl, mem, low);
}

static void map_part(const struct setup *cl, cl_mem mem, cl_kernel kernel)
{
	const size_t from = alignment_of(cl) / sizeof(cl_int);
	cl_mem part = part_of(mem, from * sizeof(cl_int), 16);
	cl_int *map;

	look(part);
	set_arg(kernel, 0, part);
	run(cl->queue, kernel, 4);
	map = map_of(cl, part, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 1, 3, NULL);
	holds(map == memory.values + from + 1);
	expect(map[2], (cl_int)(2 * (from + 3) + 3));
	map[2] = 77;
	unmap(cl, part, map);
	must(clReleaseMemObject(part));
	set_arg(kernel, 0, mem);
	run(cl->queue, kernel, ITEMS);
	map = map_of(cl, mem, CL_TRUE, CL_MAP_READ, 0, ITEMS, NULL);
	for (int i = 0; i < 16; i++)
		expect(map[i], -i);
	expect(map[from + 2], (cl_int)(2 * (from + 2) + 4));
	expect(map[from + 3], 78);
	unmap(cl, mem, map);
}

int main(void)
{
	struct setup cl = open_device();
	cl_kernel kernel = add_one(&cl);
	cl_mem mem;

	memory.before[2] = memory.behind[0] = 0x5a5a5a5a;
	mem = buffer_of(&cl, CL_MEM_USE_HOST_PTR, BYTES, memory.values);
	look(mem);
	set_arg(kernel, 0, mem);
	write_then_launch(&cl, mem, kernel);
	map_two(&cl, mem, kernel);
	map_part(&cl, mem, kernel);
	look(mem);
	expect(memory.before[2], 0x5a5a5a5a);
	expect(memory.behind[0], 0x5a5a5a5a);
	close_with(&cl, kernel, mem);
	return 0;
}
