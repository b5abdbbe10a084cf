/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the program's pointers lead: mappings of memory objects and shared
 * memory, as many as are live at a time; where there is no room, what comes
 * later is not known.
 */
#include "config.h"

#include "trace_private.h"

#include <string.h>

enum { RANGES = 1 << 13 };

static struct {
	struct claw_trace_range *ranges;
	uint32_t used;			/* or used once */
} own;

void claw_ranges_add(const struct claw_trace_range *range)
{
	uint32_t i = own.used;

	if (i == RANGES)
		for (i = 0; i < RANGES && own.ranges[i].start; i++)
			;
	if (i == RANGES)
		return;
	own.ranges[i] = *range;
	if (i == own.used)
		own.used++;
}

static struct claw_trace_range *find_mapping(uint64_t start)
{
	for (uint32_t i = own.used; i; i--) {
		struct claw_trace_range *range = &own.ranges[i - 1];

		if (range->start == start && (range->mem || range->writes))
			return range;
	}
	return NULL;
}

bool claw_ranges_mapping(uint64_t start, struct claw_trace_range *ret)
{
	const struct claw_trace_range *range = find_mapping(start);

	if (range)
		*ret = *range;
	return range != NULL;
}

static void remove_range(struct claw_trace_range *range)
{
	memset(range, 0, sizeof(*range));
	while (own.used && !own.ranges[own.used - 1].start)
		own.used--;
}

void claw_ranges_unmapped(uint64_t start)
{
	struct claw_trace_range *range = find_mapping(start);

	if (range)
		remove_range(range);
}

bool claw_ranges_shared(uint64_t address, struct claw_trace_range *ret)
{
	for (uint32_t i = own.used; i; i--) {
		const struct claw_trace_range *range = &own.ranges[i - 1];

		if (range->start && !range->mem && !range->writes &&
		    address - range->start < range->bytes) {
			*ret = *range;
			return true;
		}
	}
	return false;
}

void claw_ranges_gone(uint64_t start_or_mem, bool is_mem)
{
	for (uint32_t i = own.used; i; i--) {
		struct claw_trace_range *range = &own.ranges[i - 1];

		if (i > own.used || !range->start)
			continue;
		if (is_mem ? range->mem == start_or_mem :
		    !range->mem && range->start == start_or_mem)
			remove_range(range);
	}
}

bool claw_ranges_begin(void)
{
	own.ranges = claw_trace_memory(own.ranges,
				       RANGES * sizeof(*own.ranges));
	own.used = 0;
	return own.ranges;
}
