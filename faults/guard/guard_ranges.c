/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Transfers that reach past the end of a buffer, guarded or not, and parts that
 * a driver makes although they do. The driver answers transfers, but for copies
 * from and to parts of larger buffers: not every driver sees where those end.
 */
#include "config.h"

#include "guard_private.h"

#include <string.h>

#include "faults/ledger/ledger.h"
#include "faults/journal/site_cache.h"

/* ---- sums that may be too large */

static uint64_t add(uint64_t a, uint64_t b, bool *overflows)
{
	uint64_t sum;

	if (__builtin_add_overflow(a, b, &sum))
		*overflows = true;
	return sum;
}

static uint64_t multiply(uint64_t a, uint64_t b, bool *overflows)
{
	uint64_t product;

	if (__builtin_mul_overflow(a, b, &product))
		*overflows = true;
	return product;
}

/* ---- what calls touch */

/* A box in a buffer: OpenCL 3.0, Reading, Writing and Copying Buffer Objects:
 * pitches of 0 are those of the region. */
static void find_rect(const struct claw_call *call,
		      const struct claw_touch *touch, struct claw_range *range)
{
	const size_t *origin = CLAW_ARG_AT(call, size_t *, touch->at);
	const size_t *region = CLAW_ARG_AT(call, size_t *, touch->size);
	bool *over = &range->overflows;
	uint64_t row, slice;

	if (!origin || !region || !region[0] || !region[1] || !region[2]) {
		range->mem = NULL;	/* the driver's to say */
		return;
	}
	row = CLAW_ARG_AT(call, size_t, touch->row);
	slice = CLAW_ARG_AT(call, size_t, touch->slice);
	row = row ? row : region[0];
	slice = slice ? slice : multiply(region[1], row, over);
	range->offset = add(add(multiply(origin[2], slice, over),
				multiply(origin[1], row, over), over),
			    origin[0], over);
	range->bytes = add(add(multiply(region[2] - 1, slice, over),
			       multiply(region[1] - 1, row, over), over),
			   region[0], over);
}

/* The part of a buffer that is to be made. */
static unsigned int find_part(const struct claw_call *call,
			      struct claw_range *ret_range)
{
	const cl_buffer_region *region =
		CLAW_ARG(call, clCreateSubBuffer, buffer_create_info);
	cl_buffer_create_type type =
		CLAW_ARG(call, clCreateSubBuffer, buffer_create_type);

	if (!region || type != CL_BUFFER_CREATE_TYPE_REGION)
		return 0;
	*ret_range = (struct claw_range){
		.mem = CLAW_ARG(call, clCreateSubBuffer, buffer),
		.param = CLAW_AT(clCreateSubBuffer, buffer),
		.offset = region->origin, .bytes = region->size,
	};
	return 1;
}

unsigned int claw_ranges_find(const struct claw_call *call,
			      struct claw_range *ret_ranges)
{
	const struct claw_touch *touch = claw_api_table[call->api].touches;
	unsigned int count = 0;

	if (call->api == CLAW_API_clCreateSubBuffer)
		return find_part(call, ret_ranges);
	for (unsigned int i = 0; i < CLAW_MAX_TOUCHES; i++, touch++) {
		struct claw_range *range = &ret_ranges[count];

		if (touch->kind != CLAW_TOUCH_BUFFER &&
		    touch->kind != CLAW_TOUCH_BUFFER_RECT)
			continue;
		count++;
		*range = (struct claw_range){
			.mem = CLAW_ARG_AT(call, void *, touch->memory),
			.param = (unsigned int)touch->memory,
		};
		if (touch->kind == CLAW_TOUCH_BUFFER_RECT) {
			find_rect(call, touch, range);
		} else {
			range->offset = CLAW_ARG_AT(call, size_t, touch->at);
			range->bytes = CLAW_ARG_AT(call, size_t, touch->size);
		}
	}
	return count;
}

/* ---- what comes of it */

static bool is_buffer(const struct claw_ledger_entry *entry)
{
	return entry->object == CLAW_OBJ_MEM &&
	       (claw_api_makes_buffer((enum claw_api)entry->api) ||
		claw_api_makes_part((enum claw_api)entry->api));
}

static bool is_past_end(const struct claw_range *range, uint64_t bytes)
{
	return range->overflows || range->offset > bytes ||
	       range->bytes > bytes - range->offset;
}

static void tell(struct claw_call *call, const struct claw_range *range,
		 const struct claw_ledger_entry *entry)
{
	const char *name = claw_api_table[call->api].params[range->param];
	struct claw_found_entry found = {
		.kind = CLAW_FOUND_RANGE,
		.second = claw_found_nowhere(),
		.third = claw_found_place(entry->site, entry->api,
					  CLAW_OBJ_MEM),
		.handle = entry->handle,
		.values = { range->offset, range->bytes, entry->bytes },
	};

	if (!call->site)
		call->site = claw_site_cached();
	found.at = claw_found_place(call->site, call->api, CLAW_OBJ_MEM);
	strncpy(found.name, name, sizeof(found.name) - 1);
	claw_found_add(&found);
}

static bool is_in_larger(const void *mem)
{
	struct claw_zone *zone = claw_zones_find_under(mem);
	bool is = zone && zone->whole;

	claw_zone_put(zone);
	return is;
}

static bool is_copy(enum claw_api api)
{
	const struct claw_touch *touches = claw_api_table[api].touches;

	return touches[0].kind == touches[1].kind &&
	       (touches[0].kind == CLAW_TOUCH_BUFFER ||
		touches[0].kind == CLAW_TOUCH_BUFFER_RECT);
}

void claw_guard_check_one_range(struct claw_call *call,
				const struct claw_range *range)
{
	struct claw_ledger_entry entry;

	if (!range->mem ||
	    !claw_ledger_copy(CLAW_OBJ_MEM, range->mem, &entry) ||
	    !is_buffer(&entry) || !is_past_end(range, entry.bytes))
		return;
	tell(call, range, &entry);
	if (is_copy(call->api) && is_in_larger(range->mem)) {
		call->injected = call->guarded = true;
		call->err = CL_INVALID_VALUE;
	}
}

void claw_guard_check_range(struct claw_call *call)
{
	struct claw_range ranges[CLAW_MAX_TOUCHES];
	unsigned int count = claw_ranges_find(call, ranges);

	for (unsigned int i = 0; i < count; i++)
		claw_guard_check_one_range(call, &ranges[i]);
}
