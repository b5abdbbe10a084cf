/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One exploration: engines in processes of their own, which a kernel may end.
 * One that ended is started again, and the case that it ran is a finding. At
 * last one makes the findings' cases small.
 */
#include "config.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "explore.h"
#include "faults/shared/clock.h"
#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "harness/base/options.h"
#include "harness/base/paths.h"
#include "harness/base/text.h"
#include "harness/process/runner.h"

enum {
	RESTARTS = 24, TICK_MS = 500, LATE_MS = 240000,
	EXIT_HANG = 70,			/* libFuzzer's */
};

enum task { SEARCH, FINISH, EMIT, SMALLER };

/* One engine, as it is started. */
struct start {
	struct claw_exploration *of;
	struct claw_runner *runner;
	unsigned int number;
	char *words[18], *log;
	struct claw_run_spec spec;
};

/* ---- the directory ---------------------------------------------------------- */

static int make_folders(const struct claw_exploration *what)
{
	char *corpus = claw_path_in(what->directory, "corpus");
	int ret = 0;

	if (!what->given->resume)
		claw_directory_remove(what->directory);
	if ((mkdir(what->directory, 0777) < 0 && errno != EEXIST) ||
	    (mkdir(corpus, 0777) < 0 && errno != EEXIST))
		ret = -CLAW_E_IO;
	free(corpus);
	return ret;
}

static int write_about(const struct claw_exploration *what)
{
	char *path = claw_path_in(what->directory, "kernel.json");
	const struct claw_explore_file *is = what->file;
	char *file = realpath(is->path, NULL);
	char *source = realpath(is->source_path, NULL);
	json_t *about = claw_made(json_pack(
		"{s:O, s:I, s:O, s:O, s:s, s:s, s:s, s:s, s:s*}", "kernel",
		what->about, "max_group", (json_int_t)is->answer.max_group,
		"launches", what->launches, "assume", is->assume,
		"file", file ? file : is->path,
		"source_file", source ? source : is->source_path, "source",
		is->source, "text", is->text, "options", is->options));
	int ret = json_dump_file(about, path, 0) ? -CLAW_E_IO : 0;

	json_decref(about);
	free(source);
	free(file);
	free(path);
	return ret;
}

static int open_session(struct claw_exploration *what)
{
	struct claw_session_config config = {
		.record = CLAW_RECORD_NONE,
		.probes = {
			.modes = CLAW_PROBE_HIT | CLAW_PROBE_CHECKS,
			.verify = "none", .print_limit = 1,
		},
	};
	char *directory = claw_path_in(what->directory, "session");
	int ret;

	claw_directory_remove(directory);
	ret = claw_session_new(directory, NULL, 0, &config, &what->session);
	free(directory);
	/* There is an engine a core: a launch on more of them waits for all. */
	if (ret == 0 && !getenv("POCL_MAX_PTHREAD_COUNT"))
		ret = claw_session_setenv(what->session,
					  "POCL_MAX_PTHREAD_COUNT", "1");
	if (ret == 0 && what->given->device)
		ret = claw_session_setenv(what->session, "CLW_DEVICE_ID",
					  what->given->device);
	return ret;
}

/* ---- engines ------------------------------------------------------------------ */

static uint64_t left_ms(const struct claw_exploration *what)
{
	uint64_t spent = claw_clock_mono_ms() - what->start_ms;

	return spent < what->given->budget_ms ?
		what->given->budget_ms - spent : 0;
}

/* With the time of the explorations that it continues. */
static uint64_t now_ms(const struct claw_exploration *what)
{
	return what->state->milliseconds + claw_clock_mono_ms() -
		what->start_ms;
}

static void add_word(struct start *start, char *word)
{
	unsigned int i = 0;

	while (start->words[i])
		i++;
	start->words[i] = word;
}

static void fill_words(struct start *start, enum task task)
{
	const struct claw_exploration *what = start->of;

	for (unsigned int i = 0; start->words[i]; i++)
		free(start->words[i]);
	memset(start->words, 0, sizeof(start->words));
	add_word(start, claw_libexec_program(CLAW_EXPLORE_PROGRAM));
	add_word(start, claw_format("--directory=%s", what->directory));
	add_word(start, claw_format("--number=%u", start->number));
	add_word(start, claw_format("--seed=%" PRIu64, what->given->seed +
				    start->number + 97 * what->restarts));
	add_word(start, claw_format("--seconds=%" PRIu64,
				    (left_ms(what) + 999) / 1000 + !left_ms(what)));
	add_word(start, claw_format("--offset=%" PRIu64,
				    now_ms(what)));
	if (what->given->unguided)
		add_word(start, claw_strdup("--unguided"));
	if (task == FINISH)
		add_word(start, claw_strdup("--finish"));
	if (task == EMIT || task == SMALLER)
		add_word(start, claw_format("--ulp=%" PRIu64, what->given->ulp));
	if (task == SMALLER)
		add_word(start, claw_format("--smaller=%s", what->to_shrink));
	if (task != EMIT)
		return;
	if (what->given->emit_suite)
		add_word(start, claw_strdup("--emit"));
	if (what->given->expect)
		add_word(start, claw_strdup("--expect"));
	if (what->given->against.count)
		add_word(start, claw_strdup("--compare"));
}

static void begin_start(struct claw_exploration *what, unsigned int number,
			struct claw_runner *runner, const char *log,
			struct start *start)
{
	*start = (struct start) {
		.of = what, .runner = runner, .number = number,
	};
	start->log = claw_format("%s/%s", what->directory, log);
	start->spec = (struct claw_run_spec) {
		.argv = start->words, .set_env = what->session->environment,
		.stdout_path = start->log, .merge_stderr = true,
		.no_core = true, .head_bytes = 4096, .tail_bytes = 4096,
	};
}

static void end_start(struct start *start)
{
	for (unsigned int i = 0; start->words[i]; i++)
		free(start->words[i]);
	free(start->log);
}

/* The kernel ended it, or did not end. */
static void note_end(struct start *start, const struct claw_run_result *result)
{
	struct claw_exploration *what = start->of;
	struct claw_explore_slot *slot = &what->state->engines[start->number];
	bool hangs = result->end == CLAW_END_TIMEOUT ||
		(result->end == CLAW_END_EXIT && result->code == EXIT_HANG);
	struct claw_probe_found found = {
		.why = hangs ? CLAW_EXPLORE_HANG : CLAW_EXPLORE_CRASH,
	};

	if (!slot->is_running)
		return;
	slot->is_running = 0;
	what->state->lock = 0;
	claw_explore_state_add(what->state, &what->plan, &slot->what, &found,
			       now_ms(what));
}

static void ended(struct claw_run_result *result, void *user)
{
	struct start *start = user;
	struct claw_exploration *what = start->of;

	if (result->end == CLAW_END_CANCELLED) {
		what->is_cancelled = true;
		return;
	}
	if (result->end == CLAW_END_EXIT && result->code == 0)
		return;
	note_end(start, result);
	if (left_ms(what) < 1000 || what->restarts >= RESTARTS ||
	    (result->end == CLAW_END_EXIT &&
	     result->code == CLAW_EXIT_SKIPPED))
		return;
	what->restarts++;
	fill_words(start, SEARCH);
	start->spec.timeout_ms = left_ms(what) + LATE_MS;
	start->spec.exact_timeout = true;
	claw_runner_add(start->runner, &start->spec, ended, start);
}

static void tick(void *user)
{
	claw_exploration_progress(user, stderr);
}

static int run_engines(struct claw_exploration *what)
{
	struct claw_runner *runner = claw_runner_new(what->engines);
	struct start starts[CLAW_EXPLORE_ENGINES];

	if (!runner)
		return -CLAW_E_SPAWN;
	claw_runner_set_tick(runner, TICK_MS, tick, what);
	what->start_ms = claw_clock_mono_ms();
	what->launches_before = what->state->launches;
	for (unsigned int i = 0; i < what->engines; i++) {
		char *log = claw_format("engine-%u.log", i);

		begin_start(what, i, runner, log, &starts[i]);
		free(log);
		fill_words(&starts[i], SEARCH);
		starts[i].spec.timeout_ms = what->given->budget_ms + LATE_MS;
		starts[i].spec.exact_timeout = true;
		claw_runner_add(runner, &starts[i].spec, ended, &starts[i]);
	}
	if (claw_runner_run(runner) > 0)
		what->is_cancelled = true;
	for (unsigned int i = 0; i < what->engines; i++)
		end_start(&starts[i]);
	claw_runner_free(runner);
	what->spent_ms = claw_clock_mono_ms() - what->start_ms;
	return 0;
}

/* One engine alone. ret_json: what it wrote to that file, or NULL. */
static int run_alone(struct claw_exploration *what, enum task task,
		     const char *log, const char *file, json_t **ret_json)
{
	struct claw_run_result result = { 0 };
	char *path = claw_path_in(what->directory, file);
	struct start start;
	int ret;

	unlink(path);
	begin_start(what, CLAW_EXPLORE_ENGINES - 1, NULL, log, &start);
	fill_words(&start, task);
	start.spec.timeout_ms = 2 * LATE_MS;
	ret = claw_run_once(&start.spec, &result);
	what->is_cancelled |= ret > 0 || result.end == CLAW_END_CANCELLED;
	if (ret == 0 && result.end == CLAW_END_EXIT && result.code == 0)
		*ret_json = claw_explore_json(path);
	claw_run_result_release(&result);
	end_start(&start);
	free(path);
	return ret < 0 ? ret : 0;
}

static int finish(struct claw_exploration *what)
{
	int ret = run_alone(what, FINISH, "finish.log", "result.json",
			    &what->result);

	what->state->milliseconds += what->spent_ms;
	return ret;
}

static void remove_folder(const struct claw_exploration *what,
			  const char *name)
{
	char *path = claw_path_in(what->directory, name);

	claw_directory_remove(path);
	free(path);
}

static void remove_smaller(const struct claw_exploration *what, size_t target)
{
	static const char *const ends[] = { "clw", "case" };

	for (int i = 0; i < 2; i++) {
		char *path = claw_format("%s/%s-against-%zu.%s", what->directory,
					 what->plan.kernel.name, target + 1,
					 ends[i]);

		unlink(path);
		free(path);
	}
}

/* Kernel files of an earlier command are of other lengths. */
static int emit(struct claw_exploration *what)
{
	json_t *emitted = NULL;
	int ret;

	remove_folder(what, CLAW_COMPARED_FOLDER);
	for (size_t i = 0; i < what->given->against.count; i++)
		remove_smaller(what, i);
	if (what->given->emit_suite)
		remove_folder(what, "suite");
	ret = run_alone(what, EMIT, "emit.log", "emitted.json", &emitted);
	if (emitted)
		json_object_update(what->result, emitted);
	what->is_written = emitted != NULL;
	json_decref(emitted);
	return ret;
}

/* ---- other devices ------------------------------------------------------------------ */

/* A file for claw_against_run(). */
static int make_smaller(void *user, const char *path, unsigned int *ret_count)
{
	struct claw_exploration *what = user;
	json_t *made = NULL;
	int ret;

	remove_folder(what, CLAW_SMALLER_FOLDER);
	what->to_shrink = path;
	ret = run_alone(what, SMALLER, "smaller.log", "smaller.json", &made);
	*ret_count = (unsigned int)json_integer_value(json_object_get(made,
								      "smaller"));
	if (ret == 0 && !made)
		ret = -CLAW_E_SPAWN;
	json_decref(made);
	return what->is_cancelled ? -CLAW_E_CANCELLED : ret;
}

static void say_against(void *user, const char *words, const char *target)
{
	claw_exploration_say_step(user, words, target, stderr);
}

static void compare(struct claw_exploration *what)
{
	const json_t *left = json_object_get(what->result, "not_to_compare");
	const struct claw_against against = {
		.given = what->given, .directory = what->directory,
		.kernel = what->plan.kernel.name,
		.count = (unsigned int)json_integer_value(json_object_get(
			what->result, "to_compare")),
		.make_smaller = make_smaller, .say = say_against, .user = what,
	};

	for (size_t i = 0; i < what->compared_count; i++) {
		what->compared[i].left_out =
			(unsigned int)json_integer_value(left);
		if (!what->is_written)
			what->compared[i].why_not = claw_strdup(
				"a launch ended the process that writes the "
				"inputs, see emit.log");
	}
	if (what->is_written && claw_against_run(&against, what->compared) < 0)
		what->is_cancelled = true;
}

/* ---- all of it -------------------------------------------------------------------- */

/* Of the files given, those of the kernel. */
static json_t *read_launches(const struct claw_exploration *what,
			     const struct claw_explore_kernel *kernel)
{
	json_t *list = claw_made(json_array());

	for (struct claw_clw **clw = what->file->launches; *clw; clw++)
		for (size_t i = 0; i < (*clw)->test_count; i++) {
			const struct claw_clw_test *test = &(*clw)->tests[i];

			if (test->kernel &&
			    strcmp(test->kernel, kernel->name) == 0)
				json_array_append_new(list,
					claw_explore_launch_of(kernel, test));
		}
	return list;
}

static int prepare(struct claw_exploration *what)
{
	struct claw_explore_kernel kernel;
	int ret = claw_explore_kernel_read(what->about, what->file->text,
					   what->file->options, &kernel,
					   &what->why_not);

	if (ret < 0)
		return what->why_not ? 0 : ret;
	claw_explore_plan_make(&kernel, what->file->answer.max_group,
			       &what->plan);
	what->launches = read_launches(what, &kernel);
	claw_explore_plan_restrict(&what->plan, what->launches);
	ret = make_folders(what);
	if (ret == 0)
		ret = write_about(what);
	if (ret == 0)
		ret = claw_explore_state_open(what->directory, &what->state);
	return ret < 0 ? ret : open_session(what);
}

int claw_exploration_run(struct claw_exploration *what)
{
	const struct claw_strings *targets = &what->given->against;
	int ret = prepare(what);

	what->compared = claw_calloc(targets->count + 1,
				     sizeof(*what->compared));
	for (size_t i = 0; i < targets->count; i++)
		what->compared[what->compared_count++].target =
			targets->items[i];
	if (ret < 0 || what->why_not)
		return ret;
	ret = run_engines(what);
	if (ret == 0 && what->state->launches > 0)
		ret = finish(what);
	if (ret == 0 && what->result && !what->is_cancelled &&
	    (what->given->emit_suite || what->compared_count))
		ret = emit(what);
	if (ret == 0 && what->result && !what->is_cancelled)
		compare(what);
	return ret;
}

void claw_exploration_release(struct claw_exploration *what)
{
	claw_explore_state_close(what->state);
	claw_session_free(what->session);
	json_decref(what->result);
	json_decref(what->launches);
	for (size_t i = 0; i < what->compared_count; i++)
		claw_compared_release(&what->compared[i]);
	free(what->compared);
	free(what->directory);
	free(what->why_not);
}
