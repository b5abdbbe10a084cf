/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the meters of calls share. */
#ifndef CLAW_METER_CALLS_H
#define CLAW_METER_CALLS_H

#include "faults/call/guest.h"

CLAW_HIDDEN void claw_meter_calls_begin(void);

/* Instead of the driver, openclaw answered with that code (meter.c). */
CLAW_HIDDEN void claw_meter_answered(cl_int code);
/* An event's status that is no event of openclaw's (meter.c). */
CLAW_HIDDEN void claw_meter_event_failed(cl_int status);

#endif
