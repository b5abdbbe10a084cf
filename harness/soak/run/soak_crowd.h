/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the rest of a machine has to do with a program that slows down: threads
 * that wait for a processor, and other programs that keep the processors busy.
 */
#ifndef CLAW_SOAK_CROWD_H
#define CLAW_SOAK_CROWD_H

#include "soak_evidence.h"

/* A rate or a latency at the end, as if the processors had been as crowded as at
 * first: what the program's threads waited more, for each second that they
 * computed, is left out, and all of it is taken to have been in the way. */
double claw_soak_crowd_correct(const struct claw_soak_evidence *evidence,
			       bool is_rate, double value);

/* Did the machine have clearly more or less of other work at the end? Then
 * words say so. On a virtual one less makes calls slower, too: an idle processor
 * takes long to wake up. */
bool claw_soak_crowd_changed(const struct claw_soak_evidence *evidence,
			     char *words, size_t size);

#endif
