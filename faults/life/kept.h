/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The guest keeps objects of the program's for a while: releases that are held
 * back, an event of each command, copies in its queues. The specification lets
 * some calls answer by what is alive; before those, all who keep something
 * give up what they can.
 */
#ifndef CLAW_KEPT_H
#define CLAW_KEPT_H

#include "faults/call/guest.h"

/* Can the answer of this call show what is kept? */
CLAW_HIDDEN bool claw_kept_shows(const struct claw_call *call);
/* Can that of any call of this function? */
CLAW_HIDDEN bool claw_kept_may_show(enum claw_api api);

#endif
