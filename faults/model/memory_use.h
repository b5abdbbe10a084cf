/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How much memory this process has on its devices, for the lines of
 * CLW_LOG_LEVEL, and the limits of openclaw.yaml's "memory":
 *
 *	CLW_MAX_ALLOCATION_MB	all that may be taken of a device
 *	CLW_RESERVE_MB		what is left free of its global memory
 *	CLW_PAGING		1: what is over them is let through, and said
 *
 * An allocation over a limit fails as it does without memory (INJECTED).
 *
 * What is counted: live buffers, images and pipes with the size that the
 * driver says they have, on the first device of their context; not
 * sub-buffers, images over buffers, SVM and USM, other processes, nor what a
 * driver keeps after a release. "Free" is the device's global memory less that;
 * with a device model (model.h) the model's own account is told.
 */
#ifndef CLAW_MEMORY_USE_H
#define CLAW_MEMORY_USE_H

#include "faults/call/guest.h"

/* In this process, or anew in a forked child; after claw_log_begin(). */
CLAW_HIDDEN void claw_memory_begin_process(void);

/* Is there something to say or to limit about this function? */
CLAW_HIDDEN bool claw_memory_watches(enum claw_api api);

/* Before the driver: may answer the call. After it, or in place of it. */
CLAW_HIDDEN void claw_memory_before(struct claw_call *call);
CLAW_HIDDEN void claw_memory_after(struct claw_call *call);

#endif
