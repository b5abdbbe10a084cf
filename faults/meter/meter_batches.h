/* SPDX-License-Identifier: Apache-2.0 */
/* Meters of launches until somebody waits for them: see meter.h. */
#ifndef CLAW_METER_BATCHES_H
#define CLAW_METER_BATCHES_H

#include "faults/call/guest.h"

CLAW_HIDDEN void claw_meter_batches_begin(void);
/* A launch was a success. */
CLAW_HIDDEN void claw_meter_launched(const struct claw_call *call);
/* A wait of its kind was over at that time: for all of a queue; for an event.
 * worked: they were no failures; else nothing is measured. */
CLAW_HIDDEN void claw_meter_waited(cl_command_queue queue, uint64_t ticks,
				   bool worked);
CLAW_HIDDEN void claw_meter_waited_event(cl_event event, uint64_t ticks,
					 bool worked);
CLAW_HIDDEN bool claw_meter_is_in_order(cl_command_queue queue);
CLAW_HIDDEN void claw_meter_queue_gone(uint64_t handle);

#endif
