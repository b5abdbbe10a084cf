/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One JSON object with everything the records hold, for scripts.
 */
#include "config.h"

#include "report.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "../harness/errors.h"
#include "../harness/result_json.h"

struct state {
	json_t *root, *results;
};

static json_t *counts_of(const struct claw_report_head *head)
{
	json_t *counts = json_object();

	for (int i = 0; i < CLAW_VERDICT_COUNT; i++)
		if (head->counts[i] > 0)
			claw_json_add_number(counts,
				   claw_verdict_name((enum claw_verdict)i),
				   head->counts[i]);
	return counts;
}

static json_t *environment_of(const struct claw_report_head *head)
{
	json_t *list = json_array();

	for (size_t i = 0; i < head->environment_count; i++) {
		json_t *entry = json_object();

		claw_json_add_text(entry, "configuration",
			 head->environment[i].configuration);
		claw_json_add_text(entry, "key", head->environment[i].key);
		claw_json_add_text(entry, "value", head->environment[i].value);
		json_array_append_new(list, entry);
	}
	return list;
}

static json_t *rules_of(const struct claw_report_head *head)
{
	json_t *list = json_array();

	for (size_t i = 0; i < head->rule_count; i++) {
		json_t *rule = json_object();

		claw_json_add_text(rule, "rule", head->rules[i].rule);
		claw_json_add_number(rule, "matched", head->rules[i].matched);
		claw_json_add_number(rule, "fired", head->rules[i].fired);
		json_array_append_new(list, rule);
	}
	return list;
}

/* What became of the cases since an earlier run; NULL: not compared. */
static json_t *comparison_of(const struct claw_report_head *head)
{
	json_t *comparison, *list;

	if (!head->compared_with)
		return NULL;
	comparison = json_object();
	list = json_array();
	claw_json_add_text(comparison, "directory", head->compared_with);
	claw_json_add_text(comparison, "started", head->compared_started);
	claw_json_add_text(comparison, "text", head->compared_text);
	for (size_t i = 0; i < head->change_count; i++) {
		const struct claw_change *change = &head->changes[i];
		json_t *object = json_object();

		claw_json_add_text(object, "change",
				   claw_change_kind_name(change->kind));
		claw_json_add_text(object, "suite", change->suite);
		claw_json_add_text(object, "name", change->name);
		claw_json_add_text(object, "configuration",
				   change->configuration);
		claw_json_add_text(object, "text", change->text);
		json_array_append_new(list, object);
	}
	json_object_set_new(comparison, "changes", list);
	return comparison;
}

static int json_begin(FILE *out, const struct claw_report_head *head,
		      void **ret_state)
{
	struct state *state = calloc(1, sizeof(*state));
	json_t *notes;
	char seed[32];

	(void)out;
	if (!state)
		return -CLAW_E_NO_MEMORY;
	state->root = json_object();
	state->results = json_array();
	notes = json_array();
	snprintf(seed, sizeof(seed), "%" PRIu64, head->seed);
	json_object_set_new(state->root, "version", json_integer(1));
	claw_json_add_text(state->root, "openclaw", PACKAGE_VERSION);
	claw_json_add_text(state->root, "verb", head->verb);
	claw_json_add_text(state->root, "command", head->command_line);
	claw_json_add_text(state->root, "started", head->started);
	claw_json_add_text(state->root, "seed", seed);
	json_object_set_new(state->root, "complete",
			    json_boolean(head->complete));
	json_object_set_new(state->root, "cancelled",
			    json_boolean(head->cancelled));
	if (head->complete)
		json_object_set_new(state->root, "exit_status",
				    json_integer(head->exit_status));
	claw_json_add_number(state->root, "planned", head->planned);
	claw_json_add_number(state->root, "damaged_lines", head->damaged_lines);
	json_object_set_new(state->root, "counts", counts_of(head));
	json_object_set_new(state->root, "environment", environment_of(head));
	json_object_set_new(state->root, "rules", rules_of(head));
	for (size_t i = 0; i < head->note_count; i++)
		json_array_append_new(notes, json_string(head->notes[i]));
	json_object_set_new(state->root, "notes", notes);
	if (head->compared_with)
		json_object_set_new(state->root, "comparison",
				    comparison_of(head));
	json_object_set(state->root, "results", state->results);
	*ret_state = state;
	return 0;
}

static int json_result(FILE *out, void *user, const struct claw_result *result)
{
	struct state *state = user;
	json_t *object = claw_result_to_json(result);

	(void)out;
	if (object && !result->flaky)
		json_object_set_new(object, "flaky", json_false());
	return json_array_append_new(state->results, object) < 0 ?
	       -CLAW_E_NO_MEMORY : 0;
}

static int json_end(FILE *out, void *user)
{
	struct state *state = user;
	int ret = json_dumpf(state->root, out, JSON_INDENT(2) |
			     JSON_PRESERVE_ORDER) < 0 ? -CLAW_E_IO : 0;

	fputc('\n', out);
	json_decref(state->results);
	json_decref(state->root);
	free(state);
	return ret;
}

const struct claw_report_format claw_report_json = {
	.name = "json",
	.summary = "one JSON object, for scripts",
	.begin = json_begin, .result = json_result, .end = json_end,
};
