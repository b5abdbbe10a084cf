/* SPDX-License-Identifier: Apache-2.0 */
/* A device that has become slow (the fault "throttle"). */
#ifndef CLAW_THROTTLE_H
#define CLAW_THROTTLE_H

#include "faults/call/guest.h"

CLAW_HIDDEN void claw_throttle_reset(void);
/* The driver has this launch, and its event is there: it is to take so many
 * times as long. record: what is written then. */
CLAW_HIDDEN void
claw_throttle_launched(const struct claw_call *call, unsigned int rule,
		       const struct claw_journal_record *record);
/* Around the driver: who has waited for it waits on, and the rule has fired. */
CLAW_HIDDEN void claw_throttle_before(struct claw_call *call);
CLAW_HIDDEN void claw_throttle_after(const struct claw_call *call);
CLAW_HIDDEN bool claw_throttle_is_on(void);

#endif
