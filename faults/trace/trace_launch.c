/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The trace's short way of a launch: a record as trace.c makes it, without
 * lists of what its pointers point at. Nothing is read back before it, and no
 * memory is the host's as well: what is, goes the long way.
 */
#include "config.h"

#include "trace_private.h"

#include <string.h>

#include "faults/journal/site_cache.h"

enum { WORDS = CLAW_TRACE_LAUNCH_WORDS, WAITS_MAX = 64, PAGE = 4096 };

/* What lies behind its pointers, in words; 0: nothing. */
struct lists {
	uint32_t offset, global, local, waits, event;
};

/* Some words, NULL or where they can be read like that. */
static inline bool measure(uint64_t from, uint32_t count, uint32_t *ret_count)
{
	*ret_count = from ? count : 0;
	return !*ret_count || (from >= PAGE &&
			       from % PAGE + count * 8 <= PAGE);
}

static inline __attribute__((always_inline)) bool
measure_all(const uint64_t *words, struct lists *lists)
{
	uint32_t dimensions = (uint32_t)words[2], waits = (uint32_t)words[6];

	if (dimensions - 1 > 2 || waits > WAITS_MAX ||
	    sizeof(size_t) != 8 || sizeof(void *) != 8)
		return false;
	lists->event = words[8] != 0;
	return measure(words[3], dimensions, &lists->offset) &&
	       measure(words[4], dimensions, &lists->global) &&
	       measure(words[5], dimensions, &lists->local) &&
	       measure(words[7], waits, &lists->waits);
}

static inline uint32_t room(uint32_t words)
{
	return words ? (uint32_t)sizeof(struct claw_trace_payload) + words * 8 :
		0;
}

/* In place: a copy that is made of parts and read as a whole costs more. */
static inline unsigned char *put_payload(unsigned char *to,
					 enum claw_payload_kind kind,
					 uint8_t param, uint32_t words,
					 uint64_t value)
{
	struct claw_trace_payload *payload = (void *)to;

	*payload = (struct claw_trace_payload){
		.bytes = words * 8, .kind = (uint8_t)kind, .param = param,
		.value = value,
	};
	return to + sizeof(*payload);
}

static inline unsigned char *put(unsigned char *to, uint8_t param,
				 uint64_t word, uint32_t words)
{
	const unsigned char *from = (const void *)(uintptr_t)word;

	if (!words)
		return to;
	to = put_payload(to, CLAW_PAYLOAD_BYTES, param, words, 0);
	do {
		memcpy(to, from, 8);
		to += 8;
		from += 8;
	} while (--words);
	return to;
}

static inline __attribute__((always_inline)) void
record_launch(enum claw_turn turn, const uint64_t *words,
	      const struct lists *lists, const struct claw_trace_plan *plan,
	      struct claw_trace_launch *launch)
{
	uint32_t bytes = (uint32_t)sizeof(struct claw_trace_record) +
		WORDS * 8 + room(lists->offset) + room(lists->global) +
		room(lists->local) + room(lists->waits) + room(lists->event) +
		plan->bytes;
	unsigned int payloads = !!lists->offset + !!lists->global +
		!!lists->local + !!lists->waits + lists->event + plan->count;
	struct claw_trace_record *record;
	uint64_t position;
	unsigned char *at;

	claw_journal_count(CLAW_API_clEnqueueNDRangeKernel);
	record = claw_ring_claim(turn, bytes, &position);
	launch->mark.record = record;
	launch->mark.position = position;
	claw_record_fill(record, claw_trace_ticks_at(position, bytes),
			 claw_journal_ordinal(CLAW_API_clEnqueueNDRangeKernel),
			 WORDS, payloads);
	record->site = launch->site;
	memcpy(record + 1, words, WORDS * 8);
	at = (unsigned char *)(record + 1) + WORDS * 8;
	at = put(at, 3, words[3], lists->offset);
	at = put(at, 4, words[4], lists->global);
	at = put(at, 5, words[5], lists->local);
	at = put(at, 7, words[7], lists->waits);
	if (lists->event) {
		launch->made = put_payload(at, CLAW_PAYLOAD_MADE, 8, 1, 0);
		memset(launch->made, 0, 8);
		at = launch->made + 8;
	}
	if (__builtin_expect(plan->base != 0, 1))
		put_payload(at, CLAW_PAYLOAD_SAME, 1, 0, plan->base);
	else
		claw_args_write(plan, at, position, false);
	claw_ring_show(record, CLAW_API_clEnqueueNDRangeKernel, bytes,
		       WORDS, CLAW_TRACE_BEGUN);
}

/* Whatever it is given; false: the long way. */
static __attribute__((noinline)) bool
record_any(enum claw_turn turn, const uint64_t *words, uint64_t base,
	   struct claw_trace_launch *launch)
{
	struct claw_trace_plan plan;
	struct lists lists;

	if (!measure_all(words, &lists) ||
	    !claw_args_plan_short(words[1], base, &plan))
		return false;
	record_launch(turn, words, &lists, &plan, launch);
	return true;
}

bool claw_trace_begin_launch(const uint64_t *words,
			     struct claw_trace_launch *launch)
{
	struct claw_trace_plan plan = {
		.bytes = sizeof(struct claw_trace_payload), .count = 1,
	};
	struct lists lists;
	enum claw_turn turn;
	bool begun = true;

	if (!claw_own_trace.short_launches || !measure_all(words, &lists))
		return false;
	launch->mark.record = NULL;
	launch->site = claw_site_cached();
	turn = claw_trace_enter();
	if (turn == CLAW_TURN_NONE)
		return false;
	claw_bases_look(turn);
	plan.base = claw_args_base(words[1]);
	/* Most launches have neither an offset nor events to wait for. */
	if (__builtin_expect(plan.base && lists.global && !lists.offset &&
			     !lists.waits, 1)) {
		lists.offset = lists.waits = 0;	/* for the compiler */
		record_launch(turn, words, &lists, &plan, launch);
	} else {
		begun = record_any(turn, words, plan.base, launch);
	}
	claw_trace_leave(turn);
	return begun;
}

void claw_trace_end_launch(const struct claw_trace_launch *launch,
			   const cl_event *event)
{
	struct claw_trace_record *record = launch->mark.record;

	if (!claw_ring_is_at(record, launch->mark.position))
		return;
	record->end_ticks = record->ticks;
	if (event) {
		memcpy(launch->made, event, sizeof(*event));
		record->end_ticks = claw_trace_step();
	}
	claw_ring_set_state(record, CLAW_TRACE_DONE);
	claw_ring_check_end(launch->mark.position);
}

void claw_trace_end_failed(enum claw_api api,
			   const struct claw_trace_mark *mark, uint32_t site,
			   const void *const *args, cl_int err)
{
	struct claw_call call;

	claw_call_begin(&call, api, args);
	call.err = err;
	call.site = site;
	call.ordinal = claw_journal_ordinal(api);
	call.trace.record = mark->record;
	call.trace.position = mark->position;
	claw_trace_after(&call);
}
