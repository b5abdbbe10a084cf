/* SPDX-License-Identifier: Apache-2.0 */
/* What happened in a soak, by kind, for people. */
#include "config.h"

#include "event_rows.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/errors.h"
#include "harness/base/memory.h"

static struct claw_report_event_row *
find_row(struct claw_report_events *events, const struct claw_soak_event *event)
{
	for (size_t i = 0; i < events->count; i++)
		if (events->rows[i].injected == event->injected &&
		    strcmp(events->rows[i].kind, event->kind) == 0)
			return &events->rows[i];
	return NULL;
}

static void replace(char **text, const char *with)
{
	free(*text);
	*text = claw_strdup_or_null(with);
}

void claw_report_events_add(struct claw_report_events *events,
			    const struct claw_soak_event *event)
{
	struct claw_report_event_row *row = find_row(events, event);

	if (!row && events->count == CLAW_REPORT_EVENT_KINDS) {
		events->others += event->count;
		return;
	}
	if (!row) {
		row = &events->rows[events->count];
		*row = (struct claw_report_event_row){
			.injected = event->injected, .first_ms = event->t_ms };
		replace(&row->kind, event->kind);
		events->count++;
	}
	row->count += event->count;
	row->last_ms = event->t_ms;
	replace(&row->last, event->text);
	replace(&row->code, event->code);
}

void claw_report_events_release(struct claw_report_events *events)
{
	for (size_t i = 0; i < events->count; i++) {
		free(events->rows[i].kind);
		free(events->rows[i].code);
		free(events->rows[i].last);
	}
	*events = (struct claw_report_events){ .count = 0 };
}

static void put_lengths(FILE *out, const struct claw_report_head *head)
{
	char span[48];

	claw_report_span(span, sizeof(span), head->soak_ms);
	fprintf(out, "%s, %" PRIu64 " sample%s", span, head->sample_count,
		head->sample_count == 1 ? "" : "s");
	if (head->segment_count > 1)
		fprintf(out, ", in %" PRIu64 " parts", head->segment_count);
}

/* "first 00:01:00, last 02:00:00"; "at 00:01:00". */
static void put_times(FILE *out, const struct claw_report_event_row *row)
{
	char first[48], last[48];

	claw_report_span(first, sizeof(first), row->first_ms);
	claw_report_span(last, sizeof(last), row->last_ms);
	if (row->first_ms == row->last_ms)
		fprintf(out, "at %s", first);
	else
		fprintf(out, "first %s, last %s", first, last);
}

void claw_report_events_print(FILE *out, const struct claw_report_head *head,
			      const struct claw_report_events *events)
{
	if (head->segment_count == 0)
		return;
	fputs("Soak: ", out);
	put_lengths(out, head);
	fputc('\n', out);
	for (size_t i = 0; i < events->count; i++) {
		const struct claw_report_event_row *row = &events->rows[i];

		fprintf(out, "  %6" PRIu64 " x ", row->count);
		claw_report_put(out, row->kind);
		fputs(row->injected ? " (injected), " : ", ", out);
		put_times(out, row);
		fputs(": ", out);
		claw_report_put(out, row->last ? row->last : "");
		if (row->code) {
			fputs(" [", out);
			claw_report_put(out, row->code);
			fputc(']', out);
		}
		fputc('\n', out);
	}
	if (events->others > 0)
		fprintf(out, "  %6" PRIu64 " x of other kinds\n",
			events->others);
}

void claw_report_events_markdown(FILE *out, const struct claw_report_head *head,
				 const struct claw_report_events *events)
{
	if (head->segment_count == 0)
		return;
	fputs("\nIt ran for ", out);
	put_lengths(out, head);
	fputs(".\n", out);
	if (events->count > 0)
		fputs("\n## What happened\n\n| | times | when | last |\n"
		      "| --- | --- | --- | --- |\n", out);
	for (size_t i = 0; i < events->count; i++) {
		const struct claw_report_event_row *row = &events->rows[i];

		fputs("| ", out);
		claw_report_put_markdown(out, row->kind);
		fprintf(out, "%s | %" PRIu64 " | ",
			row->injected ? " (injected)" : "", row->count);
		put_times(out, row);
		fputs(" | ", out);
		claw_report_put_markdown(out, row->last ? row->last : "");
		fputs(" |\n", out);
	}
	if (events->others > 0)
		fprintf(out, "| others | %" PRIu64 " | | |\n", events->others);
}
