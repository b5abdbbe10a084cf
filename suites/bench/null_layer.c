/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A layer that does nothing but stand in the way: every slot is a function
 * that calls the one beneath. What it costs is what any layer costs, and the
 * benchmark measures ours against it.
 */
#include "config.h"

#include <string.h>

#include "../../faults/api_sig.h"
#include "../../faults/cl_types.h"

#define EXPORT __attribute__((visibility("default")))
EXPORT cl_int CL_API_CALL clGetLayerInfo(cl_uint name, size_t size,
					 void *value, size_t *ret_size);
EXPORT cl_int CL_API_CALL clInitLayer(cl_uint count,
				      const struct _cl_icd_dispatch *target,
				      cl_uint *ret_count,
				      const struct _cl_icd_dispatch **ret_table);

static struct _cl_icd_dispatch next, table;

#define PASS_STATUS(name_) return next.name_ CLAW_ARGS_##name_;
#define PASS_HANDLE(name_) return next.name_ CLAW_ARGS_##name_;
#define PASS_POINTER(name_) return next.name_ CLAW_ARGS_##name_;
#define PASS_VOID(name_) next.name_ CLAW_ARGS_##name_;
#define API(name_, kind_, ...)						\
	static CLAW_RET_##name_ CL_API_CALL pass_##name_		\
	CLAW_PARAMS_##name_ { PASS_##kind_(name_) }
#define EXT(...)
#include "../../faults/api.def"
#undef API
#undef EXT

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
#define API(name_, ...) if (table.name_) table.name_ = pass_##name_;
#define EXT(...)
#include "../../faults/api.def"
#undef API
#undef EXT
	*ret_count = (cl_uint)slots;
	*ret_table = &table;
	return CL_SUCCESS;
}
