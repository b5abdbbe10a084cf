/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rates and latencies of a crowded machine: its last third against its first.
 */
#include "config.h"

#include <math.h>
#include <stdio.h>

#include "soak_crowd.h"

/* Of an interval, that is given to more waiting. */
static const double MOST_WAITING = 0.95;
/* Percents of all processors: such a change of other programs counts, unless
 * there is nothing left to take. */
static const double CHANGE = 15, FULL = 90;

/* After the warm-up. */
enum third { FIRST, LAST };

static double mean_of(const struct claw_soak_evidence *evidence,
		      enum claw_series_id id, enum third third)
{
	size_t warm_up = evidence->count / CLAW_TREND_WARM_UP;
	size_t size = (evidence->count - warm_up) / 3, count = 0;
	size_t from = third == FIRST ? warm_up : evidence->count - size;
	double sum = 0;

	for (size_t i = from; i < from + size; i++)
		if (!isnan(evidence->values[i][id])) {
			sum += evidence->values[i][id];
			count++;
		}
	return count ? sum / (double)count : NAN;
}

/* The part of the last third's time that it waited because processors were more
 * crowded: a program that computes more waits more, and that is its own doing. That
 * is so of a rate; a call may have had all that is waited at last. */
static double part_waited(const struct claw_soak_evidence *evidence,
			  bool is_rate)
{
	double cpu = mean_of(evidence, CLAW_SERIES_CPU, FIRST);
	double wait = mean_of(evidence, CLAW_SERIES_CPU_WAIT, FIRST);
	double own = !is_rate ? 0 : cpu > 0 ? wait / cpu *
		mean_of(evidence, CLAW_SERIES_CPU, LAST) : wait;
	double more = mean_of(evidence, CLAW_SERIES_CPU_WAIT, LAST) - own;

	/* Of a NAN fmax() takes the other. */
	return fmin(fmax(more / 100, 0), MOST_WAITING);
}

double claw_soak_crowd_correct(const struct claw_soak_evidence *evidence,
			       bool is_rate, double value)
{
	double launches = mean_of(evidence, CLAW_SERIES_LAUNCH_RATE, LAST);
	double part = part_waited(evidence, is_rate);

	if (is_rate)
		return value / (1 - part);
	/* Calls may have had all of it: milliseconds of each. */
	return value - fmax(value * part, launches > 0 ?
			    part * 1000 / launches : 0);
}

/* All processors' part that this program and all others have. */
static double busy(const struct claw_soak_evidence *evidence, double others,
		   enum third third)
{
	return others + mean_of(evidence, CLAW_SERIES_CPU, third) /
		evidence->limits->processors;
}

bool claw_soak_crowd_changed(const struct claw_soak_evidence *evidence,
			     char *words, size_t size)
{
	double first = mean_of(evidence, CLAW_SERIES_MACHINE_LOAD, FIRST);
	double last = mean_of(evidence, CLAW_SERIES_MACHINE_LOAD, LAST);

	/* With a NAN it is false. */
	if (!(fabs(last - first) > CHANGE))
		return false;
	if (busy(evidence, first, FIRST) > FULL &&
	    busy(evidence, last, LAST) > FULL)
		return false;
	snprintf(words, size, "other programs used %.0f %% of the processors "
		 "at first and %.0f %% at last, which may be the cause; "
		 "repeat on a quiet machine", first, last);
	return true;
}
