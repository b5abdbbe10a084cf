/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The worker of each device, from the side of the program that has it: a
 * process that is started when it is needed, used again, and ended when it
 * failed.
 */
#ifndef CLW_WORKER_H
#define CLW_WORKER_H

#include "wire.h"

#pragma GCC visibility push(hidden)

/*
 * Give the device's worker a message and wait for what it comes to. One at a
 * time for each device.
 *
 * what:	"workload NAME", for messages.
 * timeout_ns:	0: none. When it is over the worker is ended.
 * reply:	cleared by the caller; its status is read already.
 *
 * Returns the status that the worker sent, or why there is none:
 * CLW_GPU_CRASH, CLW_DRIVER_CRASH, CLW_WORKER_LOST, CLW_KERNEL_TIMEOUT. The
 * thread's error is set. After any of these, and after one that means that the
 * device is lost, the worker is gone.
 */
int clw_worker_ask(int device, enum clw_message type,
		   const struct clw_wire *wire, uint64_t timeout_ns,
		   const char *what, struct clw_wire *reply);
/* End it; the next message starts another. */
void clw_worker_end(int device);
/* May the same work in a new worker? */
bool clw_worker_may_help(int status);

#pragma GCC visibility pop

#endif
