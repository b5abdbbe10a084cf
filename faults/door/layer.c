/* SPDX-License-Identifier: Apache-2.0 */
/* The loader-layer door (cl_loader_layers). */
#include "config.h"

#include "faults/call/guest.h"

#include <string.h>

#include "wrap.h"

/* Of cl_layer.h, which not every installation has, nor in one form. */
#define LAYER_API_VERSION	0x4240
#define LAYER_NAME		0x4241
#define LAYER_API_VERSION_100	100

#define EXPORT __attribute__((visibility("default")))
EXPORT cl_int CL_API_CALL clGetLayerInfo(cl_uint name, size_t size,
					 void *value, size_t *ret_size);
EXPORT cl_int CL_API_CALL clInitLayer(cl_uint count,
				      const struct _cl_icd_dispatch *target,
				      cl_uint *ret_count,
				      const struct _cl_icd_dispatch **ret_table);
EXPORT cl_int CL_API_CALL clInitLayerWithProperties(
	cl_uint count, const struct _cl_icd_dispatch *target,
	cl_uint *ret_count, const struct _cl_icd_dispatch **ret_table,
	const void *properties);
EXPORT cl_int CL_API_CALL clDeinitLayer(void);

enum { SLOTS_MAX = 512 };	/* of tables longer than the one we know */

/* What the loader is given: ours over a copy of what it gave us. */
static union {
	struct _cl_icd_dispatch known;
	void *slots[SLOTS_MAX];
} layer_table;

static cl_int init_layer(cl_uint count, const struct _cl_icd_dispatch *target,
			 cl_uint *ret_count,
			 const struct _cl_icd_dispatch **ret_table,
			 const void *caller)
{
	size_t known = sizeof(claw_next) / sizeof(void *);

	if (!target || !ret_count || !ret_table)
		return CL_INVALID_VALUE;
	if (count > SLOTS_MAX)
		count = SLOTS_MAX;
	memcpy(layer_table.slots, target, count * sizeof(void *));
	if (claw_door_take(CLAW_DOOR_LAYER, caller)) {
		memcpy(&claw_next, target,
		       (count < known ? count : known) * sizeof(void *));
		claw_door_open(claw_wrap_fill(&layer_table.known));
	}
	*ret_count = count;
	*ret_table = &layer_table.known;
	return CL_SUCCESS;
}

cl_int CL_API_CALL clGetLayerInfo(cl_uint name, size_t size, void *value,
				  size_t *ret_size)
{
	static const char title[] = "openclaw";
	static const cl_uint version = LAYER_API_VERSION_100;
	const void *answer = name == LAYER_NAME ? (const void *)title : &version;
	size_t length = name == LAYER_NAME ? sizeof(title) : sizeof(version);

	if (name != LAYER_NAME && name != LAYER_API_VERSION)
		return CL_INVALID_VALUE;
	if (value && size < length)
		return CL_INVALID_VALUE;
	if (value)
		memcpy(value, answer, length);
	if (ret_size)
		*ret_size = length;
	return CL_SUCCESS;
}

cl_int CL_API_CALL clInitLayer(cl_uint count,
			       const struct _cl_icd_dispatch *target,
			       cl_uint *ret_count,
			       const struct _cl_icd_dispatch **ret_table)
{
	return init_layer(count, target, ret_count, ret_table,
			  __builtin_return_address(0));
}

cl_int CL_API_CALL clInitLayerWithProperties(cl_uint count,
	const struct _cl_icd_dispatch *target, cl_uint *ret_count,
	const struct _cl_icd_dispatch **ret_table, const void *properties)
{
	(void)properties;		/* none are defined yet */
	return init_layer(count, target, ret_count, ret_table,
			  __builtin_return_address(0));
}

cl_int CL_API_CALL clDeinitLayer(void)
{
	claw_guest_end();
	return CL_SUCCESS;
}
