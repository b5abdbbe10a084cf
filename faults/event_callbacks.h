/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Callbacks of events: when the driver calls one, the program learns that a
 * command is complete. A function of ours stands before the program's.
 */
#ifndef CLAW_EVENT_CALLBACKS_H
#define CLAW_EVENT_CALLBACKS_H

#include "guest.h"

CLAW_HIDDEN void claw_event_callbacks_begin(void);
/* clSetEventCallback, before the driver: puts ours in place of the program's.
 * False: there is no room, and it stays. Takes no lock of commands. */
CLAW_HIDDEN bool claw_event_callbacks_wrap(struct claw_call *call);
/* After the driver: a failure calls nothing. */
CLAW_HIDDEN void claw_event_callbacks_end(struct claw_call *call);

/* commands.c: the program is about to be told by a callback. */
CLAW_HIDDEN void claw_commands_told(cl_event event);
/* guards.c: the same. */
CLAW_HIDDEN void claw_guards_told(void);

#endif
