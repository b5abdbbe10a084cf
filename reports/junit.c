/* SPDX-License-Identifier: Apache-2.0 */
/*
 * JUnit XML for CI servers: one testsuite a suite and tool, unique
 * classname.name, output only of failures and of that head and tail, bytes
 * that XML does not allow shown as #x1B. Of a sweep a case is a function with a
 * fault.
 */
#include "config.h"

#include "report.h"

#include <inttypes.h>
#include <libxml/xmlwriter.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/errors.h"
#include "sweep_handlers.h"
#include "harness/base/memory.h"
#include "points.h"

/* Head and tail of an output; 250,000 of these would still be too much, but
 * failures are few or all alike. */
enum { HEAD_BYTES = 8192, TAIL_BYTES = 8192, MAX_DETAILED = 500 };

/* Of a result: how many before it have its name and block, and is it the
 * first of its block? */
struct place {
	unsigned int alike;
	bool begins;
};

struct state {
	const struct claw_report_head *head;
	bool is_strict;		/* nothing that Jenkins' xunit plugin refuses */
	struct claw_result *results;
	size_t count, capacity;
	uint64_t given;		/* results, before points were put together */
	size_t first_folded;	/* results that stand for points of a sweep */
	unsigned int detailed;	/* failures whose output is in the report */
	struct place *places;	/* of each result */
};

static bool is_xml_char(uint32_t c)
{
	return c == 0x9 || c == 0xa || c == 0xd ||
	       (c >= 0x20 && c != 0x7f && c <= 0xd7ff) ||
	       (c >= 0xe000 && c <= 0xfffd) || c >= 0x10000;
}

/* The character at text, which is UTF-8 (records.c saw to it); its bytes. */
static size_t decode(const unsigned char *text, uint32_t *ret_c)
{
	size_t length = *text < 0x80 ? 1 : *text >= 0xf0 ? 4 :
			*text >= 0xe0 ? 3 : *text >= 0xc2 ? 2 : 0;
	uint32_t c = length == 1 ? *text : *text & (0x7fu >> length);

	for (size_t i = 1; i < length; i++) {
		if ((text[i] & 0xc0) != 0x80) {
			length = 0;
			break;
		}
		c = c << 6 | (text[i] & 0x3f);
	}
	*ret_c = length ? c : *text;
	return length;
}

/* Text that XML allows; malloced. */
static char *xml_text(const char *text)
{
	const unsigned char *in = (const unsigned char *)text;
	char *clean = claw_malloc(strlen(text) * 6 + 1), *out = clean;

	while (*in) {
		uint32_t c;
		size_t length = decode(in, &c);

		if (length > 0 && is_xml_char(c)) {
			memcpy(out, in, length);
			out += length;
		} else {
			out += snprintf(out, 7, "#x%02X", c);
		}
		in += length ? length : 1;
	}
	*out = '\0';
	return clean;
}

/* Step back or on to where a character begins. */
static const char *at_character(const char *at, int step)
{
	while (((unsigned char)*at & 0xc0) == 0x80)
		at += step;
	return at;
}

/* Head and tail of a long text, with what was cut between; malloced. */
static char *head_and_tail(const char *text)
{
	size_t size = strlen(text);
	const char *head_end, *tail;
	char *shorter = NULL;

	if (size <= HEAD_BYTES + TAIL_BYTES)
		return claw_strdup(text);
	head_end = at_character(text + HEAD_BYTES, -1);
	tail = at_character(text + size - TAIL_BYTES, 1);
	shorter = claw_format("%.*s\n... %zu bytes omitted ...\n%s",
			      (int)(head_end - text), text,
			      (size_t)(tail - head_end), tail);
	return shorter;
}

static void attribute(xmlTextWriterPtr xml, const char *name,
		      const char *value)
{
	char *clean = value ? xml_text(value) : NULL;

	if (clean)
		xmlTextWriterWriteAttribute(xml, BAD_CAST name,
					    BAD_CAST clean);
	free(clean);
}

static void count_attribute(xmlTextWriterPtr xml, const char *name,
			    uint64_t count)
{
	char text[32];

	snprintf(text, sizeof(text), "%" PRIu64, count);
	attribute(xml, name, text);
}

static void time_attribute(xmlTextWriterPtr xml, const struct state *state,
			   uint64_t duration_us)
{
	char text[32];
	int length = snprintf(text, sizeof(text), "%" PRIu64 ".%06" PRIu64,
			      duration_us / 1000000, duration_us % 1000000);

	if (state->is_strict)
		text[length - 3] = '\0';	/* milliseconds */
	attribute(xml, "time", text);
}

/* What JUnit calls a result: failure, error, skipped, or nothing. */
static const char *element_of(enum claw_verdict verdict)
{
	switch (claw_verdict_class(verdict)) {
	case 'f':
		return verdict == CLAW_HANG || verdict == CLAW_CRASH ?
		       "error" : "failure";
	case 'u':
		return "error";
	case 's':
		return "skipped";
	default:
		return verdict == CLAW_XFAIL ? "skipped" : NULL;
	}
}

static bool same_block(const struct claw_result *a, const struct claw_result *b)
{
	return claw_report_same(a->suite, b->suite) &&
	       claw_report_same(a->configuration, b->configuration);
}

struct totals {
	uint64_t tests, failures, errors, skipped, duration_us;
};

/* Sums over all results, or over those of one's block. */
static struct totals sum(const struct state *state,
			 const struct claw_result *one)
{
	struct totals totals = { 0 };

	for (size_t i = 0; i < state->count; i++) {
		const struct claw_result *result = &state->results[i];
		const char *element = element_of(result->verdict);

		if (one && !same_block(result, one))
			continue;
		totals.tests++;
		totals.duration_us += result->duration_us;
		if (!element)
			continue;
		totals.failures += strcmp(element, "failure") == 0;
		totals.errors += strcmp(element, "error") == 0;
		totals.skipped += strcmp(element, "skipped") == 0;
	}
	return totals;
}

/* is_whole: of the whole report. */
static void totals_attributes(xmlTextWriterPtr xml, const struct state *state,
			      const struct totals *totals, bool is_whole)
{
	count_attribute(xml, "tests", totals->tests);
	count_attribute(xml, "failures", totals->failures);
	count_attribute(xml, "errors", totals->errors);
	if (!state->is_strict || !is_whole)
		count_attribute(xml, "skipped", totals->skipped);
	time_attribute(xml, state, totals->duration_us);
}

/* "sweep.app_py" of a sweep of app.py: servers take what is before the last
 * dot for a package, and reports of two programs are not of the same cases.
 * malloced. */
static char *suite_of(const struct state *state,
		      const struct claw_result *result)
{
	const char *suite = result->suite ? result->suite : "openclaw";
	const char *program = claw_report_program(state->head);
	size_t length = strlen(suite);
	char *text;

	if (!program)
		return claw_strdup(suite);
	text = claw_format("%s.%s", suite, program);
	for (char *c = text + length + 1; *c; c++)
		if (*c == '.')
			*c = '_';
	return text;
}

/* Where a failure is, and that a try passed: attributes and properties that a
 * strict report cannot have. */
static char *strict_text(const struct state *state,
			 const struct claw_result *result)
{
	char *place = state->is_strict && result->file && result->line ?
		claw_format("%s:%u\n", claw_report_path(state->head,
							result->file),
			    result->line) : claw_strdup("");
	char *text = claw_format("%s%s", place, state->is_strict &&
				 result->flaky ? "flaky\n" : "");

	free(place);
	return text;
}

static void write_property(xmlTextWriterPtr xml, const char *name,
			   const char *value)
{
	xmlTextWriterStartElement(xml, BAD_CAST "property");
	attribute(xml, "name", name);
	attribute(xml, "value", value ? value : "");
	xmlTextWriterEndElement(xml);
}

static void write_properties(xmlTextWriterPtr xml, const struct state *state,
			     const struct claw_result *one)
{
	const struct claw_report_head *head = state->head;

	xmlTextWriterStartElement(xml, BAD_CAST "properties");
	for (size_t i = 0; i < head->environment_count; i++) {
		const struct claw_environment_entry *entry =
			&head->environment[i];
		const char *mine = one->configuration ? one->configuration :
				   "native";

		if (claw_report_same(entry->key, CLAW_SWEEP_UNRUN) ||
		    claw_report_same(entry->key, CLAW_SWEEP_UNRUN_ELSEWHERE))
			continue;
		if (!entry->configuration ||
		    strcmp(entry->configuration, mine) == 0)
			write_property(xml, entry->key, entry->value);
	}
	write_property(xml, "command", head->command_line);
	write_property(xml, "complete", head->complete ? "true" : "false");
	xmlTextWriterEndElement(xml);
}

/* malloced; "" when there are none. */
static char *findings_text(const struct state *state,
			   const struct claw_result *result)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = claw_text_begin(&text, &size);

	claw_report_findings(out, "", state->head, result);
	claw_text_end(out);
	return text;
}

/* The message as attribute; the rest as text. */
static void write_outcome(xmlTextWriterPtr xml, struct state *state,
			  const struct claw_result *result)
{
	const char *element = element_of(result->verdict);
	char *text = NULL, *shorter = NULL, *clean = NULL, *findings;
	char *strict;

	if (!element)
		return;
	strict = strict_text(state, result);
	findings = findings_text(state, result);
	xmlTextWriterStartElement(xml, BAD_CAST element);
	attribute(xml, "message", result->message ? result->message :
		  claw_verdict_name(result->verdict));
	attribute(xml, "type", result->code ? result->code :
		  claw_verdict_name(result->verdict));
	if (strcmp(element, "skipped") != 0 &&
	    state->detailed++ < MAX_DETAILED) {
		text = claw_format("%s%s%s%s%s%s%s%s", strict,
				   result->fault ? "fault: " : "",
				   result->fault ? result->fault : "",
				   result->fault ? "\n" : "", findings,
				   result->detail ? result->detail : "",
				   result->reproduce ? "\nreproduce: " : "",
				   result->reproduce ? result->reproduce : "");
		shorter = head_and_tail(text);
		clean = xml_text(shorter);
		if (*clean)
			xmlTextWriterWriteString(xml, BAD_CAST clean);
		free(text);
	}
	free(clean);
	free(shorter);
	free(findings);
	free(strict);
	xmlTextWriterEndElement(xml);
}

/* What a passing case has to say: the points of a sweep that it stands for. */
static void write_output(xmlTextWriterPtr xml, const char *text)
{
	char *shorter = text ? head_and_tail(text) : NULL;
	char *clean = shorter ? xml_text(shorter) : NULL;

	if (clean && *clean)
		xmlTextWriterWriteElement(xml, BAD_CAST "system-out",
					  BAD_CAST clean);
	free(clean);
	free(shorter);
}

/* Some tries passed and some failed. */
static void write_flaky(xmlTextWriterPtr xml, const struct state *state,
			const struct claw_result *result)
{
	const char *text = result->message ? result->message :
			   "passed when tried again";

	if (!result->flaky)
		return;
	if (!state->is_strict) {
		xmlTextWriterStartElement(xml, BAD_CAST "properties");
		write_property(xml, "flaky", text);
		xmlTextWriterEndElement(xml);
	} else if (!element_of(result->verdict)) {
		xmlTextWriterStartElement(xml, BAD_CAST "flakyFailure");
		attribute(xml, "message", text);
		attribute(xml, "type", "flaky");
		xmlTextWriterEndElement(xml);
	}
}

/* What "inject --judge" judges is its faults in a program. Malloced. */
static char *case_name(const struct state *state,
		       const struct claw_result *result)
{
	const char *name = result->name ? result->name : "";
	const char *verb = state->head->verb ? state->head->verb : "";

	return result->fault && strcmp(verb, "inject") == 0 ?
		claw_format("%s: %s", name, result->fault) : claw_strdup(name);
}

static void name_attributes(xmlTextWriterPtr xml, const struct state *state,
			    const struct claw_result *result,
			    unsigned int alike)
{
	const char *tool = result->configuration;
	char *suite = suite_of(state, result), *name, text[1024];

	snprintf(text, sizeof(text), "%s%s%s", suite, tool ? "@" : "",
		 tool ? tool : "");
	attribute(xml, "classname", text);
	free(suite);
	name = case_name(state, result);
	if (alike > 0)
		snprintf(text, sizeof(text), "%s (%u)", name, alike + 1);
	else
		snprintf(text, sizeof(text), "%s", name);
	attribute(xml, "name", text);
	free(name);
}

static void write_case(xmlTextWriterPtr xml, struct state *state, size_t index)
{
	const struct claw_result *result = &state->results[index];

	xmlTextWriterStartElement(xml, BAD_CAST "testcase");
	name_attributes(xml, state, result, state->places[index].alike);
	time_attribute(xml, state, result->duration_us);
	if (result->file && result->line && !state->is_strict) {
		attribute(xml, "file", claw_report_path(state->head,
							result->file));
		count_attribute(xml, "line", result->line);
	}
	write_flaky(xml, state, result);
	write_outcome(xml, state, result);
	if (index >= state->first_folded && !element_of(result->verdict))
		write_output(xml, result->detail);
	xmlTextWriterEndElement(xml);
}

static void write_block(xmlTextWriterPtr xml, struct state *state, size_t first)
{
	const struct claw_result *one = &state->results[first];
	struct totals totals = sum(state, one);
	struct claw_result named = *one;
	char *suite = suite_of(state, one), *name;

	if (one->suite)
		named.suite = suite;
	name = claw_report_block(&named);

	xmlTextWriterStartElement(xml, BAD_CAST "testsuite");
	attribute(xml, "name", name);
	free(name);
	free(suite);
	totals_attributes(xml, state, &totals, false);
	attribute(xml, "timestamp", state->head->started);
	write_properties(xml, state, one);
	for (size_t i = first; i < state->count; i++)
		if (same_block(&state->results[i], one))
			write_case(xml, state, i);
	xmlTextWriterEndElement(xml);
}

/* A run that ended early must not look like a small one that passed. */
static void write_missing(xmlTextWriterPtr xml, const struct state *state)
{
	char text[CLAW_REPORT_MISSING];

	if (!claw_report_missing(state->head, state->given, text,
				 sizeof(text)))
		return;
	*text |= 'a' ^ 'A';		/* as other messages begin */
	xmlTextWriterStartElement(xml, BAD_CAST "testsuite");
	attribute(xml, "name", "openclaw");
	totals_attributes(xml, state,
			  &(struct totals){ .tests = 1, .errors = 1 }, false);
	xmlTextWriterStartElement(xml, BAD_CAST "testcase");
	attribute(xml, "classname", "openclaw");
	attribute(xml, "name", "run_is_complete");
	time_attribute(xml, state, 0);
	xmlTextWriterStartElement(xml, BAD_CAST "error");
	attribute(xml, "message", text);
	attribute(xml, "type", "incomplete");
	xmlTextWriterEndElement(xml);
	xmlTextWriterEndElement(xml);
	xmlTextWriterEndElement(xml);
}

static int junit_begin(FILE *out, const struct claw_report_head *head,
		       void **ret_state)
{
	struct state *state = claw_calloc(1, sizeof(*state));

	(void)out;
	state->head = head;
	*ret_state = state;
	return 0;
}

static int strict_begin(FILE *out, const struct claw_report_head *head,
			void **ret_state)
{
	int ret = junit_begin(out, head, ret_state);
	struct state *state = *ret_state;

	state->is_strict = true;
	return ret;
}

static void junit_result(FILE *out, void *user,
			 const struct claw_result *result)
{
	struct state *state = user;

	(void)out;
	if (state->count == state->capacity) {
		size_t capacity = state->capacity ? 2 * state->capacity : 64;
		struct claw_result *grown = claw_grow(state->results,
						      capacity,
						      sizeof(*grown));

		state->results = grown;
		state->capacity = capacity;
	}
	claw_result_copy(result, &state->results[state->count++]);
}

static int compare_texts(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) : (a != NULL) - (b != NULL);
}

static int compare_blocks(const struct claw_result *a,
			  const struct claw_result *b)
{
	int order = compare_texts(a->suite, b->suite);

	return order ? order : compare_texts(a->configuration,
					     b->configuration);
}

/* By block, name and place. */
static int compare_results(const void *a, const void *b)
{
	const struct claw_result *x = *(struct claw_result *const *)a;
	const struct claw_result *y = *(struct claw_result *const *)b;
	int order = compare_blocks(x, y);

	if (order == 0)
		order = compare_texts(x->name, y->name);
	return order ? order : (x > y) - (x < y);
}

static void find_places_in(struct state *state, struct claw_result **sorted)
{
	const struct claw_result *before = NULL;
	size_t first = 0;

	for (size_t i = 0; i < state->count; i++) {
		size_t at = (size_t)(sorted[i] - state->results);
		bool same = before && compare_blocks(before, sorted[i]) == 0;

		if (same && compare_texts(before->name, sorted[i]->name) == 0)
			state->places[at].alike = 1 +
				state->places[before - state->results].alike;
		if (same && at < first)
			state->places[first].begins = false;
		if (!same || at < first) {
			state->places[at].begins = true;
			first = at;
		}
		before = sorted[i];
	}
}

static void find_places(struct state *state)
{
	struct claw_result **sorted = claw_calloc(state->count + 1,
					     sizeof(*sorted));

	state->places = claw_calloc(state->count + 1, sizeof(*state->places));
	for (size_t i = 0; i < state->count; i++)
		sorted[i] = &state->results[i];
	qsort(sorted, state->count, sizeof(*sorted), compare_results);
	find_places_in(state, sorted);
	free(sorted);
}

static int write_document(xmlTextWriterPtr xml, struct state *state)
{
	char text[CLAW_REPORT_MISSING];
	bool missing = claw_report_missing(state->head, state->given, text,
					   sizeof(text));
	struct totals totals = sum(state, NULL);

	find_places(state);
	totals.tests += missing;
	totals.errors += missing;
	xmlTextWriterSetIndent(xml, 1);
	xmlTextWriterStartDocument(xml, NULL, "UTF-8", NULL);
	xmlTextWriterStartElement(xml, BAD_CAST "testsuites");
	attribute(xml, "name", "openclaw");
	totals_attributes(xml, state, &totals, true);
	for (size_t i = 0; i < state->count; i++)
		if (state->places[i].begins)
			write_block(xml, state, i);
	write_missing(xml, state);
	return xmlTextWriterEndDocument(xml) < 0 ? -CLAW_E_IO : 0;
}

static int junit_end(FILE *out, void *user)
{
	struct state *state = user;
	xmlTextWriterPtr xml = claw_made(xmlNewTextWriter(
		claw_made(xmlOutputBufferCreateFile(out, NULL))));
	int ret;

	state->given = state->count;
	claw_report_fold_points(state->results, &state->count,
				&state->first_folded);
	ret = write_document(xml, state);
	xmlFreeTextWriter(xml);		/* and the buffer */
	for (size_t i = 0; i < state->count; i++)
		claw_result_release(&state->results[i]);
	free(state->results);
	free(state->places);
	free(state);
	return ret;
}

const struct claw_report_format claw_report_junit = {
	.summary = "JUnit XML, for CI servers",
	.begin = junit_begin, .result = junit_result, .end = junit_end,
};

const struct claw_report_format claw_report_junit_strict = {
	.summary = "JUnit XML that Jenkins' xunit plugin accepts",
	.begin = strict_begin, .result = junit_result, .end = junit_end,
};
