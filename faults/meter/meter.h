/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Meters: running totals of what the program's calls take, move and fail with,
 * and of what is alive, in a file of the session (meter_format.h). Any thread
 * may call any of these at any time; all but begin and is_on only while they
 * are on. They stand on the ledger. Nothing allocates, and the hot ones make
 * no system call; a kernel's first launch and a queue's ask the driver.
 *
 * Definitions:
 * - a call's time is from where the program made it to where it comes back, an
 *   injected delay included. Calls that fail, and those that openclaw answers,
 *   have no time and move no bytes; they are errors or injections.
 * - LAUNCH: the time from the first launch since the queue was waited for to
 *   the return of the wait, over the launches in between, each of which counts.
 *   On a queue in order all commands before the one that was waited for are
 *   meant: by clFinish, a blocking command, clWaitForEvents, the wait list of a
 *   blocking command of any queue, a query that says CL_COMPLETE, or such a
 *   callback. On one that is out of order only a launch whose own event it is,
 *   and with clFinish all since then; earlier launches that may have been
 *   waited for indirectly are left out. So are those of a queue that is
 *   released before, of a wait that fails, of command buffers, and, of more
 *   than 64 queues, some.
 * - an event's negative status once, however the program learns of it: by a
 *   query, a callback, or a wait that fails.
 */
#ifndef CLAW_METER_H
#define CLAW_METER_H

#include "faults/call/guest.h"
#include "faults/journal/journal.h"
#include "faults/ledger/ledger_turn.h"
#include "faults/shared/meter_format.h"

struct claw_meter_process {
	struct claw_meter_file *file;	/* NULL: off */
	struct claw_meter_thread *threads;
};
extern struct claw_meter_process claw_own_meters CLAW_HIDDEN;

/* In this process, or anew in a forked child, after the ledger. Says so on
 * stderr and stays off without room for the file. */
CLAW_HIDDEN void claw_meters_begin(bool wanted);

static inline bool claw_meters_are_on(void)
{
	return __builtin_expect(claw_own_meters.file != NULL, 0);
}

/* ---- calls (meter.c, meter_calls.c) */

/* The thread's own place; *ret_alone: nobody else adds to it. */
static inline struct claw_meter_thread *claw_meter_here(bool *ret_alone)
{
	const struct claw_journal_self *self = &claw_journal_self;

	*ret_alone = self->block && self->slot < CLAW_METER_THREADS - 1;
	return &claw_own_meters.threads[*ret_alone ? self->slot :
					CLAW_METER_THREADS - 1];
}

static inline void claw_meter_bump(uint64_t *count, uint64_t more, bool alone)
{
	if (alone)
		__atomic_store_n(count, *count + more, __ATOMIC_RELAXED);
	else
		__atomic_fetch_add(count, more, __ATOMIC_RELAXED);
}

/* A call that is not timed: when it begins. claw_journal_count() was first. */
static inline void claw_meter_count(void)
{
	bool alone;
	struct claw_meter_thread *here = claw_meter_here(&alone);

	claw_meter_bump(&here->calls, 1, alone);
}

/* It ended with that code, the driver's. */
CLAW_HIDDEN void claw_meter_failed(cl_int code);
/* A query of an event has answered. */
CLAW_HIDDEN void claw_meter_asked(const void *const *args);

/* A call, whole: before all that is done for its sake, and after; err and ret
 * say what came of it. */
CLAW_HIDDEN void claw_meter_enter(struct claw_call *call);
CLAW_HIDDEN void claw_meter_leave(struct claw_call *call);

/* The same of a launch that nobody else has a struct claw_call for. */
static inline void claw_meter_enter_launch(struct claw_call *call,
					   const void *const *args)
{
	claw_call_begin(call, CLAW_API_clEnqueueNDRangeKernel, args);
	claw_meter_enter(call);
}

static inline void claw_meter_leave_launch(struct claw_call *call, cl_int err)
{
	call->err = err;
	claw_meter_leave(call);
}

/* One more of that kind; count: as many as took that long each. */
CLAW_HIDDEN void claw_meter_add_time(enum claw_meter_kind kind, uint64_t ticks,
				     uint64_t count, uint64_t bytes);
/* Bytes that a transfer or an allocation is about that has no parameter which
 * says so (meter_bytes.c). */
CLAW_HIDDEN uint64_t claw_meter_bytes(const struct claw_call *call);
/* clawIterationOPENCLAW (arm.c). */
CLAW_HIDDEN void claw_meter_iteration(bool right);

/* Objects, as the ledger has them, are counted from now on (meter_live.c). */
CLAW_HIDDEN void claw_meter_live_begin(void);

#endif
