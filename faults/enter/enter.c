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

/* ------------------------------------------------------ before the driver */

/* What stays wrong answers the call, or what the process may not have. */
static inline bool is_answered(struct claw_call *call)
{
#define ANSWER(condition_, ...) if (condition_) { __VA_ARGS__; }
#include "faults/call/stages.def"
	return call->injected;
}

static inline void decide(struct claw_call *call)
{
#define DECIDE(condition_, ...) \
	if (!call->injected && (condition_)) { __VA_ARGS__; }
#include "faults/call/stages.def"
}

/* Those who only look, and those who make the call a little different. */
static inline void look(struct claw_call *call)
{
	if (!claw_call_is_real(call))
		return;
#define LOOK(condition_, ...) if (condition_) { __VA_ARGS__; }
#include "faults/call/stages.def"
#define IF_REAL(condition_, ...) \
	if (claw_call_is_real(call) && (condition_)) { __VA_ARGS__; }
#define BEFORE IF_REAL
#include "faults/call/stages.def"
#define LAST IF_REAL
#include "faults/call/stages.def"
}

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
#define OPEN(condition_, ...) if (condition_) { __VA_ARGS__; }
#include "faults/call/stages.def"
	lend_errcode(call);
	if (is_answered(call)) {
		claw_counted_match = 0;
		return;
	}
	decide(call);
	look(call);
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

/* What came of it, until it is what the program will see. */
static inline void mend(struct claw_call *call)
{
#define RETURNED(condition_, ...) if (condition_) { __VA_ARGS__; }
#include "faults/call/stages.def"
	read_errcode(call);
#define MEND(condition_, ...) if (condition_) { __VA_ARGS__; }
#include "faults/call/stages.def"
	if (!claw_call_is_real(call))
		return;
#define PATCH(condition_, ...) if (condition_) { __VA_ARGS__; }
#include "faults/call/stages.def"
}

void claw_leave(struct claw_call *call)
{
	if (call->ours)
		return;
	if (gives_null(call))
		claw_handles_gave_null();
	mend(call);
	if (claw_call_is_real(call)) {
		if (!call->err)
			count_objects(call);
#define AFTER(condition_, ...) if (condition_) { __VA_ARGS__; }
#include "faults/call/stages.def"
	} else {
#define REFUSED(condition_, ...) if (condition_) { __VA_ARGS__; }
#include "faults/call/stages.def"
	}
#define CLOSE(condition_, ...) if (condition_) { __VA_ARGS__; }
#include "faults/call/stages.def"
#define END(condition_, ...) if (condition_) { __VA_ARGS__; }
#include "faults/call/stages.def"
	if (call->start_ticks)
		write_call(call);
	claw_call_under_way = call->outer;
}
