/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Make a plan of a finding, try it, write it.
 */
#include "config.h"

#include "sweep_plan.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "reports/report.h"
#include "harness/session/session.h"
#include "sweep_again.h"
#include "sweep_look.h"
#include "sweep_place.h"
#include "harness/base/text.h"
#include "harness/base/text_list.h"
#include "harness/files/yaml_out.h"
#include "reports/points.h"

enum { NAME_BYTES = 80 };	/* of a file */

/* ---- one run ---------------------------------------------------------- */

static void run_ended(struct claw_judged_run *run, void *user)
{
	(void)run;
	(void)user;
}

/* Is it the same finding? Why not, in words, malloced; NULL: it is. */
static char *compare(const struct claw_sweep *sweep,
		     const struct claw_sweep_group *group,
		     const struct claw_judged_run *run,
		     const struct claw_rule *rules)
{
	int look = sweep->outcomes[group->first].look;
	struct claw_judgement judgement;
	char *signature, *why = NULL;

	claw_judge_decide(claw_sweep_runs_of(sweep, look).baseline, run, rules,
			  &judgement);
	if (judgement.end != CLAW_JUDGE_DONE) {
		why = claw_strdup(judgement.why ? judgement.why :
				  "could not be run");
	} else if (judgement.output.verdict != group->verdict) {
		why = claw_format("it was %s",
				  claw_verdict_name(judgement.output.verdict));
	} else {
		signature = claw_sweep_look_signature(sweep, group->first,
						      look, run, &judgement);
		if (!claw_sweep_same_signature(signature, group->signature))
			why = claw_format("different finding: %s", signature);
		free(signature);
	}
	claw_judgement_release(&judgement);
	return why;
}

/* The run is released by the caller. As compare(). */
static char *try_rules(const struct claw_sweep *sweep,
		       const struct claw_sweep_group *group,
		       const struct claw_rule *rules, size_t count,
		       const char *directory, struct claw_judged_run *run)
{
	struct claw_sweep_runs runs = claw_sweep_runs_of(sweep,
		sweep->outcomes[group->first].look);
	char **texts = claw_calloc(count + 1, sizeof(*texts));

	for (size_t i = 0; i < count; i++)
		texts[i] = (char *)(uintptr_t)rules[i].text;
	claw_judged_begin(&runs.baseline->setup, directory, texts, count,
			  runs.limit_ms, run_ended, NULL, run);
	claw_runner_run(sweep->how->judge->runner);
	free(texts);
	if (run->end == CLAW_JUDGED_CANCELLED)
		return claw_strdup("cancelled");
	return compare(sweep, group, run, rules);
}

/* ---- making ----------------------------------------------------------- */

static struct claw_rule *parse_all(char *const *texts, size_t count)
{
	struct claw_rule *rules = claw_calloc(count, sizeof(*rules));
	struct claw_plan_error error;

	for (size_t i = 0; i < count; i++)
		claw_rule_parse(texts[i], true, &rules[i], &error);
	return rules;
}

/* The points of a group's rules, from the first. */
static size_t point_of(const struct claw_sweep_points *points, size_t last,
		       size_t count, size_t index)
{
	for (; count > index + 1; count--)
		last = points->items[last].revealed_by;
	return last;
}

/* Rules by one way of naming places, as texts and as they are run. */
static bool name_all(const struct claw_sweep *sweep,
		     const struct claw_sweep_group *group,
		     const struct claw_evidence *evidence,
		     enum claw_sweep_place_by by, size_t count, char ***texts,
		     struct claw_rule *rules)
{
	for (size_t i = 0; i < count; i++) {
		size_t point = point_of(&sweep->points, group->first, count, i);
		char *text = claw_sweep_place_rule(&sweep->points, point,
						   evidence, i,
						   sweep->how->judge, by,
						   &rules[i]);

		if (!text)
			return false;
		claw_list_add(texts, text);
	}
	return true;
}

/* One way after the other, until one does the same. */
static void try_ways(const struct claw_sweep *sweep,
		     const struct claw_sweep_group *group,
		     const struct claw_evidence *evidence, size_t count,
		     const char *directory, struct claw_sweep_plan *plan)
{
	struct claw_rule *rules = claw_calloc(count, sizeof(*rules));
	struct claw_judged_run run = { .setup = NULL };
	bool done = false;

	for (int by = 0; !done && by < CLAW_SWEEP_PLACE_COUNT; by++) {
		char **texts = NULL, *why;

		if (name_all(sweep, group, evidence,
			     (enum claw_sweep_place_by)by, count, &texts,
			     rules)) {
			why = try_rules(sweep, group, rules, count, directory,
					&run);
			claw_judged_release(&run);
			done = !why;
			free(plan->why);
			plan->why = why;
		}
		if (done)
			plan->rules = texts;
		else
			claw_list_free(texts);
	}
	if (!done && !plan->why)
		plan->why = claw_strdup("cannot identify the failing call");
	free(rules);
}

void claw_sweep_plan_make(const struct claw_sweep *sweep,
			  const struct claw_sweep_group *group,
			  const char *directory,
			  struct claw_sweep_plan *ret_plan)
{
	struct claw_judged_run run = { .setup = NULL };
	size_t count = 0;
	char **texts = claw_sweep_point_rules(&sweep->points, group->first,
					      &count);
	struct claw_rule *rules = parse_all(texts, count);
	char *own = claw_path_in(directory, "found");
	char *other = claw_path_in(directory, "named");

	*ret_plan = (struct claw_sweep_plan) {
		.why = try_rules(sweep, group, rules, count, own, &run),
	};
	if (!ret_plan->why)
		try_ways(sweep, group, &run.evidence, count, other, ret_plan);
	claw_judged_release(&run);
	claw_directory_remove(own);
	claw_directory_remove(other);
	free(own);
	free(other);
	free(rules);
	free(texts);
}

void claw_sweep_plan_release(struct claw_sweep_plan *plan)
{
	claw_list_free(plan->rules);
	free(plan->why);
	*plan = (struct claw_sweep_plan) { .rules = NULL };
}

/* ---- writing ---------------------------------------------------------- */

/* "unheeded-clCreateBuffer-at-load_tile": what a signature is as a name. */
static void make_name(const char *signature, char *name)
{
	size_t length = 0;

	for (; *signature && length < NAME_BYTES; signature++) {
		unsigned char letter = (unsigned char)*signature;

		if (isalnum(letter) || letter == '_')
			name[length++] = (char)letter;
		else if (length > 0 && name[length - 1] != '-')
			name[length++] = '-';
	}
	while (length > 0 && name[length - 1] == '-')
		length--;
	name[length] = '\0';
}

/* A path that none of the names is; malloced. */
static char *make_path(const char *directory, const char *signature,
		       char *const *names)
{
	char name[NAME_BYTES + 1], number[16] = "", *path;

	make_name(signature, name);
	for (unsigned int i = 2; ; i++) {
		path = claw_format("%s/%s%s.yaml", directory, name, number);
		if (!claw_list_has(names, path))
			return path;
		free(path);
		snprintf(number, sizeof(number), "-%u", i);
	}
}

static void put_comment(FILE *out, const char *text)
{
	fputs("# ", out);
	claw_report_put(out, text);
	fputc('\n', out);
}

static int put_plan(FILE *stream, const struct claw_sweep *sweep,
		    const struct claw_sweep_group *group,
		    const struct claw_sweep_plan *plan, const char *path)
{
	char *line = claw_sweep_again_plan_line(sweep, group, path);
	struct claw_yaml_out out;
	char seed[24];

	put_comment(stream, group->message);
	put_comment(stream, group->signature);
	put_comment(stream, line);
	free(line);
	snprintf(seed, sizeof(seed), "%" PRIu64, sweep->how->choice.seed);
	claw_yaml_out_begin(&out, stream);
	claw_yaml_out_mapping(&out);
	claw_yaml_out_pair(&out, "seed", seed);
	claw_yaml_out_text(&out, "faults");
	claw_yaml_out_list(&out);
	for (char **rule = plan->rules; *rule; rule++)
		claw_yaml_out_text(&out, *rule);
	claw_yaml_out_list_end(&out);
	claw_yaml_out_mapping_end(&out);
	return claw_yaml_out_end(&out);
}

int claw_sweep_plan_write(const struct claw_sweep *sweep,
			  const struct claw_sweep_group *group,
			  const struct claw_sweep_plan *plan,
			  const char *directory, char ***names)
{
	char *path = make_path(directory, group->signature, *names);
	FILE *stream = fopen(path, "we");
	int ret;

	if (!stream) {
		free(path);
		return -CLAW_E_IO;
	}
	ret = put_plan(stream, sweep, group, plan, path);
	if (fclose(stream) != 0)
		ret = -CLAW_E_IO;
	claw_list_add(names, path);
	return ret;
}
