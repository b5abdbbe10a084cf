/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The block that tells of a crash on the device, on stderr, once a process and
 * where CLW_LOG_LEVEL is set:
 *
 *	[ERROR] OpenClaw Worker: clw-gpu-crash detected
 *	[ERROR]   Device: NVIDIA Tesla T4 (ID: 0)
 *	[ERROR]   Workload: matrix_multiply_v2.clw
 *	[ERROR]   Crash type: GPU_MEMORY_SEGFAULT
 *	[ERROR]   Context dump saved to: DIR, as crash_*.dmp, when ...
 *
 * the last line where the process is captured (own_session.h).
 *
 * A crash is taken for one when a wait, or a call that blocks, comes back with
 * a code that drivers give after a fault, and there was a launch before
 * (" (INJECTED)" where an injected fault or a device model gave the code); and
 * when a fatal signal that no handler waits for ends a thread that is the
 * driver's own after a launch: it made no OpenCL call, and no function of the
 * program is on its stack. The workload is
 * CLW_WORKLOAD, or the program. Of a case of a suite or a kernel file
 * (OPENCLAW_CASE_RESULT) openclaw tells itself, and this does not.
 *
 * In a session, a signal in a call that neither launches nor waits, in code
 * that is not the program's, is the driver's: "[ERROR] clw-driver-crash:
 * SIGSEGV in clBuildProgram".
 *
 * With CLW_GPU_DEBUG=1 (logging.gpu_debug), at level DEBUG, each launch is
 * told before it is given to the driver: the last one is who did it.
 */
#ifndef CLAW_CRASH_LOG_H
#define CLAW_CRASH_LOG_H

#include "faults/call/guest.h"

/* In this process, or anew in a forked child; after claw_log_begin(). */
CLAW_HIDDEN void claw_crash_log_begin(void);
CLAW_HIDDEN bool claw_crash_log_watches(enum claw_api api);

CLAW_HIDDEN void claw_crash_log_before(const struct claw_call *call);
/* Real results, and those that a fault or a model made of them. */
CLAW_HIDDEN void claw_crash_log_after(const struct claw_call *call);

/* A launch that an injected fault crashes. */
CLAW_HIDDEN void claw_crash_log_injected(const struct claw_call *call,
					 enum claw_crash_kind kind);
/* From the handler of a fatal signal that ends the process; site: where the
 * thread was; api: the call it was in, or CLAW_API_COUNT. */
CLAW_HIDDEN void claw_crash_log_signal(int number, unsigned int api,
				       const struct claw_site *site);

#endif
