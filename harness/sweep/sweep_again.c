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

#include "harness/session/door.h"
#include "harness/base/errors.h"
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

struct line {
	char **words;
	int error;
};

static void add(struct line *line, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void add(struct line *line, const char *format, ...)
{
	char *word = NULL;
	va_list args;

	va_start(args, format);
	word = claw_vformat(format, args);
	va_end(args);
	claw_list_add(&line->words, word);
}

static void add_option(struct line *line, const char *name, const char *value)
{
	if (!value)
		return;
	add(line, "--%s", name);
	add(line, "%s", value);
}

static bool needs_judge(const struct claw_sweep *sweep,
			enum claw_verdict verdict)
{
	const struct claw_judged_setup *setup = &sweep->baseline.setup;

	return (verdict != CLAW_CRASH && verdict != CLAW_HANG) ||
		setup->prepare || setup->cleanup ||
		claw_judged_names_directory(setup);
}

/* All words, "openclaw" first. output: of --judge, or NULL. plan: a file in
 * place of the faults, or NULL. */
static void make_line(const struct claw_sweep *sweep, size_t point,
		      enum claw_verdict verdict, const char *output,
		      const char *plan, struct line *line)
{
	const struct claw_judge *judge = sweep->how->judge;
	struct claw_sweep_runs runs =
		claw_sweep_runs_of(sweep, sweep->outcomes[point].look);
	bool judged = needs_judge(sweep, verdict);
	size_t count = 0;
	char **rules = claw_sweep_point_rules(&sweep->points, point, &count);

	add(line, "openclaw");
	add(line, "inject");
	if (*claw_via_option())
		add_option(line, "via", claw_via_given);
	for (size_t i = 0; i < sweep->how->models.count; i++)
		add_option(line, "model", sweep->how->models.items[i]);
	if (judged) {
		add(line, "--judge");
		if (sweep->how->strict)
			add(line, "--strict");
		if (judge->leak_check_all)
			add_option(line, "leak-check", "all");
		if (judge->config.find & CLAW_FOUND_GUARDS)
			add(line, "--guards");
		for (size_t i = 0; i < judge->artifacts.count; i++)
			add_option(line, "artifact", judge->artifacts.items[i]);
		add_option(line, "artifact-filter", judge->artifact_filter);
		add_option(line, "output-filter", judge->output_filter);
		add_option(line, "prepare", judge->prepare);
		add_option(line, "cleanup", judge->cleanup);
		if (judge->strict_output)
			add(line, "--strict-output");
		if (judge->trust_status)
			add(line, "--trust-exit-status");
		add_option(line, "output", output);
	}
	if (runs.tool) {
		add_option(line, "under", runs.tool->under.row->name);
		add_option(line, "icd", runs.tool->config.icd);
	}
	add_option(line, "stdin", judge->stdin_path);
	if (verdict == CLAW_HANG || sweep->how->timeout_ms) {
		add(line, "--timeout");
		add(line, "%" PRIu64 "ms", runs.limit_ms);
	}
	add_option(line, "plan", plan);
	for (size_t i = 0; !plan && rules && i < count; i++)
		add_option(line, "fault", rules[i]);
	add(line, "--seed");
	add(line, "%" PRIu64, judge->config.seed);
	add(line, "--");
	for (char *const *word = judge->argv; *word; word++)
		add(line, "%s", *word);
	if (!rules)
		line->error = -CLAW_E_NO_MEMORY;
	free(rules);
}

/* What a person pastes; the words are freed. */
static char *take_text(const struct line *line)
{
	char *text = NULL;
	size_t size;
	FILE *out = claw_text_begin(&text, &size);

	for (char **word = line->words; out && word && *word; word++) {
		char *quoted = claw_shell_quote_printable(*word);

		fprintf(out, "%s%s", word == line->words ? "" : " ",
			quoted ? quoted : *word);
		free(quoted);
	}
	claw_list_free(line->words);
	if (out && fclose(out) == 0 && line->error == 0)
		return text;
	free(text);
	return NULL;
}

char *claw_sweep_again_line(const struct claw_sweep *sweep, size_t point,
			    enum claw_verdict verdict)
{
	struct line line = { NULL, 0 };

	make_line(sweep, point, verdict, NULL, NULL, &line);
	return take_text(&line);
}

char *claw_sweep_again_plan_line(const struct claw_sweep *sweep,
				 const struct claw_sweep_group *group,
				 const char *path)
{
	struct line line = { NULL, 0 };

	make_line(sweep, group->first, group->verdict, NULL, path, &line);
	return take_text(&line);
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
		why = "it gave no verdict";
	} else if (past->results[0].verdict != verdict) {
		snprintf(text, sizeof(text), "it was %s",
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
	snprintf(text, sizeof(text), "it ended with exit status %d",
		 result->code);
	return text;
}

/* One try. Why it did not do the same, or NULL. */
static const char *run_line(const struct claw_sweep *sweep,
			    const struct claw_sweep_group *group,
			    const struct line *line, const char *directory,
			    bool *ret_ended)
{
	struct claw_sweep_runs runs = claw_sweep_runs_of(sweep,
		sweep->outcomes[group->first].look);
	struct claw_run_spec spec = {
		.argv = line->words,
		.stdin_mode = CLAW_STDIN_EMPTY,
		.timeout_ms = ROUNDS * runs.limit_ms + 60000,
		.no_core = true,
	};
	struct claw_run_result result;
	const char *why;
	char *environment[] = { NULL, (char *)"GCOV_PREFIX_STRIP=0", NULL };
	int started;

	/* The user's own data of gcov stays as it is. */
	environment[0] = claw_format("GCOV_PREFIX=%s-gcov", directory);
	spec.set_env = environment;

	*ret_ended = false;
	claw_directory_remove(directory);
	started = claw_runner_run_one(sweep->how->judge->runner, &spec,
				      &result);
	free(environment[0]);
	if (started < 0)
		return "out of memory";
	*ret_ended = result.end == CLAW_END_EXIT ||
		result.end == CLAW_END_SIGNAL;
	if (!*ret_ended)
		why = result.end == CLAW_END_CANCELLED ? "it was cancelled" :
			"it did not end";
	else if (needs_judge(sweep, group->verdict))
		why = compare_records(directory, group->verdict);
	else
		why = compare_end(&result, group);
	claw_run_result_release(&result);
	claw_directory_remove(directory);
	return why;
}

int claw_sweep_again_check(const struct claw_sweep *sweep,
			   const struct claw_sweep_group *group,
			   const char *directory, char **ret_why)
{
	struct line line = { NULL, 0 };
	const char *why = NULL;
	bool ended = true;
	char *own;

	make_line(sweep, group->first, group->verdict, directory, NULL, &line);
	own = realpath("/proc/self/exe", NULL);
	if (line.error < 0 || !own) {
		claw_list_free(line.words);
		free(own);
		return -CLAW_E_NO_MEMORY;
	}
	free(line.words[0]);
	line.words[0] = own;
	for (int i = 0; i < TRIES && ended && (i == 0 || why); i++)
		why = run_line(sweep, group, &line, directory, &ended);
	claw_list_free(line.words);
	*ret_why = why ? claw_strdup(why) : NULL;
	return why && !*ret_why ? -CLAW_E_NO_MEMORY : 0;
}
