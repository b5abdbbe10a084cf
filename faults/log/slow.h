/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The time that memory takes (CLW_MEM_TIMEOUT_MS), of any program, with faults
 * or without: creations, transfers, maps, and the launch that is the first one
 * after a creation, because some drivers take memory only then. A call that
 * really takes as long as the limit is told of, in the journal (CLAW_REC_SLOW)
 * and on stderr (log.h), and not changed; only a delay that was injected fails.
 *
 * Time spent waiting for earlier commands is not memory's. What is known:
 *
 * - A creation waits for no command: all of its time is memory's.
 * - A command without a wait list, when nothing was in any queue: all of its
 *   time is memory's. That is known when no command was enqueued before; and
 *   when this thread enqueued all of them, and all of them were blocking
 *   transfers that came back, or the process has made one queue only and
 *   clFinish (or a blocking transfer, in order) came back since.
 * - A blocking one with an event, on a queue with profiling: the time between
 *   its start and its end, as the driver has it.
 * - Of any other it is not known, which is what is recorded then
 *   (CLAW_REC_UNSURE); that is no clw-memory-timeout. Of one that does not
 *   block, and of a launch, only the call's own time counts: what the device
 *   does later is not seen.
 *
 * Times are taken from the coarse clock, which is some milliseconds off. A call
 * below the limit costs two readings of it and a note of this thread's; whatever
 * else there is to know is found out when a call was slow.
 */
#ifndef CLAW_SLOW_H
#define CLAW_SLOW_H

#include <time.h>

#include "faults/call/guest.h"

/* What this thread has enqueued: any of these bits that is set may still be in
 * a queue. Of one queue: those since the last wait. */
enum claw_slow_pending {
	CLAW_SLOW_EVER = 1 << 0,	/* but for what blocked and came back */
	CLAW_SLOW_SINCE_FINISH = 1 << 1,
	CLAW_SLOW_SINCE_WAIT = 1 << 2,	/* clFinish or a blocking transfer */
	CLAW_SLOW_ALL = CLAW_SLOW_EVER | CLAW_SLOW_SINCE_FINISH |
			CLAW_SLOW_SINCE_WAIT,
};
extern __thread uint8_t claw_slow_pending
	__attribute__((tls_model(CLAW_TLS_MODEL), visibility("hidden")));

/* A command goes to the driver. */
static inline void claw_slow_enqueues(void)
{
	claw_slow_pending = CLAW_SLOW_ALL;
}

/* clFinish has come back, a success. */
static inline void claw_slow_finished(void)
{
	claw_slow_pending &= CLAW_SLOW_EVER;
}

/* A blocking transfer has. pending: what was before it. */
static inline void claw_slow_waited(uint8_t pending)
{
	claw_slow_pending = pending & (uint8_t)~CLAW_SLOW_SINCE_WAIT;
}

static inline uint64_t claw_slow_now_ns(void)
{
	struct timespec now;

#ifdef CLOCK_MONOTONIC_COARSE
	if (__builtin_expect(clock_gettime(CLOCK_MONOTONIC_COARSE, &now) == 0,
			     1))
		return (uint64_t)now.tv_sec * 1000000000u +
		       (uint64_t)now.tv_nsec;
#endif
	(void)now;
	return claw_now_ns();
}

/* In this process, or anew in a forked child. */
CLAW_HIDDEN void claw_slow_begin_process(void);

/* Is its next call? Launches only after a creation: they go the way TIMED then,
 * if it would be the way SHORT. */
extern bool claw_slow_watched[CLAW_API_COUNT] CLAW_HIDDEN;
static inline bool claw_slow_watches(enum claw_api api)
{
	return __atomic_load_n(&claw_slow_watched[api], __ATOMIC_RELAXED);
}

/* The first launch after a creation may be its memory's first use. */
CLAW_HIDDEN void claw_slow_watch_launches(bool on);
static inline void claw_slow_created(void)
{
	if (!claw_slow_watches(CLAW_API_clEnqueueNDRangeKernel))
		claw_slow_watch_launches(true);
}

/* A call that took as long as the limit, or longer; pending: what was before
 * it. Of the call, api, args, ret and err are read. */
CLAW_HIDDEN __attribute__((cold)) void
claw_slow_late(const struct claw_call *call, uint64_t ns, uint8_t pending);

/* The long way: just before the driver is called, and just after. Of the call,
 * api and args are read, and afterwards ret and err; slow_* are set. */
CLAW_HIDDEN void claw_slow_begin(struct claw_call *call);
CLAW_HIDDEN void claw_slow_end(struct claw_call *call);

/* Is a delay of this call that is injected over the limit? */
CLAW_HIDDEN bool claw_slow_is_timeout(enum claw_api api, uint64_t delay_ns);
/* The call has been given up after the limit: tell of it. */
CLAW_HIDDEN void claw_slow_given_up(const struct claw_call *call);

#endif
