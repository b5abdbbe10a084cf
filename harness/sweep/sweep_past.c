/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Read the records of a sweep that goes on.
 */
#include "config.h"

#include "sweep_past.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "sweep_look.h"
#include "harness/base/text.h"
#include "harness/base/text_list.h"

#define THEN ", then "

/* One word of a command line as the records have it: '...' and '\'' quote.
 * Returns what follows. */
static const char *take_word(const char *text, char **ret_word)
{
	char *word = claw_malloc(strlen(text) + 1), *out = word;
	bool quoted = false;

	for (; *text && (quoted || *text != ' '); text++) {
		if (*text == '\'')
			quoted = !quoted;
		else if (*text == '\\' && !quoted && text[1])
			*out++ = *++text;
		else
			*out++ = *text;
	}
	*out = '\0';
	*ret_word = word;
	return text;
}

static void split_command(const char *text, struct claw_sweep_past *past)
{
	char *word;

	while (*text) {
		text = take_word(text, &word);
		claw_list_add(&past->argv, word);
		past->argc++;
		text += *text == ' ';
	}
}

/* Of a point; all have one configuration. */
static struct claw_case_key key_of(const struct claw_sweep_past *past,
				   const char *name)
{
	const struct claw_past_run *run = past->run;

	return (struct claw_case_key) {
		"sweep", name, run->planned_count > 0 ?
		run->planned[0].configuration : NULL,
	};
}

static bool has_result(const struct claw_sweep_past *past, const char *name)
{
	return claw_past_run_find(past->run, key_of(past, name)) != NULL;
}

static bool is_whole(const struct claw_sweep_past *past)
{
	const struct claw_past_run *run = past->run;

	for (size_t i = 0; i < run->planned_count; i++)
		if (!run->planned[i].elsewhere &&
		    !has_result(past, run->planned[i].name))
			return false;
	return run->complete && !run->cancelled;
}

/* Its pieces have the results. */
static bool is_batch(const char *directory)
{
	char *path = claw_path_in(directory, "batch.json");
	bool is = access(path, F_OK) == 0;

	free(path);
	return is;
}

int claw_sweep_past_read(const char *directory,
			 struct claw_sweep_past *ret_past, char *error,
			 size_t error_size)
{
	struct claw_sweep_past past = { .run = NULL };
	int ret = claw_past_run_read(directory, &past.run, error, error_size);

	if (ret < 0)
		return ret;
	if (!past.run->verb || strcmp(past.run->verb, "sweep") != 0) {
		snprintf(error, error_size, "%s is not the output directory of "
			 "a sweep", directory);
		ret = -CLAW_E_USAGE;
	} else if (!claw_begins(past.run->command ? past.run->command : "",
				"sweep")) {
		snprintf(error, error_size, "%s was merged from several "
			 "sweeps; resume one of those", directory);
		ret = -CLAW_E_USAGE;
	} else if (is_batch(directory)) {
		snprintf(error, error_size, "%s is a sweep with --on; continue "
			 "it with \"openclaw report merge --follow %s\"",
			 directory, directory);
		ret = -CLAW_E_USAGE;
	} else if (is_whole(&past)) {
		snprintf(error, error_size, "%s holds a finished sweep",
			 directory);
		ret = -CLAW_E_USAGE;
	} else {
		split_command(past.run->command, &past);
		past.seed = past.run->seed;
	}
	if (ret < 0)
		claw_sweep_past_release(&past);
	else
		*ret_past = past;
	return ret;
}

void claw_sweep_past_release(struct claw_sweep_past *past)
{
	claw_past_run_free(past->run);
	claw_list_free(past->argv);
	*past = (struct claw_sweep_past) { .run = NULL };
}

bool claw_sweep_past_has_planned(const struct claw_sweep_past *past,
				 const char *name)
{
	return claw_past_run_find_planned(past->run, key_of(past, name)) !=
		NULL;
}

uint64_t claw_sweep_past_spent_ms(const struct claw_sweep_past *past)
{
	uint64_t spent_ms = 0;

	for (size_t i = 0; i < past->run->result_count; i++)
		if (past->run->results[i].spent_ms > spent_ms)
			spent_ms = past->run->results[i].spent_ms;
	return spent_ms;
}

/* Has the point shown others? */
static bool has_shown(const struct claw_sweep_past *past, const char *name)
{
	size_t length = strlen(name);

	for (size_t i = 0; i < past->run->planned_count; i++) {
		const char *other = past->run->planned[i].name;

		if (strncmp(other, name, length) == 0 &&
		    claw_begins(other + length, THEN))
			return true;
	}
	return false;
}

static bool has_point(const struct claw_sweep *sweep, const char *name)
{
	for (size_t i = 0; i < sweep->points.count; i++)
		if (strcmp(sweep->points.items[i].name, name) == 0)
			return true;
	return false;
}

/* What it was before somebody accepted it. */
static enum claw_verdict verdict_of(const struct claw_result *result)
{
	int expected = result->verdict == CLAW_XFAIL && result->expects ?
		claw_verdict_find(result->expects) : -1;

	return expected < 0 ? result->verdict : (enum claw_verdict)expected;
}

static void take_point(const struct claw_sweep_past *past,
		       struct claw_sweep *sweep, size_t index)
{
	const char *name = sweep->points.items[index].name;
	struct claw_sweep_outcome *outcome = &sweep->outcomes[index];
	const struct claw_result *result =
		claw_past_run_find(past->run, key_of(past, name));

	if (!result || outcome->state == CLAW_SWEEP_ELSEWHERE)
		return;
	outcome->look = claw_sweep_look_of_signature(sweep, result->seen);
	claw_sweep_know(sweep, index, verdict_of(result), result->seen,
			result->message, result->detail);
	claw_sweep_know_first_run(sweep, index, result->first_run);
	if (has_shown(past, name)) {
		outcome->state = CLAW_SWEEP_WAITING;
		outcome->recorded = (size_t)(result - past->run->results) + 1;
	}
}

int claw_sweep_past_take(const struct claw_sweep_past *past,
			 struct claw_sweep *sweep, size_t from)
{
	const struct claw_past_run *run = past->run;

	for (size_t i = 0; from == 0 && i < run->planned_count; i++)
		if (!strstr(run->planned[i].name, THEN) &&
		    !has_point(sweep, run->planned[i].name))
			return -CLAW_E_NOT_FOUND;
	for (size_t i = from; i < sweep->points.count; i++)
		take_point(past, sweep, i);
	return 0;
}
