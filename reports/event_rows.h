/* SPDX-License-Identifier: Apache-2.0 */
/* What happened in a soak, by kind: few rows, however many events there are. */
#ifndef CLAW_REPORT_EVENT_ROWS_H
#define CLAW_REPORT_EVENT_ROWS_H

#include "report.h"

enum { CLAW_REPORT_EVENT_KINDS = 24 };

struct claw_report_event_row {
	char *kind, *code, *last;	/* kind; code and text of the newest */
	bool injected;
	uint64_t count, first_ms, last_ms;
};

struct claw_report_events {
	struct claw_report_event_row rows[CLAW_REPORT_EVENT_KINDS];
	size_t count;
	uint64_t others;	/* of more kinds */
};

void claw_report_events_add(struct claw_report_events *events,
			    const struct claw_soak_event *event);
void claw_report_events_release(struct claw_report_events *events);

/* "Soak: 24:00:00, 1440 samples, started 2 times", and a line a kind; nothing
 * when the run is no soak. */
void claw_report_events_print(FILE *out, const struct claw_report_head *head,
			      const struct claw_report_events *events);
/* The same in Markdown. */
void claw_report_events_markdown(FILE *out, const struct claw_report_head *head,
				 const struct claw_report_events *events);

#endif
