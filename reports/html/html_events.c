/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Events of a soak: lanes for the time axis, rows for the table.
 */
#include "config.h"

#include "html_events.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/errors.h"
#include "html.h"
#include "harness/base/memory.h"

enum { MARK_TEXT = 160 };

/* ---- lanes ------------------------------------------------------------ */

static struct claw_html_lane *find_lane(struct claw_html_events *events,
					const char *kind)
{
	struct claw_html_lane *lane;

	for (size_t i = 0; i < events->lane_count; i++)
		if (strncmp(events->lanes[i].kind, kind,
			    sizeof(events->lanes[i].kind) - 1) == 0)
			return &events->lanes[i];
	if (events->lane_count == CLAW_HTML_EVENT_KINDS)
		return &events->lanes[CLAW_HTML_EVENT_KINDS - 1];
	lane = &events->lanes[events->lane_count];
	snprintf(lane->kind, sizeof(lane->kind), "%s",
		 events->lane_count == CLAW_HTML_EVENT_KINDS - 1 ? "others" :
		 kind);
	lane->marks = claw_calloc(CLAW_HTML_EVENT_MARKS, sizeof(*lane->marks));
	lane->width_ms = 1;
	events->lane_count++;
	return lane;
}

static void widen(struct claw_html_lane *lane)
{
	size_t kept = 0;

	lane->width_ms *= 2;
	for (size_t i = 0; i < lane->count; i++) {
		struct claw_html_mark *one = &lane->marks[i];
		struct claw_html_mark *last = kept ? &lane->marks[kept - 1] :
					      NULL;

		if (last && last->t_ms / lane->width_ms ==
		    one->t_ms / lane->width_ms) {
			last->last_ms = one->last_ms;
			last->count += one->count;
			last->injected += one->injected;
			free(one->text);
		} else {
			lane->marks[kept++] = *one;
		}
	}
	lane->count = kept;
}

static void add_mark(struct claw_html_lane *lane,
		     const struct claw_soak_event *event, uint64_t count)
{
	struct claw_html_mark *last = lane->count ?
		&lane->marks[lane->count - 1] : NULL;

	lane->events += count;
	while (lane->count == CLAW_HTML_EVENT_MARKS && last->t_ms /
	       lane->width_ms != event->t_ms / lane->width_ms) {
		widen(lane);
		last = &lane->marks[lane->count - 1];
	}
	if (last && last->t_ms / lane->width_ms >=
	    event->t_ms / lane->width_ms) {
		last->last_ms = event->t_ms > last->last_ms ? event->t_ms :
				last->last_ms;
		last->count += count;
		last->injected += event->injected ? count : 0;
		return;
	}
	lane->marks[lane->count++] = (struct claw_html_mark){
		.t_ms = event->t_ms, .last_ms = event->t_ms, .count = count,
		.injected = event->injected ? count : 0,
		.text = claw_strndup(event->text ? event->text : "", MARK_TEXT),
	};
}

/* ---- rows ------------------------------------------------------------- */

static char *copy(const char *text)
{
	return text ? claw_strndup(text, 2 * CLAW_HTML_WORD) : NULL;
}

static void add_row(struct claw_html_events *events, const char *key,
		    const struct claw_soak_event *event, uint64_t count)
{
	struct claw_html_event_row *rows = claw_grow(events->rows,
						     events->row_count + 1,
						     sizeof(*rows));

	events->rows = rows;
	rows[events->row_count++] = (struct claw_html_event_row){
		.kind = copy(event->kind), .code = copy(event->code),
		.text = copy(event->text), .signature = copy(event->signature),
		.path = copy(event->path), .injected = event->injected,
		.first_ms = event->t_ms, .last_ms = event->t_ms,
		.count = count,
	};
	if (json_object_set_new_nocheck(events->index, key,
			json_integer((json_int_t)events->row_count)) < 0)
		claw_made(NULL);
}

static void add_again(struct claw_html_event_row *row,
		      const struct claw_soak_event *event, uint64_t count)
{
	row->count += count;
	row->last_ms = event->t_ms;
	if (!event->path)
		return;
	free(row->last_path);
	row->last_path = copy(event->path);
}

/* Of a crash the signature says that it is the same, of others the text. */
static char *make_key(const struct claw_soak_event *event)
{
	return claw_format("%.60s|%.60s|%d|%c|%.400s",
			   event->kind ? event->kind : "",
			   event->code ? event->code : "", event->injected,
			   event->signature ? 's' : 't',
			   event->signature ? event->signature :
			   event->text	    ? event->text :
					      "");
}

void claw_html_events_add(struct claw_html_events *events,
			  const struct claw_soak_event *event)
{
	uint64_t count = event->count ? event->count : 1;
	struct claw_html_lane *lane = find_lane(events, event->kind ?
						event->kind : "note");
	char *key = make_key(event);
	json_t *number;

	if (!events->index)
		events->index = claw_made(json_object());
	if (event->t_ms > events->last_ms)
		events->last_ms = event->t_ms;
	add_mark(lane, event, count);
	number = json_object_get(events->index, key);
	if (number)
		add_again(&events->rows[json_integer_value(number) - 1], event,
			  count);
	else if (events->row_count >= CLAW_HTML_EVENT_ROWS)
		events->left_out += count;
	else
		add_row(events, key, event, count);
	free(key);
}

void claw_html_events_release(struct claw_html_events *events)
{
	for (size_t i = 0; i < events->lane_count; i++) {
		for (size_t j = 0; j < events->lanes[i].count; j++)
			free(events->lanes[i].marks[j].text);
		free(events->lanes[i].marks);
	}
	for (size_t i = 0; i < events->row_count; i++) {
		struct claw_html_event_row *row = &events->rows[i];

		free(row->kind);
		free(row->code);
		free(row->text);
		free(row->signature);
		free(row->path);
		free(row->last_path);
	}
	free(events->rows);
	json_decref(events->index);
}

/* ---- the table -------------------------------------------------------- */

static void put_path(FILE *out, const struct claw_report_head *head,
		     const char *path, const char *name)
{
	/* Only what is below the run's directory. */
	if (!path || *path == '/' || strstr(path, ".."))
		return;
	fputs(" <a href=\"", out);
	claw_html_address(out, head->link_base, path);
	fprintf(out, "\">%s</a>", name);
}

static void put_row(FILE *out, const struct claw_report_head *head,
		    const struct claw_html_event_row *row)
{
	char text[64];

	fputs("<tr><td class=\"num\">", out);
	claw_html_time(text, sizeof(text), row->first_ms);
	fputs(text, out);
	fputs("</td><td class=\"num\">", out);
	claw_html_time(text, sizeof(text), row->last_ms);
	fprintf(out, "%s</td><td class=\"num\">%" PRIu64 "</td><th scope="
		"\"row\">", row->count > 1 ? text : "", row->count);
	claw_html_text(out, row->kind);
	fputs("</th><td>", out);
	if (row->code) {
		fputs("<code>", out);
		claw_html_text(out, row->code);
		fputs("</code> ", out);
	}
	claw_html_text(out, row->text);
	fputs(row->injected ? " <b class=\"injected\">(INJECTED)</b>" : "",
	      out);
	if (row->signature) {
		fputs(" <span class=\"seen\">", out);
		claw_html_text(out, row->signature);
		fputs("</span>", out);
	}
	put_path(out, head, row->path, row->last_path ? "first" : "file");
	put_path(out, head, row->last_path, "newest");
	fputs("</td></tr>\n", out);
}

void claw_html_put_events(FILE *out, const struct claw_report_head *head,
			  const struct claw_html_events *events)
{
	if (events->row_count == 0)
		return;
	fputs("<div class=\"wide\" tabindex=\"0\" role=\"region\" "
	      "aria-labelledby=\"events-title\"><table>\n<thead><tr><th scope="
	      "\"col\" class=\"num\">First</th><th scope=\"col\" class=\"num\">"
	      "Last</th><th scope=\"col\" class=\"num\">Times</th><th scope="
	      "\"col\">Kind</th><th scope=\"col\">What</th></tr></thead>\n"
	      "<tbody>\n", out);
	for (size_t i = 0; i < events->row_count; i++)
		put_row(out, head, &events->rows[i]);
	fputs("</tbody></table></div>\n", out);
	if (events->left_out > 0) {
		fprintf(out, "<p class=\"cut\">%" PRIu64 " more events are "
			"omitted from this table; see <a href=\"",
			events->left_out);
		claw_html_address(out, head->link_base, "records.jsonl");
		fputs("\">records.jsonl</a>.</p>\n", out);
	}
}
