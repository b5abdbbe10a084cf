/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stability.json: one JSON object for scripts, in which each event, sample and
 * result is a line of its own. A diagnosis code ("clw-gpu-crash") stands only
 * on the lines of events that happened, so that grep -c counts them: everywhere
 * else, in a command line or a message, its '-' is written as \u002d, which is
 * the same to a reader of JSON.
 */
#include "config.h"

#include "report.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "harness/records/result_json.h"
#include "harness/records/soak_json.h"
#include "head_json.h"

enum { DIGITS = 9, COPY_BYTES = 65536 };

/* Lines of one array, kept in a file until it is their turn. */
struct lines {
	const char *name;
	FILE *file;
	uint64_t count;
};

struct state {
	const struct claw_report_head *head;
	struct lines segments, results, events, samples;
	double iterations, peak_bytes;	/* NAN: not measured */
};

/* What is not the code of an event. */
static void put_hidden(FILE *out, const char *text)
{
	static const char begin[] = "clw-";
	const size_t length = sizeof(begin) - 1;

	for (const char *at; (at = strstr(text, begin)); text = at + length) {
		fwrite(text, 1, (size_t)(at - text), out);
		fputs("clw\\u002d", out);
	}
	fputs(text, out);
}

/* object is taken over; code: at its end, in plain letters; or NULL. */
static void put_object(FILE *out, json_t *object, const char *code)
{
	char *text = claw_made(json_dumps(claw_made(object), JSON_COMPACT |
			JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(DIGITS)));
	json_t *plain = code ? json_string(code) : NULL;

	json_decref(object);
	if (plain)
		text[strlen(text) - 1] = '\0';
	put_hidden(out, text);
	if (plain) {
		fputs(",\"code\":", out);
		json_dumpf(plain, out, JSON_ENCODE_ANY);
		fputc('}', out);
	}
	json_decref(plain);
	free(text);
}

static void add_line(struct lines *lines, json_t *object, const char *code)
{
	if (lines->count++ > 0)
		fputs(",\n", lines->file);
	fputs("  ", lines->file);
	put_object(lines->file, object, code);
}

static bool begin_lines(struct lines *lines, const char *name)
{
	lines->name = name;
	lines->file = tmpfile();
	return lines->file != NULL;
}

static int end_lines(FILE *out, struct lines *lines)
{
	char bytes[COPY_BYTES];
	size_t length;

	fprintf(out, ",\n\"%s\": [%s", lines->name, lines->count ? "\n" : "");
	rewind(lines->file);
	while ((length = fread(bytes, 1, sizeof(bytes), lines->file)) > 0)
		fwrite(bytes, 1, length, out);
	fputs(lines->count ? "\n]" : "]", out);
	return ferror(lines->file) ? -CLAW_E_IO : 0;
}

static void release(struct state *state)
{
	struct lines *all[] = { &state->segments, &state->results,
				&state->events, &state->samples };

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		if (all[i]->file)
			fclose(all[i]->file);
	free(state);
}

/* ---- the head --------------------------------------------------------- */

static void put_member(FILE *out, const char *name, json_t *value)
{
	char *text = value ? json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT |
					JSON_PRESERVE_ORDER |
					JSON_REAL_PRECISION(DIGITS)) : NULL;

	fprintf(out, ",\n\"%s\": ", name);
	put_hidden(out, text ? text : "null");
	free(text);
	json_decref(value);
}

static json_t *text_value(const char *text)
{
	return text ? json_string(text) : json_null();
}

/* A whole number that may not have been measured. */
static json_t *number_value(double value)
{
	return isfinite(value) && fabs(value) < 9e15 ?
		json_integer((json_int_t)value) : json_null();
}

static json_t *notes_of(const struct claw_report_head *head)
{
	json_t *list = json_array();

	for (size_t i = 0; i < head->note_count; i++)
		json_array_append_new(list, text_value(head->notes[i]));
	return list;
}

static void put_head(FILE *out, const struct state *state)
{
	const struct claw_report_head *head = state->head;
	char elapsed[48];

	claw_report_span(elapsed, sizeof(elapsed), head->soak_ms);
	fputs("{\n\"format\": \"openclaw soak\",\n\"version\": 1", out);
	put_member(out, "openclaw", json_string(PACKAGE_VERSION));
	put_member(out, "command", text_value(head->command_line));
	put_member(out, "started", text_value(head->started));
	put_member(out, "complete", json_boolean(head->complete));
	put_member(out, "cancelled", json_boolean(head->cancelled));
	put_member(out, "exit_status", head->complete ?
		   json_integer(head->exit_status) : json_null());
	put_member(out, "elapsed", json_string(elapsed));
	put_member(out, "elapsed_ms", json_integer((json_int_t)head->soak_ms));
	put_member(out, "iterations", number_value(state->iterations));
	put_member(out, "peak_device_bytes", number_value(state->peak_bytes));
	put_member(out, "damaged_lines",
		   json_integer((json_int_t)head->damaged_lines));
	put_member(out, "environment", claw_report_environment_json(head));
	put_member(out, "rules", claw_report_rules_json(head));
	put_member(out, "notes", notes_of(head));
}

/* ---- the format ------------------------------------------------------- */

static int soak_begin(FILE *out, const struct claw_report_head *head,
		      void **ret_state)
{
	struct state *state = claw_calloc(1, sizeof(*state));

	(void)out;
	state->head = head;
	state->iterations = state->peak_bytes = NAN;
	if (!begin_lines(&state->segments, "segments") ||
	    !begin_lines(&state->results, "results") ||
	    !begin_lines(&state->events, "events") ||
	    !begin_lines(&state->samples, "samples")) {
		release(state);
		return -CLAW_E_IO;
	}
	*ret_state = state;
	return 0;
}

static void soak_segment(FILE *out, void *user,
			 const struct claw_soak_segment *segment)
{
	(void)out;
	add_line(&((struct state *)user)->segments,
		 claw_soak_segment_to_json(segment), NULL);
}

static void soak_sample(FILE *out, void *user, const struct claw_sample *sample,
			const struct claw_sample_site *sites, size_t site_count)
{
	struct state *state = user;
	double iterations = sample->values[CLAW_SERIES_ITERATIONS];
	double bytes = sample->values[CLAW_SERIES_DEVICE_BYTES];

	(void)out;
	if (!isnan(iterations))
		state->iterations = iterations;
	state->peak_bytes = fmax(state->peak_bytes, bytes);
	add_line(&state->samples,
		 claw_sample_to_json(sample, sites, site_count), NULL);
}

static void soak_event(FILE *out, void *user,
		       const struct claw_soak_event *event)
{
	struct claw_soak_event rest = *event;

	(void)out;
	rest.code = NULL;
	add_line(&((struct state *)user)->events,
		 claw_soak_event_to_json(&rest), event->code);
}

static void soak_result(FILE *out, void *user, const struct claw_result *result)
{
	struct state *state = user;
	double iterations = claw_soak_told(result, CLAW_TOLD_ITERATIONS);

	(void)out;
	/* The last sample was before the end. */
	if (!isnan(iterations))
		state->iterations = iterations;
	state->peak_bytes = fmax(state->peak_bytes,
				 claw_soak_told(result, CLAW_TOLD_PEAK));
	add_line(&state->results, claw_result_to_json(result), NULL);
}

/* Nothing for a run that is no soak. */
static int soak_end(FILE *out, void *user)
{
	struct state *state = user;
	struct lines *all[] = { &state->segments, &state->results,
				&state->events, &state->samples };
	int ret = 0;

	if (state->head->segment_count > 0) {
		put_head(out, state);
		for (size_t i = 0; ret == 0 && i < sizeof(all) / sizeof(*all);
		     i++)
			ret = end_lines(out, all[i]);
		fputs("\n}\n", out);
	}
	release(state);
	return ret;
}

const struct claw_report_format claw_report_soak = {
	.summary = "JSON of a soak, one event or sample per line",
	.begin = soak_begin, .result = soak_result, .end = soak_end,
	.segment = soak_segment, .sample = soak_sample, .event = soak_event,
};
