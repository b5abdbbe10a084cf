/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The long way of a call: who is asked before the driver and after it, in which
 * order.
 */
#include "config.h"

#include "stages.h"

static bool may_block(const struct claw_call *call)
{
	int i = claw_call_shapes[call->api].blocking;

	if (i >= 0)
		return *(const cl_bool *)call->args[i];
	/* A driver's own thread may crash in the kernel meanwhile. */
	return claw_api_waits(call->api) || claw_api_is_launch(call->api);
}

/* A pointer of ours where the program gave none, so that the code is known. */
static void lend_errcode(struct claw_call *call)
{
	int i = claw_call_shapes[call->api].errcode;
	cl_int **errcode;

	if (i < 0)
		return;
	errcode = (cl_int **)call->args[i];
	if (!*errcode)
		*errcode = &call->err;
}

/* The code of a handle or pointer that the driver did or did not give. */
static void read_errcode(struct claw_call *call)
{
	const struct claw_call_shape *shape = &claw_call_shapes[call->api];

	if (shape->is_status || !claw_call_is_real(call))
		return;
	if (call->ret)
		call->err = CL_SUCCESS;
	else if (shape->errcode >= 0)
		call->err = **(cl_int *const *)call->args[shape->errcode];
}

/* ------------------------------------------------------------------ stages */

enum stage {
	/* Before the driver. It is the program's call, as it was made. */
	OPEN,
	/* Before any rule: may answer it. */
	ANSWER,
	/* Unless it is answered: may answer it. */
	DECIDE,
	/* It is real by then: see it; may make it another, or answer it. */
	LOOK, BEFORE, LAST,
	/* After the driver: the first to see what came of it. */
	RETURNED,
	/* May make it another result; of what is real, too. */
	MEND, PATCH,
	/* As the program will see it: what is real, what is not. */
	AFTER, REFUSED,
	/* Any; and when nobody changes anything any more. */
	CLOSE, END,
};

/* Is it for that row still, whatever the rows before it did? */
static inline bool is_for(enum stage stage, const struct claw_call *call)
{
	return stage == DECIDE ? !call->injected :
	       stage != BEFORE && stage != LAST ? true : claw_call_is_real(call);
}

/* All rows at that stage: the number is known, the compiler leaves out the
 * others. */
static inline __attribute__((always_inline)) void at(enum stage stage,
						     struct claw_call *call)
{
#define ON(stage_, condition_, ...) \
	if (stage == (stage_) && is_for(stage_, call) && (condition_)) { \
		__VA_ARGS__; \
	}
#include "faults/call/stages.def"
}

/* ------------------------------------------------------ before the driver */

static void write_blocking(struct claw_call *call)
{
	struct claw_journal_record record;

	claw_call_record(&record, call, CLAW_REC_BLOCKS);
	record.duration_ticks = 0;
	call->blocked_record = claw_journal_call(&record);
}

void claw_enter(struct claw_call *call)
{
	bool recorded;

	if (__builtin_expect(claw_ours_is_on(), 0)) {
		call->ours = true;
		return;
	}
	if (__builtin_expect(!__atomic_load_n(&claw_page.alive,
					      __ATOMIC_ACQUIRE), 0))
		claw_guest_begin(true);
	call->outer = claw_call_under_way;
	claw_call_under_way = call;
	claw_journal_count(call->api);
	call->thread = claw_journal_thread_get();
	recorded = claw_api_is_recorded(call->api);
	if (recorded)
		call->start_ticks = claw_journal_ticks();
	call->ordinal = claw_journal_ordinal(call->api);
	at(OPEN, call);
	lend_errcode(call);
	at(ANSWER, call);
	if (call->injected) {
		claw_counted_match = 0;
		return;
	}
	at(DECIDE, call);
	if (claw_call_is_real(call)) {
		at(LOOK, call);
		at(BEFORE, call);
		at(LAST, call);
	}
	if (recorded && claw_guest.all_sites)
		claw_call_site(call);
	if (recorded && !call->injected && may_block(call))
		write_blocking(call);
}

/* ------------------------------------------------------- after the driver */

/* Shared memory is freed by a pointer, the last parameter; NULL is legal
 * there and frees nothing. */
static bool frees_null(const struct claw_call *call)
{
	const struct claw_api_info *info = &claw_api_table[call->api];

	return info->object == CLAW_OBJ_SVM &&
	       !*(void *const *)call->args[info->param_count - 1];
}

static void count_objects(struct claw_call *call)
{
	const struct claw_api_info *info = &claw_api_table[call->api];
	const struct claw_call_shape *shape = &claw_call_shapes[call->api];
	const cl_event *event = shape->event_out < 0 ? NULL :
		*(const cl_event *const *)call->args[shape->event_out];

	switch (info->effect) {
	case CLAW_CREATES:
		if (!call->ret)
			break;
		claw_journal_live_add(call->thread, info->object, 1);
		if (shape->size >= 0)
			claw_journal_bytes_add(call->thread,
				*(const size_t *)call->args[shape->size]);
		break;
	case CLAW_RETAINS:
		claw_journal_live_add(call->thread, info->object, 1);
		break;
	case CLAW_RELEASES:
		if (!frees_null(call))
			claw_journal_live_add(call->thread, info->object, -1);
		break;
	case CLAW_NOTHING:
		break;
	}
	if (event && *event)
		claw_journal_live_add(call->thread, CLAW_OBJ_EVENT, 1);
}

bool claw_call_again(struct claw_call *call)
{
	if (call->ours)
		return false;
	read_errcode(call);
#define AGAIN(condition_) if (condition_) return true;
#include "faults/call/stages.def"
	return false;
}

static void write_call(struct claw_call *call)
{
	struct claw_journal_record record;

	if (call->blocked_record) {
		claw_journal_call_returned(call->blocked_record, call->err,
			claw_call_handle(call),
			claw_journal_span(call->start_ticks,
					  claw_journal_ticks()));
		return;
	}
	claw_call_record(&record, call, call->flags);
	claw_journal_call(&record);
}

/* A program that goes on with the NULL of a creation that we made fail is not
 * to crash in a driver before it is told so. */
static bool gives_null(const struct claw_call *call)
{
	return call->err && claw_api_table[call->api].fails_as == CLAW_HANDLE &&
	       !claw_call_is_real(call);
}

void claw_leave(struct claw_call *call)
{
	if (call->ours)
		return;
	if (gives_null(call))
		claw_handles_gave_null();
	at(RETURNED, call);
	read_errcode(call);
	at(MEND, call);
	if (claw_call_is_real(call)) {
		at(PATCH, call);
		if (!call->err)
			count_objects(call);
		at(AFTER, call);
	} else {
		at(REFUSED, call);
	}
	at(CLOSE, call);
	at(END, call);
	if (call->start_ticks)
		write_call(call);
	claw_call_under_way = call->outer;
}
