/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A line with its diagnosis code, where CLW_LOG_LEVEL is set, for each fault
 * that fires, for what is found, and for a build that fails:
 *
 *	[ERROR] clw-pcie-error: clEnqueueReadBuffer failed with
 *		CL_OUT_OF_RESOURCES (-5) (INJECTED)
 *	[WARN] clw-thermal-throttle: throttle in clFinish (INJECTED)
 *	[ERROR] clw-buffer-overflow: write past the end, in clFinish
 *	[CLW INFO] clBuildProgram: success in 0.120s
 *
 * (the first is one line). WARN: the call goes on as without it. Memory, crashes
 * and losses of the device have lines of their own (memory_use.h, crash_log.h,
 * device_loss.c), which are not said twice. The first MAX_TOLD of a process are
 * told.
 */
#ifndef CLAW_FAULT_LOG_H
#define CLAW_FAULT_LOG_H

#include "faults/call/guest.h"
#include "faults/shared/found_format.h"

/* In this process, or anew in a forked child; after claw_log_begin(). */
CLAW_HIDDEN void claw_fault_log_begin(void);
CLAW_HIDDEN bool claw_fault_log_watches(enum claw_api api);

/* A build: before the driver, and when its result is final. */
CLAW_HIDDEN void claw_fault_log_before(struct claw_call *call);
CLAW_HIDDEN void claw_fault_log_after(const struct claw_call *call);

/* What is found for the first time. */
CLAW_HIDDEN void claw_fault_log_found(const struct claw_found_entry *found);

#endif
