/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The trace's short way of a launch: a record as trace.c makes it, without
 * lists of what its pointers point at. Nothing is read back before it, and no
 * memory is the host's as well: what is, goes the long way.
 */
#include "config.h"

#include "trace_private.h"

#include <string.h>

#include "site_cache.h"

#define ARG(args_, type_, i_) (*(type_ const *)(args_)[i_])

enum { WORDS = 9, WAITS_MAX = 64, PAGE = 4096 };

/* What lies behind its pointers, in words; 0: nothing. Most launches have
 * neither an offset nor events to wait for. */
struct lists {
	uint32_t offset, global, local, waits, event;
};

/* Some words, NULL or where they can be read like that. */
static inline bool measure(const void *from, uint32_t count,
			   uint32_t *ret_count)
{
	*ret_count = from ? count : 0;
	return !*ret_count || ((uintptr_t)from >= PAGE &&
			       (uintptr_t)from % PAGE + count * 8 <= PAGE);
}

static inline bool measure_all(const void *const *args, struct lists *lists)
{
	cl_uint dimensions = ARG(args, cl_uint, 2);
	cl_uint waits = ARG(args, cl_uint, 6);

	if (dimensions - 1 > 2 || waits > WAITS_MAX ||
	    sizeof(size_t) != 8 || sizeof(void *) != 8)
		return false;
	lists->event = ARG(args, void *, 8) != NULL;
	return measure(ARG(args, void *, 3), dimensions, &lists->offset) &&
	       measure(ARG(args, void *, 4), dimensions, &lists->global) &&
	       measure(ARG(args, void *, 5), dimensions, &lists->local) &&
	       measure(ARG(args, void *, 7), waits, &lists->waits);
}

static inline uint32_t room(uint32_t words)
{
	return words ? (uint32_t)sizeof(struct claw_trace_payload) + words * 8 :
		0;
}

static inline unsigned char *put_payload(unsigned char *to,
					 enum claw_payload_kind kind,
					 uint8_t param, uint32_t words,
					 uint64_t value)
{
	const struct claw_trace_payload payload = {
		.bytes = words * 8, .kind = (uint8_t)kind, .param = param,
		.value = value,
	};

	memcpy(to, &payload, sizeof(payload));
	return to + sizeof(payload);
}

static inline unsigned char *put(unsigned char *to, uint8_t param,
				 const unsigned char *from, uint32_t words)
{
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

static inline void put_words(const void *const *args, uint64_t *words)
{
	words[0] = claw_number(ARG(args, void *, 0));
	words[1] = claw_number(ARG(args, void *, 1));
	words[2] = ARG(args, cl_uint, 2);
	words[3] = claw_number(ARG(args, void *, 3));
	words[4] = claw_number(ARG(args, void *, 4));
	words[5] = claw_number(ARG(args, void *, 5));
	words[6] = ARG(args, cl_uint, 6);
	words[7] = claw_number(ARG(args, void *, 7));
	words[8] = claw_number(ARG(args, void *, 8));
}

static inline __attribute__((always_inline)) void
record(enum claw_turn turn, const void *const *args, const struct lists *lists,
       const struct claw_trace_plan *plan, struct claw_trace_launch *launch)
{
	uint32_t bytes = (uint32_t)sizeof(struct claw_trace_record) +
		WORDS * 8 + room(lists->offset) + room(lists->global) +
		room(lists->local) + room(lists->waits) + room(lists->event) +
		plan->bytes;
	unsigned int payloads = !!lists->offset + !!lists->global +
		!!lists->local + !!lists->waits + lists->event + plan->count;
	struct claw_trace_mark *mark = &launch->mark;
	unsigned char *at;

	mark->record = claw_ring_claim(turn, bytes, &mark->position);
	claw_record_fill(mark->record,
			 claw_trace_ticks_at(mark->position, bytes),
			 claw_journal_ordinal(CLAW_API_clEnqueueNDRangeKernel),
			 WORDS, payloads);
	mark->record->site = launch->site;
	put_words(args, (uint64_t *)(void *)(mark->record + 1));
	at = (unsigned char *)(mark->record + 1) + WORDS * 8;
	at = put(at, 3, ARG(args, void *, 3), lists->offset);
	at = put(at, 4, ARG(args, void *, 4), lists->global);
	at = put(at, 5, ARG(args, void *, 5), lists->local);
	at = put(at, 7, ARG(args, void *, 7), lists->waits);
	if (lists->event) {
		launch->made = put_payload(at, CLAW_PAYLOAD_MADE, 8, 1, 0);
		memset(launch->made, 0, 8);
		at = launch->made + 8;
	}
	if (__builtin_expect(plan->base != 0, 1))
		put_payload(at, CLAW_PAYLOAD_SAME, 1, 0, plan->base);
	else
		claw_args_write(plan, at, mark->position, false);
	claw_ring_show(mark->record, CLAW_API_clEnqueueNDRangeKernel, bytes,
		       WORDS, CLAW_TRACE_BEGUN);
}

static __attribute__((noinline)) void
record_any(enum claw_turn turn, const void *const *args,
	   const struct lists *lists, const struct claw_trace_plan *plan,
	   struct claw_trace_launch *launch)
{
	record(turn, args, lists, plan, launch);
}

bool claw_trace_begin_launch(const void *const *args,
			     struct claw_trace_launch *launch)
{
	struct claw_trace_plan plan;
	struct lists lists;
	enum claw_turn turn;

	if (claw_own_trace.config.buffers > CLAW_CAPTURE_HASH ||
	    claw_trace_redacts || !measure_all(args, &lists))
		return false;
	launch->mark.record = NULL;
	launch->site = claw_site_cached();
	turn = claw_trace_enter();
	if (turn == CLAW_TURN_NONE)
		return false;
	if (!claw_args_plan_short(claw_number(ARG(args, void *, 1)), &plan)) {
		claw_trace_leave(turn);
		return false;
	}
	claw_journal_count(CLAW_API_clEnqueueNDRangeKernel);
	if (__builtin_expect(lists.offset || lists.waits, 0)) {
		record_any(turn, args, &lists, &plan, launch);
	} else {
		lists.offset = lists.waits = 0;	/* for the compiler */
		record(turn, args, &lists, &plan, launch);
	}
	claw_trace_leave(turn);
	return true;
}

static __attribute__((noinline, cold)) void
end_failed(const struct claw_trace_launch *launch, const void *const *args,
	   cl_int err)
{
	struct claw_call call;

	memset(&call, 0, sizeof(call));
	call.api = CLAW_API_clEnqueueNDRangeKernel;
	call.args = args;
	call.err = err;
	call.site = launch->site;
	call.ordinal = claw_journal_ordinal(CLAW_API_clEnqueueNDRangeKernel);
	call.trace = launch->mark.record;
	call.trace_position = launch->mark.position;
	claw_trace_after(&call);
}

void claw_trace_end_launch(const struct claw_trace_launch *launch,
			   const void *const *args, cl_int err)
{
	struct claw_trace_record *record = launch->mark.record;
	const cl_event *event = ARG(args, cl_event *, 8);

	if (__builtin_expect(err, 0)) {
		end_failed(launch, args, err);
		return;
	}
	if (!claw_ring_is_at(record, launch->mark.position))
		return;
	record->end_ticks = record->ticks;
	if (event) {
		memcpy(launch->made, event, sizeof(*event));
		record->end_ticks = claw_trace_step();
	}
	claw_ring_set_state(record, CLAW_TRACE_DONE);
}
