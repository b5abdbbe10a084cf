/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SARIF 2.1.0 for pages that show findings in the source: one run, a result a
 * finding, where the program calls. Of a sweep a result is a mistake, however
 * many faults show it. What passed, or is known, is no result; what nothing is
 * known of is a notification.
 */
#include "config.h"

#include "sarif.h"
#include "report.h"

#include <ctype.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "harness/records/result_json.h"
#include "points.h"
#include "sarif_rules.h"

#define SCHEMA \
	"https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/" \
	"sarif-schema-2.1.0.json"
#define ROOT "%SRCROOT%"

/* GitHub shows that many results and has limits for texts. */
enum {
	RESULTS_MAX = 5000,
	TEXT_BYTES = 1000,
	LINE_BYTES = 16 * 1024,		/* to paste: whole or not at all */
	UNKNOWN_MAX = 20,		/* named */
};

struct state {
	const struct claw_report_head *head;
	struct claw_report_mistakes mistakes;
	struct claw_result *results;	/* others that are findings */
	size_t count;
	uint64_t given, left_out;
	uint64_t known, unknown;
	json_t *list, *rules, *notifications;
	char **fingerprints;
	size_t fingerprint_count;
};

/* ---- texts ------------------------------------------------------------ */

/* At most so many bytes, whole characters, on one line. */
static void put_cut(FILE *out, const char *text, size_t max)
{
	size_t length = strlen(text);
	char *cut;

	if (length > max)
		for (length = max; length > 0 &&
		     ((unsigned char)text[length] & 0xc0) == 0x80;)
			length--;
	cut = claw_strndup(text, length);
	claw_report_put(out, cut);
	if (text[length])
		fputs(" ...", out);
	free(cut);
}

/* "CRASH: clCreateBuffer oom once at ...: ended by SIGSEGV; 4 points". */
static void put_sentence(FILE *out, const struct claw_result *result,
			 uint64_t points, void (*put)(FILE *, const char *))
{
	char *text = NULL;
	size_t size;
	FILE *part = claw_text_begin(&text, &size);

	fprintf(part, "%s: ", claw_verdict_name(result->verdict));
	put_cut(part, result->name ? result->name : "", TEXT_BYTES / 2);
	if (result->message) {
		fputs(": ", part);
		put_cut(part, result->message, TEXT_BYTES / 2);
	}
	if (points > 1)
		fprintf(part, "; shown by %" PRIu64 " faults", points);
	claw_text_end(part);
	put(out, text);
	free(text);
}

static bool can_paste(const struct claw_result *result)
{
	return result->reproduce && strlen(result->reproduce) <= LINE_BYTES;
}

static json_t *message_of(const struct claw_result *result, uint64_t points)
{
	json_t *message = json_object();
	char *text = NULL, *markdown = NULL;
	size_t size;
	FILE *out = claw_text_begin(&text, &size);

	put_sentence(out, result, points, claw_report_put);
	claw_text_end(out);
	out = claw_text_begin(&markdown, &size);
	put_sentence(out, result, points, claw_report_put_markdown);
	if (can_paste(result)) {
		fputs("\n\nReproduce:\n\n", out);
		claw_report_lines(out, "    ", result->reproduce, 1);
	}
	claw_text_end(out);
	claw_json_add_text(message, "text", text);
	claw_json_add_text(message, "markdown", markdown);
	free(text);
	free(markdown);
	return message;
}

/* ---- places ----------------------------------------------------------- */

/* A path as part of a URI; malloced. */
static char *uri_of(const char *scheme, const char *path)
{
	size_t start = strlen(scheme);
	char *uri = claw_malloc(start + 3 * strlen(path) + 2), *out;

	memcpy(uri, scheme, start);
	out = uri + start;
	for (; *path; path++) {
		unsigned char c = (unsigned char)*path;

		if (isalnum(c) || strchr("-._~/", c))
			*out++ = (char)c;
		else
			out += snprintf(out, 4, "%%%02X", c);
	}
	*out = '\0';
	return uri;
}

static json_t *artifact_of(const struct claw_report_head *head,
			   const char *file)
{
	json_t *artifact = json_object();
	const char *path = claw_report_path(head, file);
	bool absolute = *path == '/';
	char *uri = uri_of(absolute ? "file://" : "", path);

	claw_json_add_text(artifact, "uri", uri);
	if (!absolute)
		claw_json_add_text(artifact, "uriBaseId", ROOT);
	free(uri);
	return artifact;
}

/* The line, and what stands there where the file is there and may be shown. */
static json_t *region_of(const struct claw_report_head *head,
			 const struct claw_result *result)
{
	json_t *region = json_pack("{sI}", "startLine",
				   (json_int_t)result->line), *snippet;
	char *line = claw_report_source_line(head, result, result->file,
					     result->line);

	if (line && strlen(line) <= TEXT_BYTES) {
		snippet = json_object();
		claw_json_add_text(snippet, "text", line);
		json_object_set_new(region, "snippet", snippet);
	}
	free(line);
	return region;
}

static json_t *location_of(const struct claw_report_head *head,
			   const struct claw_result *result)
{
	json_t *location = json_object(), *physical, *logical;

	if (result->file && *result->file) {
		physical = json_object();
		json_object_set_new(physical, "artifactLocation",
				    artifact_of(head, result->file));
		if (result->line)
			json_object_set_new(physical, "region",
					    region_of(head, result));
		json_object_set_new(location, "physicalLocation", physical);
	}
	logical = json_object();
	claw_json_add_text(logical, "fullyQualifiedName", result->name);
	json_object_set_new(location, "logicalLocations",
			    json_pack("[o]", logical));
	return location;
}

/* ---- rules ------------------------------------------------------------ */

/* Its place among those that are used. */
static size_t find_rule(struct state *state, const struct claw_result *result)
{
	const char *id = claw_sarif_rule_id(result);
	size_t count = json_array_size(state->rules);

	for (size_t i = 0; i < count; i++)
		if (strcmp(json_string_value(json_object_get(
				json_array_get(state->rules, i), "id")),
			   id) == 0)
			return i;
	json_array_append_new(state->rules, claw_sarif_rule(result));
	return count;
}

/* ---- results ---------------------------------------------------------- */

/* FNV-1a. */
static uint64_t hash(const char *text)
{
	uint64_t sum = UINT64_C(0xcbf29ce484222325);

	for (; *text; text++)
		sum = (sum ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
	return sum;
}

/* A name that is the same in a later build. */
static const char *stable_name(const struct claw_result *result)
{
	return claw_report_is_point(result) ? result->seen :
		result->name ? result->name : "";
}

char *claw_report_fingerprint(const struct claw_result *result)
{
	char *key = claw_format("%s %s", claw_sarif_rule_id(result),
				stable_name(result));
	char *text = claw_format("%016" PRIx64, hash(key));

	free(key);
	return text;
}

/* An alert stays the same one. GitHub knows only that of the line. */
static json_t *fingerprints_of(struct state *state,
			       const struct claw_result *result)
{
	json_t *fingerprints = json_object();
	char *key = claw_report_fingerprint(result);
	char *text;
	unsigned int alike = 1;

	for (size_t i = 0; i < state->fingerprint_count; i++)
		alike += strcmp(state->fingerprints[i], key) == 0;
	text = claw_format("%s:%u", key, alike);
	claw_json_add_text(fingerprints, "stableName/v1", stable_name(result));
	claw_json_add_text(fingerprints, "primaryLocationLineHash", text);
	free(text);
	state->fingerprints[state->fingerprint_count++] = key;
	return fingerprints;
}

static json_t *properties_of(const struct claw_result *result, uint64_t points)
{
	json_t *properties = json_object();

	claw_json_add_text(properties, "verdict",
			   claw_verdict_name(result->verdict));
	claw_json_add_text(properties, "name", result->name);
	claw_json_add_text(properties, "configuration", result->configuration);
	claw_json_add_text(properties, "fault", result->fault);
	claw_json_add_text(properties, "code", result->code);
	claw_json_add_text(properties, "signature", points > 0 ? result->seen :
			   NULL);
	if (points > 0)
		claw_json_add_number(properties, "points", points);
	claw_json_add_text(properties, "reproduce", can_paste(result) ?
			   result->reproduce : NULL);
	return properties;
}

/* points: that show it, 0: it is not of a sweep. */
static void add_result(struct state *state, const struct claw_result *result,
		       uint64_t points)
{
	json_t *object;

	if (json_array_size(state->list) == RESULTS_MAX) {
		state->left_out++;
		return;
	}
	object = json_object();
	claw_json_add_text(object, "ruleId", claw_sarif_rule_id(result));
	claw_json_add_number(object, "ruleIndex",
			     find_rule(state, result));
	claw_json_add_text(object, "level",
			   claw_sarif_level(result->verdict));
	json_object_set_new(object, "message", message_of(result, points));
	json_object_set_new(object, "locations",
			    json_pack("[o]", location_of(state->head, result)));
	json_object_set_new(object, "partialFingerprints",
			    fingerprints_of(state, result));
	json_object_set_new(object, "properties",
			    properties_of(result, points));
	json_array_append_new(state->list, object);
}

static void add_results(struct state *state)
{
	claw_report_mistakes_sort(&state->mistakes);
	for (size_t i = 0; i < state->mistakes.count; i++)
		add_result(state, &state->mistakes.items[i].shown,
			   state->mistakes.items[i].points);
	/* What is worse comes first, in case that there are too many. */
	for (int warnings = 0; warnings < 2; warnings++)
		for (size_t i = 0; i < state->count; i++)
			if (warnings == (strcmp(claw_sarif_level(
					state->results[i].verdict),
					"warning") == 0))
				add_result(state, &state->results[i], 0);
}

/* ---- the run ---------------------------------------------------------- */

static void notify(json_t *list, const char *level, const char *text)
{
	json_t *message = json_object(), *notification = json_object();

	claw_json_add_text(message, "text", text);
	json_object_set_new(notification, "message", message);
	claw_json_add_text(notification, "level", level);
	json_array_append_new(list, notification);
}

/* A result of which nothing is known. */
static void notify_unknown(struct state *state,
			   const struct claw_result *result)
{
	char *text = NULL;
	size_t size;
	FILE *out;

	if (state->unknown++ >= UNKNOWN_MAX)
		return;
	out = claw_text_begin(&text, &size);
	put_sentence(out, result, 0, claw_report_put);
	claw_text_end(out);
	notify(state->notifications, "warning", text);
	free(text);
}

static void add_notifications(const struct state *state)
{
	json_t *list = state->notifications;
	char text[CLAW_REPORT_MISSING];

	if (claw_report_missing(state->head, state->given, text, sizeof(text)))
		notify(list, "error", text);
	if (state->unknown > UNKNOWN_MAX) {
		snprintf(text, sizeof(text), "%" PRIu64 " of %" PRIu64 " "
			 "results are inconclusive", state->unknown,
			 state->given);
		notify(list, "warning", text);
	}
	if (state->left_out > 0) {
		snprintf(text, sizeof(text), "%" PRIu64 " more findings are "
			 "omitted: at most %d are shown",
			 state->left_out, RESULTS_MAX);
		notify(list, "warning", text);
	}
	if (state->known > 0) {
		snprintf(text, sizeof(text), "%" PRIu64 " known or suppressed "
			 "results are omitted", state->known);
		notify(list, "note", text);
	}
}

static json_t *invocation_of(const struct state *state)
{
	const struct claw_report_head *head = state->head;
	json_t *invocation = json_object();

	if (head->command_line) {
		char *command = claw_format("openclaw %s", head->command_line);

		claw_json_add_text(invocation, "commandLine", command);
		free(command);
	}
	if (head->started && *head->started)
		claw_json_add_text(invocation, "startTimeUtc", head->started);
	json_object_set_new(invocation, "executionSuccessful",
			    json_boolean(head->complete && !head->cancelled &&
					 head->exit_status !=
					 CLAW_EXIT_INFRA));
	if (head->complete)
		json_object_set_new(invocation, "exitCode",
				    json_integer(head->exit_status));
	add_notifications(state);
	json_object_set(invocation, "toolExecutionNotifications",
			state->notifications);
	return invocation;
}

static json_t *driver_of(struct state *state)
{
	json_t *driver = json_object();

	claw_json_add_text(driver, "name", "openclaw");
	claw_json_add_text(driver, "version", PACKAGE_VERSION);
	claw_json_add_text(driver, "semanticVersion", PACKAGE_VERSION);
	json_object_set(driver, "rules", state->rules);
	return driver;
}

/* Where relative names begin, when that is known. */
static void add_root(json_t *run, const struct claw_report_head *head)
{
	const char *root = head->source_root;
	char *path, *uri;

	if (!root || *root != '/')
		return;
	path = claw_format("%s%s", root,
			   root[strlen(root) - 1] == '/' ? "" : "/");
	uri = uri_of("file://", path);
	json_object_set_new(run, "originalUriBaseIds",
			    json_pack("{s{ss}}", ROOT, "uri", uri));
	free(uri);
	free(path);
}

/* GitHub replaces the findings of an earlier upload whose id, up to the last
 * slash, is the same: two programs must not have one. */
static json_t *details_of(const struct claw_report_head *head)
{
	const char *program = claw_report_program(head);
	char *id = claw_format("openclaw/%s/%s%s", head->verb ? head->verb : "",
			       program ? program : "", program ? "/" : "");
	json_t *details = json_object();

	claw_json_add_text(details, "id", id);
	free(id);
	return details;
}

static json_t *run_of(struct state *state)
{
	const struct claw_report_head *head = state->head;
	json_t *run = json_object();

	add_results(state);
	json_object_set_new(run, "tool", json_pack("{so}", "driver",
						   driver_of(state)));
	json_object_set_new(run, "invocations",
			    json_pack("[o]", invocation_of(state)));
	json_object_set_new(run, "automationDetails", details_of(head));
	add_root(run, head);
	claw_json_add_text(run, "columnKind", "unicodeCodePoints");
	json_object_set(run, "results", state->list);
	return run;
}

/* ---- the format ------------------------------------------------------- */

static int sarif_begin(FILE *out, const struct claw_report_head *head,
		       void **ret_state)
{
	struct state *state = claw_calloc(1, sizeof(*state));

	(void)out;
	state->head = head;
	state->list = json_array();
	state->rules = json_array();
	state->notifications = json_array();
	*ret_state = state;
	return 0;
}

static void sarif_result(FILE *out, void *user,
			 const struct claw_result *result)
{
	struct state *state = user;
	char class = claw_verdict_class(result->verdict);
	struct claw_result *larger;

	(void)out;
	state->given++;
	if (class == 'u')
		notify_unknown(state, result);
	state->known += result->verdict == CLAW_XFAIL;
	if (claw_report_is_point(result)) {
		if (result->verdict != CLAW_XFAIL)
			claw_report_mistakes_add(&state->mistakes, result);
		return;
	}
	if (class != 'f')
		return;
	larger = claw_grow(state->results, state->count + 1, sizeof(*larger));
	state->results = larger;
	claw_result_copy(result, &larger[state->count++]);
}

static void state_free(struct state *state)
{
	for (size_t i = 0; i < state->fingerprint_count; i++)
		free(state->fingerprints[i]);
	for (size_t i = 0; i < state->count; i++)
		claw_result_release(&state->results[i]);
	claw_report_mistakes_release(&state->mistakes);
	json_decref(state->list);
	json_decref(state->rules);
	json_decref(state->notifications);
	free(state->fingerprints);
	free(state->results);
	free(state);
}

static int sarif_end(FILE *out, void *user)
{
	struct state *state = user;
	json_t *root = json_object();
	int ret;

	state->fingerprints = claw_calloc(state->count +
					  state->mistakes.count,
					  sizeof(*state->fingerprints));
	claw_json_add_text(root, "$schema", SCHEMA);
	claw_json_add_text(root, "version", "2.1.0");
	json_object_set_new(root, "runs", json_pack("[o]", run_of(state)));
	ret = json_dumpf(root, out, JSON_INDENT(1) | JSON_PRESERVE_ORDER) < 0 ?
		-CLAW_E_IO : 0;
	fputc('\n', out);
	json_decref(root);
	state_free(state);
	return ret;
}

const struct claw_report_format claw_report_sarif = {
	.summary = "SARIF 2.1.0, for code-scanning pages",
	.begin = sarif_begin, .result = sarif_result, .end = sarif_end,
};
