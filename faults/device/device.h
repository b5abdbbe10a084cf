/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lasting effects of a fault: lost devices, commands that hang, programs that
 * could not be built.
 */
#ifndef CLAW_DEVICE_H
#define CLAW_DEVICE_H

#include "faults/call/guest.h"

CLAW_HIDDEN void claw_device_reset(void);
/* The devices of the call are gone from now on. */
CLAW_HIDDEN void claw_device_lose(struct claw_call *call,
				  unsigned int rule_index);
/* The launch or call never completes. */
CLAW_HIDDEN void claw_device_hang(struct claw_call *call,
				  unsigned int rule_index);
/* The build fails. */
CLAW_HIDDEN void claw_device_fail_build(struct claw_call *call,
					unsigned int rule_index);
/* Answer the call if it meets a lost device, a hung queue or a program
 * whose build was made to fail. */
CLAW_HIDDEN bool claw_device_check(struct claw_call *call);
/* Mend what the driver answered to a query about those. */
CLAW_HIDDEN void claw_device_patch(struct claw_call *call);
/* A new object may stand where an old one was. */
CLAW_HIDDEN void claw_device_created(const struct claw_call *call);

#endif
