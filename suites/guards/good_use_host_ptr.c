/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The program's own memory: mappings are at its address, and after one it is
 * what the device has. Behind and before it is the program's, too.
 */
#include "guards.h"

static struct {
	cl_int before[64];
	cl_int values[ITEMS];
	cl_int behind[64];
} memory __attribute__((aligned(4096)));

static cl_int *map_at(const struct setup *cl, cl_mem mem, size_t offset,
		      size_t size)
{
	cl_int err;
	cl_int *map = clEnqueueMapBuffer(cl->queue, mem, CL_TRUE, CL_MAP_READ |
					 CL_MAP_WRITE, offset, size, 0, NULL,
					 NULL, &err);

	must(err);
	return map;
}

static void unmap(const struct setup *cl, cl_mem mem, void *map)
{
	must(clEnqueueUnmapMemObject(cl->queue, mem, map, 0, NULL, NULL));
	must(clFinish(cl->queue));
}

int main(void)
{
	struct setup cl = open_device();
	cl_kernel kernel = add_one(&cl);
	void *host = NULL;
	cl_int *map, got[ITEMS];
	cl_mem mem, other;

	for (int i = 0; i < ITEMS; i++)
		memory.values[i] = i;
	memory.before[63] = memory.behind[0] = 0x5a5a5a5a;
	mem = buffer_of(&cl, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, BYTES,
			memory.values);
	must(clGetMemObjectInfo(mem, CL_MEM_HOST_PTR, sizeof(host), &host,
				NULL));
	holds(host == memory.values);
	set_arg(kernel, 0, mem);
	run(cl.queue, kernel, ITEMS);
	map = map_at(&cl, mem, 0, BYTES);
	holds(map == memory.values);
	for (int i = 0; i < ITEMS; i++)
		expect(memory.values[i], i + 1);
	memory.values[3] = 1000;
	unmap(&cl, mem, map);
	run(cl.queue, kernel, ITEMS);
	map = map_at(&cl, mem, 40, 80);
	holds(map == memory.values + 10);
	expect(map[0], 12);
	unmap(&cl, mem, map);
	read_all(cl.queue, mem, BYTES, got);
	expect(got[3], 1001);
	expect(got[ITEMS - 1], ITEMS + 1);
	other = part_of(mem, 2 * alignment_of(&cl), 16);
	must(clGetMemObjectInfo(other, CL_MEM_HOST_PTR, sizeof(host), &host,
				NULL));
	holds((char *)host == (char *)memory.values + 2 * alignment_of(&cl));
	map = map_at(&cl, other, 0, 16);
	holds(map == host);
	unmap(&cl, other, map);
	must(clReleaseMemObject(other));
	expect(memory.before[63], 0x5a5a5a5a);
	expect(memory.behind[0], 0x5a5a5a5a);
	must(clReleaseMemObject(mem));
	/* One that has room around it. */
	mem = new_ints(&cl);
	set_arg(kernel, 0, mem);
	run(cl.queue, kernel, ITEMS);
	close_with(&cl, kernel, mem);
	return 0;
}
