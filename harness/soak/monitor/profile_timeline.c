/* SPDX-License-Identifier: Apache-2.0 */
/* A chart of rows of characters. */
#include "config.h"

#include <math.h>

#include "profile_timeline.h"
#include "harness/records/series.h"

enum { ROWS = 8, WIDTH = 60 };

void claw_timeline_init(struct claw_timeline *timeline, double step_ms)
{
	*timeline = (struct claw_timeline){ .step_ms = step_ms };
}

static void halve(struct claw_timeline *timeline)
{
	for (size_t i = 0; i < CLAW_TIMELINE_POINTS / 2; i++)
		timeline->values[i] = fmax(timeline->values[2 * i],
					   timeline->values[2 * i + 1]);
	timeline->count = CLAW_TIMELINE_POINTS / 2;
	timeline->step_ms *= 2;
}

void claw_timeline_add(struct claw_timeline *timeline, double t_ms, double value)
{
	double last;
	size_t at;

	if (isnan(value))
		return;
	if (!timeline->count)
		timeline->first_ms = t_ms;
	at = (size_t)((t_ms - timeline->first_ms) / timeline->step_ms);
	while (at >= CLAW_TIMELINE_POINTS) {
		/* Gaps are as what was before them. */
		last = timeline->values[timeline->count - 1];
		while (timeline->count < CLAW_TIMELINE_POINTS)
			timeline->values[timeline->count++] = last;
		halve(timeline);
		at = (size_t)((t_ms - timeline->first_ms) / timeline->step_ms);
	}
	while (timeline->count <= at) {
		timeline->values[timeline->count] = timeline->count ?
			timeline->values[timeline->count - 1] : value;
		timeline->count++;
	}
	timeline->values[at] = fmax(timeline->values[at], value);
	timeline->last_ms = t_ms;
}

/* Column of WIDTH: the highest of the points in it. */
static double column_of(const struct claw_timeline *timeline, size_t column,
			size_t width)
{
	size_t from = column * timeline->count / width;
	size_t to = (column + 1) * timeline->count / width;
	double most = timeline->values[from];

	for (size_t i = from; i < to; i++)
		most = fmax(most, timeline->values[i]);
	return most;
}

void claw_timeline_print(FILE *out, const char *title,
			 const struct claw_timeline *timeline, uint64_t peak)
{
	size_t width = timeline->count < WIDTH ? timeline->count : WIDTH;
	double most = 0, seconds = (timeline->last_ms - timeline->first_ms) /
		1e3;
	char label[64];

	if (timeline->count < 2)
		return;
	for (size_t i = 0; i < timeline->count; i++)
		most = fmax(most, timeline->values[i]);
	if (most <= 0)
		return;
	fprintf(out, "%s\n", title);
	for (int row = ROWS; row > 0; row--) {
		claw_series_print(label, sizeof(label), CLAW_UNIT_BYTES,
				  most * row / ROWS);
		fprintf(out, "  %10s |", row == ROWS || row == ROWS / 2 ?
			label : "");
		for (size_t i = 0; i < width; i++)
			fputc(column_of(timeline, i, width) >
			      most * (row - 0.5) / ROWS ? '#' : ' ', out);
		fputc('\n', out);
	}
	fprintf(out, "  %10s +", "");
	for (size_t i = 0; i < width; i++)
		fputc('-', out);
	/* Apart, however narrow it is. */
	fprintf(out, "\n  %10s  0 %*s\n", "", (int)width - 2,
		(snprintf(label, sizeof(label), "%.3g s", seconds), label));
	if ((double)peak <= most)
		return;
	claw_series_print(label, sizeof(label), CLAW_UNIT_BYTES, (double)peak);
	fprintf(out, "  no sample saw the peak of %s\n", label);
}
