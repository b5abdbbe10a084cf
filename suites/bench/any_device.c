/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A layer for the benchmark of guard zones: who asks for GPUs gets whatever
 * devices there are. x264 takes nothing but a GPU.
 */
#include "config.h"

#include "layer.h"

static cl_int CL_API_CALL get_device_ids(cl_platform_id platform,
					 cl_device_type type, cl_uint count,
					 cl_device_id *devices,
					 cl_uint *ret_count)
{
	if (type & CL_DEVICE_TYPE_GPU)
		type = CL_DEVICE_TYPE_ALL;
	return next.clGetDeviceIDs(platform, type, count, devices, ret_count);
}

static void replace(struct _cl_icd_dispatch *table)
{
	table->clGetDeviceIDs = get_device_ids;
}
