/* SPDX-License-Identifier: Apache-2.0 */
/* Count runs that show the same. */
#include "config.h"

#include "repro.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"

static const char *const names[] = {
	[CLAW_REPRO_REPRODUCED] = "reproduced",
	[CLAW_REPRO_DIFFERENT] = "different",
	[CLAW_REPRO_NOT] = "not reproduced",
	[CLAW_REPRO_UNKNOWN] = "unknown",
	[CLAW_REPRO_NOWHERE] = "nothing to run on",
};

static void count(struct claw_repro *repro, struct claw_replay_result *result)
{
	bool is_hit = result->end == CLAW_REPLAY_SAME;

	repro->runs++;
	repro->hits += is_hit;
	if (result->end == CLAW_REPLAY_OTHER) {
		free(repro->shown);
		repro->shown = claw_strdup(result->signature);
	}
	if (!is_hit && repro->hits > 0) {
		claw_replay_result_release(result);
		return;
	}
	claw_replay_result_release(&repro->last);
	repro->last = *result;
}

static enum claw_repro_verdict decide(const struct claw_repro *repro)
{
	if (repro->hits > 0 && repro->hits * 100 >=
	    repro->runs * CLAW_REPRO_PERCENT)
		return CLAW_REPRO_REPRODUCED;
	return repro->shown ? CLAW_REPRO_DIFFERENT : CLAW_REPRO_NOT;
}

int claw_repro_try(unsigned int max_runs, claw_repro_run *run, void *user,
		   struct claw_repro *ret_repro)
{
	struct claw_replay_result result;
	int ret;

	*ret_repro = (struct claw_repro) { .verdict = CLAW_REPRO_UNKNOWN };
	while (ret_repro->runs < max_runs &&
	       ret_repro->hits < CLAW_REPRO_ENOUGH) {
		ret = run(ret_repro->runs + 1, user, &result);
		if (ret < 0) {
			claw_replay_result_release(&result);
			return ret;
		}
		if (result.end == CLAW_REPLAY_INFRA) {
			claw_replay_result_release(&ret_repro->last);
			ret_repro->last = result;
			ret_repro->verdict = result.has_no_device ?
				CLAW_REPRO_NOWHERE : CLAW_REPRO_UNKNOWN;
			return 0;
		}
		count(ret_repro, &result);
	}
	ret_repro->verdict = decide(ret_repro);
	return 0;
}

void claw_repro_release(struct claw_repro *repro)
{
	claw_replay_result_release(&repro->last);
	free(repro->shown);
	repro->shown = NULL;
}

/* ---- what is said ----------------------------------------------------- */

static void print_lines(const char *text, FILE *out)
{
	size_t length;

	for (; text && *text; text += length + (text[length] == '\n')) {
		length = strcspn(text, "\n");
		fprintf(out, "  %.*s\n", (int)length, text);
	}
}

static void print_found(const struct claw_findings *found, FILE *out)
{
	for (size_t i = 0; found && i < found->count; i++) {
		char *sentence = claw_finding_sentence(&found->items[i]);

		if (sentence)
			fprintf(out, "  found: %s\n", sentence);
		free(sentence);
	}
}

/* What the runs showed: another thing, or the same by another name. */
static const char *shown_of(const struct claw_repro *repro)
{
	if (repro->hits > 0)
		return repro->last.signature;
	return repro->shown;
}

static void print_counts(const struct claw_replay_result *last, FILE *out)
{
	if (last->device)
		fprintf(out, "  on:       %s\n", last->device);
	if (last->skipped || last->synthesised)
		fprintf(out, "  replay:   %u calls omitted, %u contents made "
			"up\n", last->skipped, last->synthesised);
	if (last->differing)
		fprintf(out, "  replay:   %u calls returned something else\n",
			last->differing);
}

void claw_repro_print(const struct claw_repro *repro, const char *wanted,
		      char *const *rules, FILE *out)
{
	const struct claw_replay_result *last = &repro->last;
	const char *shown;

	fprintf(out, "%s", names[repro->verdict]);
	if (repro->runs)
		fprintf(out, ": %u of %u run%s", repro->hits, repro->runs,
			repro->runs == 1 ? "" : "s");
	fprintf(out, "\n  captured: %s\n", *wanted ? wanted : "it succeeded");
	shown = shown_of(repro);
	if (shown && strcmp(shown, wanted) != 0)
		fprintf(out, "  shown:    %s\n", shown);
	else if (repro->verdict == CLAW_REPRO_NOT)
		fprintf(out, "  shown:    it succeeded\n");
	for (; rules && *rules; rules++)
		fprintf(out, "  injected: %s\n", *rules);
	print_counts(last, out);
	print_found(last->found, out);
	print_lines(last->why, out);
}

static json_t *lines_json(const char *text)
{
	json_t *lines = json_array();
	size_t length;

	for (; text && *text; text += length + (text[length] == '\n')) {
		length = strcspn(text, "\n");
		json_array_append_new(lines, json_stringn_nocheck(text,
								  length));
	}
	return lines;
}

static json_t *reads_json(const struct claw_replay_result *result)
{
	json_t *reads = json_array();

	for (size_t i = 0; i < result->read_count; i++)
		json_array_append_new(reads, json_pack("{s:I, s:I, s:s}",
			"call", (json_int_t)result->reads[i].number,
			"bytes", (json_int_t)result->reads[i].bytes,
			"hash", result->reads[i].hash));
	return reads;
}

static json_t *found_json(const struct claw_findings *found)
{
	json_t *list = json_array();

	for (size_t i = 0; found && i < found->count; i++) {
		char *sentence = claw_finding_sentence(&found->items[i]);

		json_array_append_new(list, json_string(sentence ? sentence :
							""));
		free(sentence);
	}
	return list;
}

json_t *claw_repro_json(const struct claw_repro *repro, const char *wanted,
			char *const *rules)
{
	const struct claw_replay_result *last = &repro->last;
	json_t *injected = json_array(), *object;

	for (; rules && *rules; rules++)
		json_array_append_new(injected, json_string(*rules));
	object = json_pack("{s:s, s:i, s:i, s:s, s:s?, s:o, s:s?}",
			   "verdict", names[repro->verdict],
			   "runs", (int)repro->runs, "hits", (int)repro->hits,
			   "captured", wanted,
			   "shown", shown_of(repro),
			   "injected", injected, "device", last->device);
	if (!object)
		return NULL;
	json_object_set_new(object, "left_out", json_integer(last->skipped));
	json_object_set_new(object, "made_up",
			    json_integer(last->synthesised));
	json_object_set_new(object, "differing",
			    json_integer(last->differing));
	json_object_set_new(object, "notes", lines_json(last->why));
	json_object_set_new(object, "found", found_json(last->found));
	json_object_set_new(object, "reads", reads_json(last));
	return object;
}
