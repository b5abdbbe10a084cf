/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two contexts with a device each (the same one, where there is no other),
 * and kernels of one name.
 */
#include "guards.h"

static const char source[] =
	"kernel void same_name(global int *v)\n"
	"{\n"
	"	v[get_global_id(0)] = 0x12131415;\n"
	"}\n";

static struct setup open_last_device(cl_device_id first)
{
	struct setup cl = { .device = first };
	cl_platform_id platform;
	cl_device_id devices[16];
	cl_uint count = 0;

	must(clGetDeviceInfo(first, CL_DEVICE_PLATFORM, sizeof(platform),
			     &platform, NULL));
	must(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 16, devices,
			    &count));
	if (count > 0 && count <= 16)
		cl.device = devices[count - 1];
	cl.context = new_context(cl.device);
	cl.queue = new_queue(&cl);
	return cl;
}

int main(void)
{
	struct setup a = open_device(), b = open_last_device(a.device);
	cl_kernel of_a = kernel_of(&a, source, "same_name");
	cl_kernel of_b = kernel_of(&b, source, "same_name");
	cl_mem mem_a = new_ints(&a), mem_b = new_ints(&b);
#ifdef PLANTED
	const size_t items = ITEMS + 1;
#else
	const size_t items = ITEMS;
#endif

	set_arg(of_a, 0, mem_a);
	set_arg(of_b, 0, mem_b);
	run(a.queue, of_a, ITEMS);
	/* PLANTED: guard same_name 0 +0 */
	must(clEnqueueNDRangeKernel(b.queue, of_b, 1, NULL, &items, NULL, 0, NULL, NULL));
	close_with(&b, of_b, mem_b);
	close_with(&a, of_a, mem_a);
	return 0;
}
