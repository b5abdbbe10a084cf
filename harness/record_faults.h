/* SPDX-License-Identifier: Apache-2.0 */
/* "openclaw info --record-faults": what a real device does after a fault. */
#ifndef CLAW_RECORD_FAULTS_H
#define CLAW_RECORD_FAULTS_H

#include <stdio.h>

/*
 * Fault the first GPU (or the first device) in child processes, again and
 * again, and write a device model with what was seen: its name and its
 * failure section (doc/device-failure.md). What each run told goes to lines,
 * or nowhere when that is NULL.
 *
 * Returns 0, -CLAW_E_NOT_FOUND (the program for it), -CLAW_E_IO (nothing
 * could be recorded) or -CLAW_E_NO_MEMORY.
 */
int claw_record_faults(FILE *model, FILE *lines);

#endif
