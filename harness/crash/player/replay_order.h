/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The order in which one thread does what several did. Calls come in the order
 * in which they were entered, but for those that wait: they come when they
 * returned, because what they waited for may have been done in between, and
 * those that never returned come last.
 */
#ifndef CLAW_REPLAY_ORDER_H
#define CLAW_REPLAY_ORDER_H

#include "harness/crash/trace/trace.h"

/* Indices of all calls, malloced. */
uint32_t *claw_replay_order(const struct claw_trace *trace);

/* Does it wait for commands? */
bool claw_replay_waits(const struct claw_trace_call *call);

#endif
