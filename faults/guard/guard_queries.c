/* SPDX-License-Identifier: Apache-2.0 */
/* What the program is told about guarded buffers: what it would be without. */
#include "config.h"

#include "guard_private.h"

#include "faults/ledger/ledger.h"

/* Where the contents came from, or are: not a part's own, but its whole's. */
enum { PLACES = CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR };

static cl_mem_flags mend_flags(const struct claw_zone *zone, const void *mem,
			       cl_mem_flags flags)
{
	if (zone->mem == mem)
		return zone->flags;
	if (zone->host && flags & CL_MEM_COPY_HOST_PTR)
		return flags ^ (CL_MEM_COPY_HOST_PTR | CL_MEM_USE_HOST_PTR);
	/* A part of it, or an image on it: taken from a buffer in our memory,
	 * like the ones that it does not have. */
	if (zone->memory && !zone->shadow && flags & CL_MEM_USE_HOST_PTR)
		flags = (flags & ~(cl_mem_flags)CL_MEM_USE_HOST_PTR) |
			(zone->flags & PLACES);
	return flags;
}

/* Places in the whole, as the program counts them. */
static uint64_t mend_place(const struct claw_zone *zone, uint64_t place)
{
	return zone->whole && place >= zone->front ? place - zone->front :
		place;
}

/* The program's own memory, or what it would see of ours. */
static void *mend_host(const struct claw_zone *zone, const void *mem,
		       void *place)
{
	void *host;

	if (zone->host)
		return zone->host + claw_zone_origin(zone, mem);
	if (!zone->shadow)
		return zone->memory ? NULL :
			(void *)(uintptr_t)mend_place(zone, (uintptr_t)place);
	if (!place)
		return NULL;
	/* Some say the whole's of a part. */
	host = claw_shadow_to_host(zone->shadow, place);
	return host ? host : zone->shadow->host;
}

static bool is_part(const void *mem)
{
	struct claw_ledger_entry entry;

	return claw_ledger_copy(CLAW_OBJ_MEM, mem, &entry) &&
	       entry.api == CLAW_API_clCreateSubBuffer;
}

static void mend(const struct claw_zone *zone, const void *mem,
		 cl_mem_info name, void *value)
{
	switch (name) {
	case CL_MEM_FLAGS:
		*(cl_mem_flags *)value = mend_flags(zone, mem,
						    *(cl_mem_flags *)value);
		break;
	case CL_MEM_HOST_PTR:
		*(void **)value = zone->mem == mem && zone->shadow ?
			zone->shadow->host :
			mend_host(zone, mem, *(void **)value);
		break;
	case CL_MEM_OFFSET:
		*(size_t *)value = (size_t)mend_place(zone, *(size_t *)value);
		break;
	case CL_MEM_ASSOCIATED_MEMOBJECT:
		if (zone->whole && zone->mem == mem)
			*(cl_mem *)value = NULL;
		else if (zone->whole && is_part(mem))
			*(cl_mem *)value = zone->mem;
		break;
	case CL_MEM_REFERENCE_COUNT:
		/* A driver that does not count its parts has ours counted. */
		if (zone->mem == mem && !zone->context->whole_references)
			*(cl_uint *)value -= __atomic_load_n(&zone->kept,
							     __ATOMIC_RELAXED);
		break;
	default:
		break;
	}
}

void claw_guard_answer(struct claw_call *call)
{
	void *value = CLAW_ARG(call, clGetMemObjectInfo, param_value);
	struct claw_zone *zone;

	if (call->err || !value)
		return;
	zone = claw_zones_find_under(
		CLAW_ARG(call, clGetMemObjectInfo, memobj));
	if (!zone)
		return;
	mend(zone, CLAW_ARG(call, clGetMemObjectInfo, memobj),
	     CLAW_ARG(call, clGetMemObjectInfo, param_name), value);
	claw_zone_put(zone);
}

void claw_guard_answer_context(struct claw_call *call)
{
	cl_uint *value = CLAW_ARG(call, clGetContextInfo, param_value);

	if (!call->err && value &&
	    CLAW_ARG(call, clGetContextInfo, param_name) ==
		    CL_CONTEXT_REFERENCE_COUNT)
		*value -= claw_guard_context_references(
			CLAW_ARG(call, clGetContextInfo, context));
}
