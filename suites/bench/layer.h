/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The door of a small layer, for benchmarks: the including file defines
 * replace(), which puts its own functions into the table; next is the one
 * beneath.
 */
#ifndef CLAW_BENCH_LAYER_H
#define CLAW_BENCH_LAYER_H

#include <string.h>

#include "faults/shared/cl_types.h"

#define EXPORT __attribute__((visibility("default")))
EXPORT cl_int CL_API_CALL clGetLayerInfo(cl_uint name, size_t size,
					 void *value, size_t *ret_size);
EXPORT cl_int CL_API_CALL clInitLayer(cl_uint count,
				      const struct _cl_icd_dispatch *target,
				      cl_uint *ret_count,
				      const struct _cl_icd_dispatch **ret_table);

/* What Khronos' loader of 2026 calls instead. */
EXPORT cl_int CL_API_CALL clInitLayerWithProperties(cl_uint count,
		const struct _cl_icd_dispatch *target, cl_uint *ret_count,
		const struct _cl_icd_dispatch **ret_table,
		const void *properties);

static struct _cl_icd_dispatch next;
static void replace(struct _cl_icd_dispatch *table);

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
	static struct _cl_icd_dispatch table;
	size_t slots = sizeof(table) / sizeof(void *);

	if (count < slots)
		slots = count;
	memcpy(&next, target, slots * sizeof(void *));
	memcpy(&table, target, slots * sizeof(void *));
	replace(&table);
	*ret_count = (cl_uint)slots;
	*ret_table = &table;
	return CL_SUCCESS;
}

cl_int CL_API_CALL clInitLayerWithProperties(cl_uint count,
		const struct _cl_icd_dispatch *target, cl_uint *ret_count,
		const struct _cl_icd_dispatch **ret_table,
		const void *properties)
{
	(void)properties;
	return clInitLayer(count, target, ret_count, ret_table);
}

#endif
