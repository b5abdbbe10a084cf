/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Workers get a sub-device each and retain it; when they end, nobody releases
 * what they took. Sub-devices stay, on the drivers that can partition.
 * Needs: sub-devices
 */
#include "lifetime.h"

static void run_worker(cl_device_id parent)
{
	const cl_device_partition_property one[] = {
		CL_DEVICE_PARTITION_BY_COUNTS, 1,
		CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0
	};
	cl_device_id device = NULL;
	/* SECOND: made */
	cl_int err = clCreateSubDevices(parent, one, 1, &device, NULL);

	need(err == CL_SUCCESS, "sub-devices");
	/* PLANTED: leak sub-device retained */
	must(clRetainDevice(device));
	must(clReleaseDevice(device));
#ifndef PLANTED
	must(clReleaseDevice(device));
#endif
}

int main(void)
{
	cl_device_id device = find_device();

	for (int i = 0; i < 3; i++)
		run_worker(device);
	return 0;
}
