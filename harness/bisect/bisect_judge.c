/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One commit or driver: build, run the command as often as asked, and judge it by
 * its exit status and its records. Doubt is "skip", never good or bad.
 */
#include "config.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bisect.h"
#include "bisect_found.h"
#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "harness/base/text.h"
#include "harness/base/text_clean.h"
#include "harness/base/text_list.h"
#include "harness/base/words.h"
#include "harness/files/directories.h"
#include "harness/process/runner.h"
#include "harness/records/past_run.h"

/* What openclaw itself has to end when we are interrupted takes a while. */
enum { GRACE_MS = 15000 };

/* ---- the command --------------------------------------------------------- */

/* "--name", "--name=VALUE", "-n", "-nVALUE" */
static bool has_option(char *const *command, const char *name)
{
	size_t length = strlen(name);
	bool is_short = name[1] != '-';

	for (; *command && strcmp(*command, "--") != 0; command++)
		if (strncmp(*command, name, length) == 0 && (is_short ||
		    !(*command)[length] || (*command)[length] == '='))
			return true;
	return false;
}

bool claw_bisect_command_fits(char *const *command, char *error, size_t size)
{
	static const char *const verbs[] = {
		"test", "check", "sweep", "inject", "explore", "cover", "run",
	};
	/* Where the records are, and what the exit status is, must be known. */
	static const char *const refused[] = {
		"--output", "-o", "--error-exitcode", "--resume", "--help",
	};
	bool is_known = false;

	for (size_t i = 0; i < sizeof(verbs) / sizeof(*verbs); i++)
		is_known |= strcmp(*command, verbs[i]) == 0;
	if (!is_known) {
		snprintf(error, size, "expected test, check, sweep, inject "
			 "--judge, explore, cover or run after --, found \"%s\"",
			 *command);
		return false;
	}
	for (size_t i = 0; i < sizeof(refused) / sizeof(*refused); i++)
		if (has_option(command, refused[i])) {
			snprintf(error, size, "the command must not have the "
				 "option %s", refused[i]);
			return false;
		}
	if (strcmp(*command, "inject") == 0 && !has_option(command, "--judge")) {
		snprintf(error, size, "inject needs --judge: without it the exit "
			 "status is the program's own");
		return false;
	}
	return true;
}

/* "openclaw VERB --output DIR ARGUMENT..."; the caller frees the array alone. */
static char **command_of(const struct claw_bisect_question *question,
			 char *directory)
{
	size_t count = 0;
	char **argv;

	while (question->command[count])
		count++;
	argv = claw_calloc(count + 4, sizeof(*argv));
	argv[0] = (char *)(uintptr_t)CLAW_BISECT_SELF;
	argv[1] = question->command[0];
	argv[2] = (char *)(uintptr_t)"--output";
	argv[3] = directory;
	memcpy(argv + 4, question->command + 1, (count - 1) * sizeof(*argv));
	return argv;
}

/* ---- objects ------------------------------------------------------------- */

static json_t *answer_object(const char *answer)
{
	return claw_made(json_pack("{s:s}", "answer", answer));
}

json_t *claw_bisect_skip(int status, const char *format, ...)
{
	json_t *object = answer_object("skip");
	char *why, *clean;
	va_list args;

	va_start(args, format);
	why = claw_vformat(format, args);
	va_end(args);
	clean = claw_text_clean(why, strlen(why));	/* JSON has UTF-8 */
	json_object_set_new(object, "status", json_integer(status));
	json_object_set_new(object, "why", json_string(clean));
	free(clean);
	free(why);
	return object;
}

const char *claw_bisect_text(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));

	return text ? text : "";
}

bool claw_bisect_is(const json_t *object, const char *answer)
{
	return strcmp(claw_bisect_text(object, "answer"), answer) == 0;
}

/* list is freed; NULL is none. */
static void set_list(json_t *object, const char *key, char **list)
{
	json_t *array = list ? json_array() : NULL;

	for (char **text = list; text && *text; text++) {
		char *clean = claw_text_clean(*text, strlen(*text));

		json_array_append_new(array, json_string(clean));
		free(clean);
	}
	if (array)
		json_object_set_new(object, key, array);
	claw_list_free(list);
}

/* ---- how a process ended ------------------------------------------------- */

/* What it said last of itself; malloced, or NULL. */
static char *last_words(const struct claw_run_result *result)
{
	static const char mark[] = "openclaw: ";
	char *text = claw_capture_text(&result->out), *found = NULL;

	for (char *line = text; line && *line;) {
		size_t length = strcspn(line, "\n");

		if (claw_begins(line, mark)) {
			free(found);
			found = claw_strndup(line + strlen(mark),
					     length - strlen(mark));
		}
		line += length + (line[length] == '\n');
	}
	free(text);
	return found;
}

/* Why no answer can be had of it; NULL: it ended by itself. */
static json_t *ended_badly(const struct claw_run_result *result,
			   const char *program, uint64_t timeout_ms)
{
	switch (result->end) {
	case CLAW_END_EXIT:
		return NULL;
	case CLAW_END_SIGNAL:
		return claw_bisect_skip(0, "%s was killed by %s", program,
					claw_signal_name(result->code));
	case CLAW_END_TIMEOUT:
		return claw_bisect_skip(0, "%s did not exit within %g s", program,
					(double)timeout_ms / 1e3);
	case CLAW_END_NOT_FOUND:
	case CLAW_END_NOT_EXECUTABLE:
	case CLAW_END_CANCELLED:
	case CLAW_END_INFRA:
		break;
	}
	return claw_bisect_skip(CLAW_EXIT_INFRA, "cannot start %s: %s", program,
				strerror(result->code));
}

static int start(const struct claw_bisect_question *question,
		 const struct claw_bisect_place *place, char *const *argv,
		 const char *log, struct claw_run_result *ret_result)
{
	const struct claw_run_spec spec = {
		.argv = argv, .set_env = place->set_env,
		.directory = place->directory, .stdout_path = log,
		.merge_stderr = true, .timeout_ms = question->timeout_ms,
		.grace_ms = GRACE_MS,
	};
	int ret = claw_run_once(&spec, ret_result);

	if (ret < 0)
		*ret_result = (struct claw_run_result) {
			.end = CLAW_END_INFRA, .code = 0,
		};
	return ret > 0 ? ret : 0;
}

/* NULL: it is built, or *ret_signal is set. */
static json_t *build(const struct claw_bisect_question *question,
		     const struct claw_bisect_place *place, int *ret_signal)
{
	char *argv[] = { (char *)(uintptr_t)"sh", (char *)(uintptr_t)"-c",
			 (char *)(uintptr_t)question->build, NULL };
	char *log = claw_path_in(place->outputs, "build.log");
	struct claw_run_result result;
	json_t *object;

	*ret_signal = start(question, place, argv, log, &result);
	object = *ret_signal ? NULL :
		ended_badly(&result, "the build", question->timeout_ms);
	if (!*ret_signal && !object && result.code != 0)
		object = claw_bisect_skip(0, "the build failed with exit status "
					  "%d: %s", result.code, log);
	claw_run_result_release(&result);
	free(log);
	return object;
}

/* ---- one run ------------------------------------------------------------- */

/* Planned and without a result: a budget was used up. malloced. */
static char *not_run(const struct claw_past_run *run)
{
	size_t count = 0;

	for (size_t i = 0; i < run->planned_count; i++)
		count += !run->planned[i].elsewhere &&
			!claw_past_run_has_result_of(run,
				claw_planned_key(&run->planned[i]));
	return count ? claw_format("%zu of %zu planned cases were not run", count,
				   run->planned_count) : NULL;
}

static json_t *times_of(const struct claw_past_run *run)
{
	json_t *times = json_object();

	for (size_t i = 0; i < run->result_count; i++) {
		const struct claw_result *result = &run->results[i];
		char *key;

		if (claw_verdict_class(result->verdict) != 'p' ||
		    !result->duration_us)
			continue;
		key = claw_case_key_text(claw_result_key(result));
		json_object_set_new(times, key, json_integer(
			(json_int_t)result->duration_us));
		free(key);
	}
	return times;
}

/* Of a run that ended with 0 or 1. */
static json_t *answer_of(const struct claw_bisect_question *question,
			 const struct claw_past_run *run, int status)
{
	char *missing = not_run(run), *hidden = NULL, **keys = NULL;
	bool is_bad = status == CLAW_EXIT_FINDINGS;
	json_t *object;

	if (question->finding) {
		is_bad = claw_bisect_found_has(run, question->finding,
					       question->keys, &keys);
		hidden = is_bad ? NULL : claw_bisect_found_hidden(run);
	}
	if (question->is_slower)
		object = answer_object("measured");
	else if (is_bad)
		object = answer_object("bad");
	else if (missing)
		object = claw_bisect_skip(0, "nothing found, but %s", missing);
	else if (hidden)
		object = claw_bisect_skip(0, "the finding cannot be seen after %s",
					  hidden);
	else
		object = answer_object("good");
	set_list(object, "keys", keys);
	set_list(object, "shown", claw_bisect_found_lines(run));
	if (question->is_slower)
		json_object_set_new(object, "times", claw_made(json_pack("[o]",
			times_of(run))));
	free(missing);
	free(hidden);
	return object;
}

static json_t *judge_records(const struct claw_bisect_question *question,
			     const char *directory, int status)
{
	struct claw_past_run *run;
	char error[4096];
	json_t *object;

	if (claw_past_run_read(directory, &run, error, sizeof(error)) < 0)
		return claw_bisect_skip(0, "no records: %s", error);
	if (run->complete && !run->cancelled)
		object = answer_of(question, run, status);
	else
		object = claw_bisect_skip(0, "%s: the records are incomplete",
					  directory);
	claw_past_run_free(run);
	return object;
}

static json_t *judge_exit(const struct claw_bisect_question *question,
			  const char *directory, const char *log,
			  const struct claw_run_result *result)
{
	json_t *object = ended_badly(result, "openclaw", question->timeout_ms);
	char *words;

	if (object)
		return object;
	if (result->code == CLAW_EXIT_CLEAN || result->code == CLAW_EXIT_FINDINGS)
		return judge_records(question, directory, result->code);
	words = last_words(result);
	object = claw_bisect_skip(result->code, "exit status %d: %s",
				  result->code, words ? words : log);
	free(words);
	return object;
}

static json_t *run_command(const struct claw_bisect_question *question,
			   const struct claw_bisect_place *place,
			   unsigned long number, int *ret_signal)
{
	char *directory = claw_format("%s/run-%lu", place->outputs, number);
	char *log = claw_format("%s/run-%lu.log", place->outputs, number);
	char **argv = command_of(question, directory);
	struct claw_run_result result;
	json_t *object = NULL;

	*ret_signal = start(question, place, argv, log, &result);
	if (!*ret_signal)
		object = judge_exit(question, directory, log, &result);
	claw_run_result_release(&result);
	free(argv);
	free(log);
	free(directory);
	return object;
}

/* ---- all runs ------------------------------------------------------------ */

/* What a further run shows is added; or they differ. next is freed. */
static json_t *join(json_t *object, json_t *next)
{
	const char *before = claw_bisect_text(object, "answer");
	const char *after = claw_bisect_text(next, "answer");
	json_t *differ;

	if (strcmp(before, after) == 0) {
		json_array_extend(json_object_get(object, "times"),
				  json_object_get(next, "times"));
		json_decref(next);
		return object;
	}
	if (claw_bisect_is(next, "skip")) {
		json_decref(object);
		return next;
	}
	differ = claw_bisect_skip(0, "answers differ: %s, then %s", before, after);
	json_decref(object);
	json_decref(next);
	return differ;
}

json_t *claw_bisect_judge(const struct claw_bisect_question *question,
			  const struct claw_bisect_place *place,
			  int *ret_signal)
{
	/* The first one fills caches: its time does not count. */
	unsigned long warm_up = question->is_slower;
	json_t *object = NULL, *next;

	*ret_signal = 0;
	if (claw_make_directories(place->outputs) < 0)
		return claw_bisect_skip(CLAW_EXIT_INFRA, "cannot make %s",
					place->outputs);
	if (question->build)
		object = build(question, place, ret_signal);
	if (object || *ret_signal)
		return object;
	for (unsigned long i = 1; i <= question->repeat + warm_up; i++) {
		next = run_command(question, place, i, ret_signal);
		if (*ret_signal) {
			json_decref(object);
			return NULL;
		}
		if (i <= warm_up && claw_bisect_is(next, "measured")) {
			json_decref(next);
			continue;
		}
		object = object ? join(object, next) : next;
		if (claw_bisect_is(object, "skip"))
			break;
	}
	return object;
}
