/* SPDX-License-Identifier: Apache-2.0 */
/* A device that has become slow (the fault "throttle"). */
#ifndef CLAW_THROTTLE_H
#define CLAW_THROTTLE_H

#include "guest.h"

CLAW_HIDDEN void claw_throttle_reset(void);
/* This launch takes so many times as long. */
CLAW_HIDDEN void claw_throttle_launch(const struct claw_call *call,
				      unsigned int rule);
/* After the driver: who has waited for it waits on. */
CLAW_HIDDEN void claw_throttle_after(const struct claw_call *call);
CLAW_HIDDEN bool claw_throttle_is_on(void);

#endif
