/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a hidden command tells the one that started it: JSON Lines on standard
 * output, each flushed at once, so that what was learned before a driver
 * crashed is not lost.
 */
#ifndef CLAW_ANSWERS_H
#define CLAW_ANSWERS_H

#include <jansson.h>
#include <stddef.h>

/* From now on what a driver prints goes to standard error, and answers to
 * what was standard output. Dies where that cannot be done. */
void claw_answers_begin(void);

/* One line; object is taken over. */
void claw_answer(json_t *object);

/* How the stage begins in which a device is asked. */
#define CLAW_STAGE_DEVICE "asking device"
/* "stage": what is tried next. */
void claw_answer_stage(const char *text);

/* A driver's text may be anything, JSON is UTF-8: where bytes are not, those
 * that are not ASCII become '?', in place. */
json_t *claw_answer_text(char *bytes, size_t size);

#endif
