/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A library makes a context for each of its answers and never releases one.
 * The one that stays to the end of a program is a habit; one a call is a leak:
 * some hundred MiB of the device each on NVIDIA.
 */
#include "lifetime.h"

enum { ANSWERS = 40 };	/* more contexts than a program keeps on purpose */

static cl_ulong largest_allocation(cl_device_id device)
{
	cl_ulong bytes = 0;
	cl_int err;
	/* PLANTED: leak context */
	cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL,
					     &err);

	must(err);
	must(clGetDeviceInfo(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE,
			     sizeof(bytes), &bytes, NULL));
#ifdef PLANTED
	(void)context;
#else
	must(clReleaseContext(context));
#endif
	return bytes;
}

int main(void)
{
	cl_device_id device = find_device();

	for (int i = 0; i < ANSWERS; i++)
		expect(largest_allocation(device) > 0, true);
	return 0;
}
