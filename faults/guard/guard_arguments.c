/* SPDX-License-Identifier: Apache-2.0 */
/* The guarded buffers that a launch names: what its kernel could write to. */
#include "config.h"

#include "guard_private.h"

#include "faults/ledger/ledger.h"

/* The first of several arguments with the same buffer stands for all. */
static void add_argument(struct claw_arguments *arguments, struct claw_zone *zone,
			 uint32_t argument)
{
	for (unsigned int i = 0; i < arguments->count; i++) {
		if (arguments->zones[i] != zone)
			continue;
		if (argument < arguments->indices[i])
			arguments->indices[i] = argument;
		claw_zone_put(zone);
		return;
	}
	arguments->zones[arguments->count] = zone;
	arguments->indices[arguments->count++] = argument;
}

/* Does it end, or begin, within the buffer that the zones are around? */
static bool is_part(const struct claw_zone *zone, const void *mem)
{
	struct claw_ledger_entry entry;

	return claw_ledger_copy(CLAW_OBJ_MEM, mem, &entry) &&
	       entry.api == CLAW_API_clCreateSubBuffer &&
	       entry.bytes < zone->bytes;
}

static void find_kernel_arguments(const struct claw_call *call,
				  struct claw_arguments *ret_arguments)
{
	struct claw_ledger_hold holds[CLAW_ARGUMENTS_MAX];
	unsigned int count = claw_ledger_holds(CLAW_OBJ_KERNEL,
		claw_arg_pointer(call, CLAW_P_KERNEL), holds, CLAW_ARGUMENTS_MAX,
		&ret_arguments->all);

	ret_arguments->count = 0;
	ret_arguments->has_part = false;
	for (unsigned int i = 0; i < count; i++) {
		const void *mem = (const void *)(uintptr_t)holds[i].handle;
		struct claw_zone *zone = claw_zones_find_under(mem);

		ret_arguments->has_part |= zone && is_part(zone, mem);
		if (zone)
			add_argument(ret_arguments, zone, holds[i].argument);
	}
}

static void find_native_arguments(const struct claw_call *call,
				  struct claw_arguments *ret_arguments)
{
	void *const *mems;
	uint32_t count = claw_arg_list(call, CLAW_P_MEMS, &mems);

	ret_arguments->count = 0;
	ret_arguments->has_part = false;
	ret_arguments->all = count <= CLAW_ARGUMENTS_MAX;
	for (uint32_t i = 0; i < count && i < CLAW_ARGUMENTS_MAX; i++) {
		struct claw_zone *zone = claw_zones_find_under(mems[i]);

		if (zone)
			add_argument(ret_arguments, zone, i);
	}
}

void claw_arguments_find(const struct claw_call *call,
			 struct claw_arguments *ret_arguments)
{
	if (call->api == CLAW_API_clEnqueueNativeKernel)
		find_native_arguments(call, ret_arguments);
	else
		find_kernel_arguments(call, ret_arguments);
}

void claw_arguments_put(const struct claw_arguments *arguments)
{
	for (unsigned int i = 0; i < arguments->count; i++)
		claw_zone_put(arguments->zones[i]);
}
