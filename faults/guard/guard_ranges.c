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

#define ARG(call_, type_, i_) (*(type_ const *)(call_)->args[i_])

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

#define BUFFER(...) { CLAW_TOUCH_BYTES, __VA_ARGS__ }
#define RECT(...) { CLAW_TOUCH_RECT, __VA_ARGS__ }
#define IMAGE(...) { CLAW_TOUCH_IMAGE, __VA_ARGS__ }
const struct claw_touch claw_touches[CLAW_API_COUNT][CLAW_RANGES_MAX] CLAW_HIDDEN = {
	[CLAW_API_clEnqueueReadBuffer] = { BUFFER(1, 3, 4, 0) },
	[CLAW_API_clEnqueueWriteBuffer] = { BUFFER(1, 3, 4, 0) },
	[CLAW_API_clEnqueueMapBuffer] = { BUFFER(1, 4, 5, 0) },
	[CLAW_API_clEnqueueFillBuffer] = { BUFFER(1, 4, 5, 0) },
	[CLAW_API_clEnqueueCopyBuffer] = { BUFFER(1, 3, 5, 0),
					   BUFFER(2, 4, 5, 0) },
	[CLAW_API_clEnqueueReadBufferRect] = { RECT(1, 3, 5, 6) },
	[CLAW_API_clEnqueueWriteBufferRect] = { RECT(1, 3, 5, 6) },
	[CLAW_API_clEnqueueCopyBufferRect] = { RECT(1, 3, 5, 6),
					       RECT(2, 4, 5, 8) },
	[CLAW_API_clCreateSubBuffer] = { { CLAW_TOUCH_REGION, 0, 0, 3, 0 } },
	[CLAW_API_clEnqueueReadImage] = { IMAGE(1, 3, 4, 0) },
	[CLAW_API_clEnqueueWriteImage] = { IMAGE(1, 3, 4, 0) },
	[CLAW_API_clEnqueueFillImage] = { IMAGE(1, 3, 4, 0) },
	[CLAW_API_clEnqueueMapImage] = { IMAGE(1, 4, 5, 0) },
	[CLAW_API_clEnqueueCopyImageToBuffer] = { IMAGE(1, 3, 4, 0) },
	[CLAW_API_clEnqueueCopyBufferToImage] = { IMAGE(2, 4, 5, 0) },
	[CLAW_API_clEnqueueCopyImage] = { IMAGE(1, 3, 5, 0),
					  IMAGE(2, 4, 5, 0) },
};

/* A box in a buffer: OpenCL 3.0, Reading, Writing and Copying Buffer Objects:
 * pitches of 0 are those of the region. */
static void find_rect(const struct claw_call *call,
		      const struct claw_touch *touch, struct claw_range *range)
{
	const size_t *origin = ARG(call, size_t *, touch->at);
	const size_t *region = ARG(call, size_t *, touch->size);
	bool *over = &range->overflows;
	uint64_t row, slice;

	if (!origin || !region || !region[0] || !region[1] || !region[2]) {
		range->mem = NULL;	/* the driver's to say */
		return;
	}
	row = ARG(call, size_t, touch->pitch);
	slice = ARG(call, size_t, touch->pitch + 1);
	row = row ? row : region[0];
	slice = slice ? slice : multiply(region[1], row, over);
	range->offset = add(add(multiply(origin[2], slice, over),
				multiply(origin[1], row, over), over),
			    origin[0], over);
	range->bytes = add(add(multiply(region[2] - 1, slice, over),
			       multiply(region[1] - 1, row, over), over),
			   region[0], over);
}

static void find_region(const struct claw_call *call, struct claw_range *range)
{
	const cl_buffer_region *region = ARG(call, cl_buffer_region *, 3);

	if (!region || ARG(call, cl_buffer_create_type, 2) !=
		       CL_BUFFER_CREATE_TYPE_REGION) {
		range->mem = NULL;
		return;
	}
	range->offset = region->origin;
	range->bytes = region->size;
}

unsigned int claw_ranges_find(const struct claw_call *call,
			      struct claw_range *ret_ranges)
{
	unsigned int count = 0;

	for (unsigned int i = 0; i < CLAW_RANGES_MAX; i++) {
		const struct claw_touch *touch = &claw_touches[call->api][i];
		struct claw_range *range = &ret_ranges[count];

		if (!touch->kind || touch->kind == CLAW_TOUCH_IMAGE)
			break;
		count++;
		*range = (struct claw_range){
			.mem = ARG(call, void *, touch->mem),
			.param = touch->mem,
		};
		if (touch->kind == CLAW_TOUCH_RECT) {
			find_rect(call, touch, range);
		} else if (touch->kind == CLAW_TOUCH_REGION) {
			find_region(call, range);
		} else {
			range->offset = ARG(call, size_t, touch->at);
			range->bytes = ARG(call, size_t, touch->size);
		}
	}
	return count;
}

/* ---- what comes of it */

static bool is_buffer(const struct claw_ledger_entry *entry)
{
	return entry->object == CLAW_OBJ_MEM &&
	       (entry->api == CLAW_API_clCreateBuffer ||
		entry->api == CLAW_API_clCreateBufferWithProperties ||
		entry->api == CLAW_API_clCreateSubBuffer);
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
	return api == CLAW_API_clEnqueueCopyBuffer ||
	       api == CLAW_API_clEnqueueCopyBufferRect;
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
	struct claw_range ranges[CLAW_RANGES_MAX];
	unsigned int count = claw_ranges_find(call, ranges);

	for (unsigned int i = 0; i < count; i++)
		claw_guard_check_one_range(call, &ranges[i]);
}
