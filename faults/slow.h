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
 * - A command whose queue was idle when it was called, and that has no wait
 *   list: all of its time is memory's. A queue is known to be idle when no
 *   command was enqueued anywhere in this process since the last clFinish or
 *   blocking transfer on it came back (in order), or none at all.
 * - A blocking one with an event, on a queue with profiling: the time between
 *   its start and its end, as the driver has it.
 * - Of any other it is not known, which is what is recorded then
 *   (CLAW_REC_UNSURE); that is no clw-memory-timeout. Of one that does not
 *   block, and of a launch, only the call's own time counts: what the device
 *   does later is not seen.
 *
 * Times are taken from the coarse clock, which is some milliseconds off.
 */
#ifndef CLAW_SLOW_H
#define CLAW_SLOW_H

#include "guest.h"

/* In this process, or anew in a forked child. */
CLAW_HIDDEN void claw_slow_begin_process(void);

/* May this function ever be looked at? */
CLAW_HIDDEN bool claw_slow_may_watch(enum claw_api api);
/* Is its next call? Launches only after a creation. */
extern bool claw_slow_watched[CLAW_API_COUNT] CLAW_HIDDEN;
static inline bool claw_slow_watches(enum claw_api api)
{
	return __atomic_load_n(&claw_slow_watched[api], __ATOMIC_RELAXED);
}

/* Just before the driver is called, and just after. Of the call, api and args
 * are read, and afterwards ret and err; slow_* are set. */
CLAW_HIDDEN void claw_slow_begin(struct claw_call *call);
CLAW_HIDDEN void claw_slow_end(struct claw_call *call);

/* Is a delay of this call that is injected over the limit? */
CLAW_HIDDEN bool claw_slow_is_timeout(enum claw_api api, uint64_t delay_ns);
/* The call has been given up after the limit: tell of it. */
CLAW_HIDDEN void claw_slow_given_up(const struct claw_call *call);

#endif
