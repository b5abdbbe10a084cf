/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A layer for the benchmark of guard zones: who asks for GPUs gets whatever
 * devices there are. x264 takes nothing but a GPU.
 */
#include "config.h"

#include <string.h>

#include "../../faults/cl_types.h"

#define EXPORT __attribute__((visibility("default")))
EXPORT cl_int CL_API_CALL clGetLayerInfo(cl_uint name, size_t size,
					 void *value, size_t *ret_size);
EXPORT cl_int CL_API_CALL clInitLayer(cl_uint count,
				      const struct _cl_icd_dispatch *target,
				      cl_uint *ret_count,
				      const struct _cl_icd_dispatch **ret_table);

static struct _cl_icd_dispatch next, table;

static cl_int CL_API_CALL get_device_ids(cl_platform_id platform,
					 cl_device_type type, cl_uint count,
					 cl_device_id *devices,
					 cl_uint *ret_count)
{
	if (type & CL_DEVICE_TYPE_GPU)
		type = CL_DEVICE_TYPE_ALL;
	return next.clGetDeviceIDs(platform, type, count, devices, ret_count);
}

cl_int CL_API_CALL clGetLayerInfo(cl_uint name, size_t size, void *value,
				  size_t *ret_size)
{
	static const cl_uint version = 100;

	if (name != 0x4240 || (value && size < sizeof(version)))
		return CL_INVALID_VALUE;
	if (value)
		memcpy(value, &version, sizeof(version));
	if (ret_size)
		*ret_size = sizeof(version);
	return CL_SUCCESS;
}

cl_int CL_API_CALL clInitLayer(cl_uint count,
			       const struct _cl_icd_dispatch *target,
			       cl_uint *ret_count,
			       const struct _cl_icd_dispatch **ret_table)
{
	size_t slots = sizeof(table) / sizeof(void *);

	if (count < slots)
		slots = count;
	memcpy(&next, target, slots * sizeof(void *));
	memcpy(&table, target, slots * sizeof(void *));
	table.clGetDeviceIDs = get_device_ids;
	*ret_count = (cl_uint)slots;
	*ret_table = &table;
	return CL_SUCCESS;
}
