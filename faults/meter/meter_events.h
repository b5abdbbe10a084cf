/* SPDX-License-Identifier: Apache-2.0 */
/* Meters of what becomes of events, as far as the program is told. */
#ifndef CLAW_METER_EVENTS_H
#define CLAW_METER_EVENTS_H

#include "faults/call/guest.h"

CLAW_HIDDEN void claw_meter_events_begin(void);
/* Its wait list, or what it waits for, has an event that openclaw ends. */
CLAW_HIDDEN bool claw_meter_waits_for_ours(const struct claw_call *call);
/* A wait for these was over; err is what it returned. */
CLAW_HIDDEN void claw_meter_events_waited(void *const *events, uint32_t count,
					  cl_int err, uint64_t ticks);

#endif
