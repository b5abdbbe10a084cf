/* SPDX-License-Identifier: Apache-2.0 */
/* See replay_order.h. */
#include "config.h"

#include "replay_order.h"

#include <stdlib.h>

#include "harness/base/memory.h"

struct place {
	uint64_t ticks;
	uint32_t index;
	bool is_late;		/* it never returned */
};

bool claw_replay_waits(const struct claw_trace_call *call)
{
	int param;

	if (call->api == CLAW_API_clFinish ||
	    call->api == CLAW_API_clWaitForEvents)
		return true;
	if (call->api >= CLAW_API_COUNT)
		return false;
	param = claw_api_find_param(call->api, CLAW_P_BLOCKING);
	return param >= 0 && (uint32_t)param < call->arg_count &&
		call->args[param].word != 0;
}

static int compare(const void *a, const void *b)
{
	const struct place *one = a, *other = b;

	if (one->is_late != other->is_late)
		return one->is_late - other->is_late;
	if (one->ticks != other->ticks)
		return one->ticks < other->ticks ? -1 : 1;
	return (one->index > other->index) - (one->index < other->index);
}

uint32_t *claw_replay_order(const struct claw_trace *trace)
{
	uint32_t first = trace->first_ring_call, count = trace->call_count;
	uint32_t *order = claw_calloc(count + 1u, sizeof(*order));
	struct place *places = claw_calloc(count + 1u, sizeof(*places));

	if (first > count)
		first = count;
	for (uint32_t i = 0; i < count; i++) {
		const struct claw_trace_call *call = &trace->calls[i];
		bool waits = i >= first && claw_replay_waits(call);

		places[i] = (struct place) {
			.index = i,
			.is_late = waits && !call->returned,
			.ticks = i < first ? 0 : waits && call->returned ?
				call->end_ticks : call->begin_ticks,
		};
	}
	qsort(places, count, sizeof(*places), compare);
	for (uint32_t i = 0; i < count; i++)
		order[i] = places[i].index;
	free(places);
	return order;
}
