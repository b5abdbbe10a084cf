/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The largest buffer that there can be, and one that is larger; then a small
 * one.
 */
#include "guards.h"

static void try_size(const struct setup *cl, const char *what, size_t size)
{
	cl_int err = 1;
	cl_mem mem = clCreateBuffer(cl->context, CL_MEM_READ_WRITE, size, NULL,
				    &err);
	size_t got = 0;

	printf("%s: %d%s\n", what, err, mem ? "" : ", NULL");
	if (!mem)
		return;
	must(clGetMemObjectInfo(mem, CL_MEM_SIZE, sizeof(got), &got, NULL));
	holds(got == size);
	must(clReleaseMemObject(mem));
}

int main(void)
{
	struct setup cl = open_device();
	cl_ulong max = 0;
	cl_kernel kernel;
	cl_mem mem;

	must(clGetDeviceInfo(cl.device, CL_DEVICE_MAX_MEM_ALLOC_SIZE,
			     sizeof(max), &max, NULL));
	try_size(&cl, "the largest", max);
	try_size(&cl, "a byte less", max - 1);
	try_size(&cl, "a page less", max - 4096);
	try_size(&cl, "a byte more", max + 1);
	try_size(&cl, "all bits", SIZE_MAX);
	try_size(&cl, "all bits but eight", SIZE_MAX - 8);
	try_size(&cl, "half of them", SIZE_MAX / 2 + 1);
	kernel = add_one(&cl);
	mem = new_ints(&cl);
	set_arg(kernel, 0, mem);
	run(cl.queue, kernel, ITEMS);
	close_with(&cl, kernel, mem);
	return 0;
}
