/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A device is cut in two for each batch and the parts are never released. On
 * the drivers that can partition, a part is a scheduler with threads of its
 * own.
 * Needs: sub-devices
 */
#include "lifetime.h"

static void run_batch(cl_device_id device)
{
	const cl_device_partition_property one[] = {
		CL_DEVICE_PARTITION_BY_COUNTS, 1,
		CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0
	};
	cl_device_id part = NULL;
	/* PLANTED: leak sub-device */
	cl_int err = clCreateSubDevices(device, one, 1, &part, NULL);

	need(err == CL_SUCCESS, "sub-devices");
#ifdef PLANTED
	(void)part;
#else
	must(clReleaseDevice(part));
#endif
}

int main(void)
{
	cl_device_id device = find_device();

	for (int i = 0; i < 3; i++)
		run_batch(device);
	return 0;
}
