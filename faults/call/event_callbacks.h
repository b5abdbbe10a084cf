/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Callbacks of events: when the driver calls one, the program learns that a
 * command is complete. A function of ours stands before the program's.
 */
#ifndef CLAW_EVENT_CALLBACKS_H
#define CLAW_EVENT_CALLBACKS_H

#include "guest.h"

/* Who is told of a status before the program is; in a forked child, again. */
typedef void claw_event_told(cl_event event, cl_int status);
CLAW_HIDDEN void claw_event_callbacks_begin(claw_event_told *told);
/* clSetEventCallback, before the driver: puts ours in place of the program's,
 * if nobody has. False: there is no room, and it stays. Takes no lock of
 * commands. */
CLAW_HIDDEN bool claw_event_callbacks_wrap(struct claw_call *call);
/* After the driver: a failure calls nothing. */
CLAW_HIDDEN void claw_event_callbacks_end(struct claw_call *call);

#endif
