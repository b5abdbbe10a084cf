/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Crashes and hangs are shown by "openclaw inject" alone; what needs a
 * comparison, or commands around the run, by "openclaw inject --judge".
 */
#include "config.h"

#include "sweep_again.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness/session/called.h"
#include "harness/session/door.h"
#include "harness/session/icd_names.h"
#include "harness/session/fault_plan.h"
#include "harness/base/memory.h"
#include "harness/records/past_run.h"
#include "sweep_look.h"
#include "harness/base/text_list.h"

enum {
	EXIT_TIMEOUT = 124,	/* of openclaw inject */
	ROUNDS = 6,		/* limits: four runs, and room around them */
	TRIES = 3,		/* a race does not end alike each time */
};

static void add(char ***words, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void add(char ***words, const char *format, ...)
{
	char *word;
	va_list args;

	va_start(args, format);
	word = claw_vformat(format, args);
	va_end(args);
	claw_list_add(words, word);
}

static void add_option(char ***words, const char *name, const char *value)
{
	if (!value)
		return;
	add(words, "--%s", name);
	add(words, "%s", value);
}

static bool needs_judge(const struct claw_sweep *sweep,
			enum claw_verdict verdict)
{
	const struct claw_judged_setup *setup = &sweep->baseline.setup;

	return (verdict != CLAW_CRASH && verdict != CLAW_HANG) ||
		setup->prepare || setup->cleanup ||
		claw_judged_names_directory(setup);
}

/* All words, "openclaw" first; text_list.h. output: of --judge, or NULL. plan:
 * a file in place of the faults, or NULL. */
static char **make_line(const struct claw_sweep *sweep, size_t point,
			enum claw_verdict verdict, const char *output,
			const char *plan)
{
	const struct claw_judge *judge = sweep->how->judge;
	struct claw_sweep_runs runs =
		claw_sweep_runs_of(sweep, sweep->outcomes[point].look);
	bool judged = needs_judge(sweep, verdict);
	size_t count = 0;
	char **rules = claw_sweep_point_rules(&sweep->points, point, &count);
	char **line = NULL;

	add(&line, "openclaw");
	add(&line, "inject");
	if (*claw_via_option())
		add_option(&line, "via", claw_via_given);
	for (size_t i = 0; i < sweep->how->models.count; i++)
		add_option(&line, "model", sweep->how->models.items[i]);
	if (judged) {
		add(&line, "--judge");
		if (sweep->how->strict)
			add(&line, "--strict");
		if (judge->leak_check_all)
			add_option(&line, "leak-check", "all");
		if (judge->config.find & CLAW_FOUND_GUARDS)
			add(&line, "--guards");
		for (size_t i = 0; i < judge->artifacts.count; i++)
			add_option(&line, "artifact",
				   judge->artifacts.items[i]);
		add_option(&line, "artifact-filter", judge->artifact_filter);
		add_option(&line, "output-filter", judge->output_filter);
		add_option(&line, "prepare", judge->prepare);
		add_option(&line, "cleanup", judge->cleanup);
		if (judge->strict_output)
			add(&line, "--strict-output");
		if (judge->trust_status)
			add(&line, "--trust-exit-status");
		add_option(&line, "output", output);
	}
	if (runs.tool)
		add_option(&line, "under", runs.tool->under.row->name);
	add_option(&line, "icd", claw_icd_used);
	add_option(&line, "stdin", judge->stdin_path);
	if (verdict == CLAW_HANG || sweep->how->timeout_ms) {
		add(&line, "--timeout");
		add(&line, "%" PRIu64 "ms", runs.limit_ms);
	}
	add_option(&line, "plan", plan);
	for (size_t i = 0; !plan && i < count; i++)
		add_option(&line, "fault", rules[i]);
	add(&line, "--seed");
	add(&line, "%" PRIu64, judge->config.seed);
	add(&line, "--");
	for (char *const *word = judge->argv; *word; word++)
		add(&line, "%s", *word);
	free(rules);
	return line;
}

/* What a person pastes; the words are freed. */
static char *take_text(char **line)
{
	char *text = NULL;
	size_t size;
	FILE *out = claw_text_begin(&text, &size);

	for (char **word = line; *word; word++) {
		char *quoted = claw_shell_quote_printable(*word);

		fprintf(out, "%s%s", word == line ? "" : " ",
			word == line ? claw_called() : quoted);
		free(quoted);
	}
	claw_list_free(line);
	claw_text_end(out);
	return text;
}

char *claw_sweep_again_line(const struct claw_sweep *sweep, size_t point,
			    enum claw_verdict verdict)
{
	return take_text(make_line(sweep, point, verdict, NULL, NULL));
}

char *claw_sweep_again_plan_line(const struct claw_sweep *sweep,
				 const struct claw_sweep_group *group,
				 const char *path)
{
	return take_text(make_line(sweep, group->first, group->verdict, NULL,
				   path));
}

/* Did the judged run come to the same? */
static const char *compare_records(const char *directory,
				   enum claw_verdict verdict)
{
	static char text[128];
	struct claw_past_run *past = NULL;
	const char *why = NULL;
	char error[256];

	if (claw_past_run_read(directory, &past, error, sizeof(error)) < 0)
		return "it left no records";
	if (past->result_count == 0) {
		why = "no verdict";
	} else if (past->results[0].verdict != verdict) {
		snprintf(text, sizeof(text), "the confirming run ended in %s",
			 claw_verdict_name(past->results[0].verdict));
		why = text;
	}
	claw_past_run_free(past);
	return why;
}

static const char *compare_end(const struct claw_run_result *result,
			       const struct claw_sweep_group *group)
{
	static char text[128];

	if (group->verdict == CLAW_HANG)
		return result->end == CLAW_END_EXIT &&
			result->code == EXIT_TIMEOUT ? NULL : "it ended";
	if (result->end == CLAW_END_SIGNAL ||
	    (result->end == CLAW_END_EXIT && result->code > 128))
		return NULL;
	snprintf(text, sizeof(text), "it exited with status %d",
		 result->code);
	return text;
}

/* One try. Why it did not do the same, or NULL. */
static const char *run_line(const struct claw_sweep *sweep,
			    const struct claw_sweep_group *group,
			    char *const *line, const char *directory,
			    bool *ret_ended)
{
	struct claw_sweep_runs runs = claw_sweep_runs_of(sweep,
		sweep->outcomes[group->first].look);
	struct claw_run_spec spec = {
		.argv = line,
		.stdin_mode = CLAW_STDIN_EMPTY,
		.timeout_ms = ROUNDS * runs.limit_ms + 60000,
		.no_core = true,
	};
	struct claw_run_result result;
	const char *why;
	char *environment[] = { NULL, (char *)"GCOV_PREFIX_STRIP=0", NULL };

	/* The user's own data of gcov stays as it is. */
	environment[0] = claw_format("GCOV_PREFIX=%s-gcov", directory);
	spec.set_env = environment;
	claw_directory_remove(directory);
	claw_runner_run_one(sweep->how->judge->runner, &spec, &result);
	free(environment[0]);
	*ret_ended = result.end == CLAW_END_EXIT ||
		result.end == CLAW_END_SIGNAL;
	if (!*ret_ended)
		why = result.end == CLAW_END_CANCELLED ? "cancelled" :
			"timed out";
	else if (needs_judge(sweep, group->verdict))
		why = compare_records(directory, group->verdict);
	else
		why = compare_end(&result, group);
	claw_run_result_release(&result);
	claw_directory_remove(directory);
	return why;
}

bool claw_sweep_again_check(const struct claw_sweep *sweep,
			    const struct claw_sweep_group *group,
			    const char *directory, char **ret_why)
{
	char *own = realpath("/proc/self/exe", NULL), **line;
	const char *why = NULL;
	bool ended = true;

	if (!own)
		return false;
	line = make_line(sweep, group->first, group->verdict, directory, NULL);
	free(line[0]);
	line[0] = own;
	for (int i = 0; i < TRIES && ended && (i == 0 || why); i++)
		why = run_line(sweep, group, line, directory, &ended);
	claw_list_free(line);
	*ret_why = claw_strdup_or_null(why);
	return true;
}
