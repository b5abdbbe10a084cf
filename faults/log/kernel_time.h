/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where CLW_LOG_LEVEL and CLW_GPU_TIMEOUT_MS are set: a line for each wait behind
 * a launch that has not returned after that time, written while it still waits:
 *
 *	[ERROR] clw-kernel-timeout: clFinish has not returned after 30.000s, and
 *		a launch was made before it
 *
 * (one line; " (INJECTED)" at its end where a fault holds it up). A thread of
 * its own looks at the waits; it is started by the first of them and ends when
 * there was none for as long as the limit.
 */
#ifndef CLAW_KERNEL_TIME_H
#define CLAW_KERNEL_TIME_H

#include "faults/call/guest.h"

/* In this process, or anew in a forked child; after claw_log_begin(). */
CLAW_HIDDEN void claw_kernel_time_begin(void);
CLAW_HIDDEN bool claw_kernel_time_watches(enum claw_api api);

/* Around the whole of a call; kernel_time.place is set. */
CLAW_HIDDEN void claw_kernel_time_before(struct claw_call *call);
/* Between them, when the call goes to the driver: faults have had their say. */
CLAW_HIDDEN void claw_kernel_time_real(struct claw_call *call);
CLAW_HIDDEN void claw_kernel_time_after(struct claw_call *call);

#endif
