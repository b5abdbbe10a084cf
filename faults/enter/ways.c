/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which way the calls of each function go: as short a one as what looks at
 * them allows.
 */
#include "config.h"

#include "stages.h"

#include "checked.h"

#include <pthread.h>

struct claw_call_shape claw_call_shapes[CLAW_API_COUNT] CLAW_HIDDEN;
static bool shapes_known;

static void find_shape(enum claw_api api)
{
	const struct claw_api_info *info = &claw_api_table[api];
	struct claw_call_shape *shape = &claw_call_shapes[api];

	shape->errcode = (int8_t)claw_api_find_param(api, CLAW_P_ERRCODE);
	shape->event_out = (int8_t)claw_api_find_param(api, CLAW_P_EVENT_OUT);
	shape->size = (int8_t)claw_api_find_param(api, CLAW_P_SIZE);
	shape->blocking = (int8_t)claw_api_find_param(api, CLAW_P_BLOCKING);
	shape->is_status = info->fails_as == CLAW_STATUS ||
			   info->fails_as == CLAW_VOID;
	shape->releases_mem = info->effect == CLAW_RELEASES &&
			      info->object == CLAW_OBJ_MEM;
}

/* Bits of the threads that the rules of this function name, if that is the
 * first thing each of them asks; 0 if not. */
static uint64_t thread_bits(enum claw_api api)
{
	uint64_t bits = 0;

	for (unsigned int i = 0; i < claw_matcher_counts[api]; i++) {
		unsigned int thread =
			claw_matchers[claw_matcher_lists[api][i]].conditions->thread;

		if (!thread || thread > 63)
			return 0;
		bits |= UINT64_C(1) << thread;
	}
	return bits;
}

/* The shortest way of a function that features look at; SHORT: none does. */
static enum claw_way way_of_features(enum claw_api api)
{
	enum claw_way way = CLAW_SHORT;
	bool checked = false;

#define CHECKS(condition_) checked |= (condition_);
#include "faults/call/stages.def"
#define WANTS(condition_) if (condition_) return CLAW_LONG;
#include "faults/call/stages.def"
#define TAKES(condition_, way_) \
	if ((condition_) && way < (way_)) \
		way = way_;
#include "faults/call/stages.def"
#define NEEDS(condition_) if (condition_) return CLAW_LONG;
#include "faults/call/stages.def"
	if ((way != CLAW_SHORT || checked) && claw_api_is_recorded(api))
		return CLAW_LONG;
	if (checked)
		return way <= CLAW_EVENT_OUT && claw_checked_has(api) &&
		       !claw_matcher_counts[api] ? CLAW_CHECKED : CLAW_LONG;
	return way;
}

static enum claw_way way_of_rules(enum claw_api api)
{
	if (claw_matcher_counts[api] == 1 &&
	    claw_matchers[claw_matcher_lists[api][0]].plain)
		return CLAW_COUNTED;
	claw_call_shapes[api].threads = thread_bits(api);
	return claw_call_shapes[api].threads ? CLAW_THREADS : CLAW_LONG;
}

static enum claw_way way_of(enum claw_api api)
{
	const struct claw_api_info *info = &claw_api_table[api];
	enum claw_way way;

	if (info->object == CLAW_OBJ_SVM && info->effect == CLAW_RELEASES)
		return CLAW_LONG;	/* see frees_null() */
	way = way_of_features(api);
	if (way != CLAW_SHORT)
		return way;
	if (claw_api_is_recorded(api))
		return claw_matcher_counts[api] || claw_guest.all_sites ||
		       claw_call_shapes[api].blocking >= 0 ||
		       claw_api_waits(api) ? CLAW_LONG : CLAW_RECORDED;
	if (claw_matcher_counts[api])
		return way_of_rules(api);
#define ELSE(condition_, way_) if (condition_) return way_;
#include "faults/call/stages.def"
	return CLAW_SHORT;
}

void claw_set_ways(void)
{
	pthread_mutex_lock(&claw_ways_lock);
	for (unsigned int api = 0; api < CLAW_API_COUNT; api++) {
		if (!shapes_known)
			find_shape((enum claw_api)api);
		__atomic_store_n(&claw_page.way[api],
				 (uint8_t)way_of((enum claw_api)api),
				 __ATOMIC_RELAXED);
	}
	shapes_known = true;
	pthread_mutex_unlock(&claw_ways_lock);
	__atomic_store_n(&claw_page.alive, 1, __ATOMIC_RELEASE);
}

bool claw_is_quiet(enum claw_api api, enum claw_way way)
{
	const struct claw_matcher *m;
	uint32_t thread;
	uint64_t n;

	if (way == CLAW_LONG || way == CLAW_CHECKED || claw_ours_is_on())
		return false;
	if (way == CLAW_THREADS) {
		thread = claw_journal_thread_number();
		return thread < 64 &&
		       !(atomic_load_explicit(&claw_call_shapes[api].threads,
					      memory_order_relaxed) >>
			 thread & 1);
	}
	m = &claw_matchers[claw_matcher_lists[api][0]];
	n = claw_journal_rule_matched(m->slot);
	if (n < atomic_load_explicit(&m->next_when, memory_order_relaxed))
		return true;
	claw_counted_match = n;
	return false;
}
