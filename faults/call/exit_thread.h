/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls of the driver at the process's end. A handler of atexit() may make none:
 * what drivers keep for each thread, the ending thread's has been destroyed by
 * then (Oclgrind's heap breaks). Another thread has its own.
 */
#ifndef CLAW_EXIT_THREAD_H
#define CLAW_EXIT_THREAD_H

#include "guest.h"

/* Out of a handler of atexit(). False: there is no such thread, or it has not
 * come back for so long, and is left to itself. */
CLAW_HIDDEN bool claw_exit_thread_run(void (*work)(void), uint64_t patience_ns);

#endif
