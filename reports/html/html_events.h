/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What happened during a soak: by kind over time, and equal events once.
 */
#ifndef CLAW_HTML_EVENTS_H
#define CLAW_HTML_EVENTS_H

#include <jansson.h>
#include <stdint.h>
#include <stdio.h>

#include "harness/records/series.h"
#include "reports/report.h"

enum {
	CLAW_HTML_EVENT_ROWS = 500,	/* different ones, in the table */
	CLAW_HTML_EVENT_KINDS = 24,	/* lanes; others share the last one */
	CLAW_HTML_EVENT_MARKS = 400,	/* of a lane */
};

/* Those of a lane that are near each other are one. */
struct claw_html_mark {
	uint64_t t_ms, last_ms, count;
	uint64_t injected;		/* of count */
	char *text;			/* of the first */
};

struct claw_html_lane {
	char kind[24];
	struct claw_html_mark *marks;
	size_t count;
	uint64_t width_ms;
	uint64_t events;
};

struct claw_html_event_row {
	char *kind, *code, *text, *signature, *path;	/* of the first */
	char *last_path;
	bool injected;
	uint64_t first_ms, last_ms, count;
};

struct claw_html_events {
	struct claw_html_lane lanes[CLAW_HTML_EVENT_KINDS];
	size_t lane_count;
	struct claw_html_event_row *rows;
	size_t row_count;
	json_t *index;			/* what makes them equal, to a row */
	uint64_t left_out;		/* events without a row */
	uint64_t last_ms;
};

void claw_html_events_add(struct claw_html_events *events,
			  const struct claw_soak_event *event);
void claw_html_events_release(struct claw_html_events *events);
/* The table. */
void claw_html_put_events(FILE *out, const struct claw_report_head *head,
			  const struct claw_html_events *events);

#endif
