/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One JSON object with everything the records hold, for scripts.
 */
#include "config.h"

#include "report.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>

#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "harness/records/result_json.h"
#include "head_json.h"

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

/* How much there is; the samples themselves are in the soak format. */
static json_t *soak_of(const struct claw_report_head *head)
{
	json_t *soak = json_object();

	claw_json_add_number(soak, "elapsed_ms", head->soak_ms);
	claw_json_add_number(soak, "segments", head->segment_count);
	claw_json_add_number(soak, "samples", head->sample_count);
	claw_json_add_number(soak, "events", head->event_count);
	return soak;
}

static int json_begin(FILE *out, const struct claw_report_head *head,
		      void **ret_state)
{
	struct state *state = claw_calloc(1, sizeof(*state));
	json_t *notes;
	char seed[32];

	(void)out;
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
	json_object_set_new(state->root, "environment",
			    claw_report_environment_json(head));
	json_object_set_new(state->root, "rules", claw_report_rules_json(head));
	for (size_t i = 0; i < head->note_count; i++)
		json_array_append_new(notes, json_string(head->notes[i]));
	json_object_set_new(state->root, "notes", notes);
	if (head->compared_with)
		json_object_set_new(state->root, "comparison",
				    comparison_of(head));
	if (head->segment_count > 0)
		json_object_set_new(state->root, "soak", soak_of(head));
	json_object_set(state->root, "results", state->results);
	*ret_state = state;
	return 0;
}

static void json_result(FILE *out, void *user, const struct claw_result *result)
{
	struct state *state = user;
	json_t *object = claw_result_to_json(result);

	(void)out;
	if (!result->flaky)
		json_object_set_new(object, "flaky", json_false());
	if (json_array_append_new(state->results, object) < 0)
		claw_made(NULL);
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
	.summary = "one JSON object, for scripts",
	.begin = json_begin, .result = json_result, .end = json_end,
};
