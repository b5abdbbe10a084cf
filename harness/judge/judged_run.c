/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The steps of one judged run, each begun when the one before it has ended:
 * prepare command, program, output filter, cleanup command, reading.
 */
#include "config.h"

#include "judged_run.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/base/errors.h"
#include "judged_gcov.h"
#include "judged_words.h"
#include "harness/base/memory.h"
#include "harness/files/results.h"
#include "harness/base/text.h"
#include "harness/base/words.h"

enum {
	COMMAND_TIMEOUT_MS = 60000,
	FILE_MAX_BYTES = 256 << 20,
	SHOWN_BYTES = 4096,	/* of an output's head, and of its tail */
};

static void stop(struct claw_judged_run *run, enum claw_judged_end end,
		 const char *format, ...) __attribute__((format(printf, 3, 4)));

/* The run ends for this reason; the first one stays. */
static void stop(struct claw_judged_run *run, enum claw_judged_end end,
		 const char *format, ...)
{
	va_list args;

	if (run->end != CLAW_JUDGED_DONE)
		return;
	run->end = end;
	va_start(args, format);
	run->why = claw_vformat(format, args);
	va_end(args);
}

static char *artifact_in(const char *directory, size_t index,
			 const char *suffix)
{
	return claw_format("%s/artifact-%zu%s", directory, index + 1, suffix);
}

char *claw_judged_artifact(const struct claw_judged_run *run, size_t index)
{
	return artifact_in(run->directory, index, "");
}

char *claw_judged_compared(const struct claw_judged_run *run, size_t index)
{
	return artifact_in(run->directory, index, run->setup->artifact_filter ?
			   ".filtered" : "");
}

const char *claw_judged_output(const struct claw_judged_run *run)
{
	return run->filtered_path ? run->filtered_path : run->out_path;
}

/* ---- commands of the user's ------------------------------------------- */

static void check_command(struct claw_judged_run *run, const char *what,
			  const struct claw_run_result *result)
{
	const char *command = run->command_argv[2];

	if (result->end == CLAW_END_CANCELLED)
		stop(run, CLAW_JUDGED_CANCELLED, "cancelled");
	else if (result->end == CLAW_END_TIMEOUT)
		stop(run, CLAW_JUDGED_INFRA, "%s did not exit within %d s: %s",
		     what, COMMAND_TIMEOUT_MS / 1000, command);
	else if (result->end == CLAW_END_SIGNAL)
		stop(run, CLAW_JUDGED_INFRA, "%s was killed by %s: %s", what,
		     claw_signal_name(result->code), command);
	else if (result->end != CLAW_END_EXIT || result->file_error)
		stop(run, CLAW_JUDGED_INFRA, "%s: %s", what,
		     strerror(result->file_error ? result->file_error :
			      result->code));
}

static void check_hook(struct claw_judged_run *run, const char *what,
		       const struct claw_run_result *result)
{
	check_command(run, what, result);
	if (result->end == CLAW_END_EXIT && result->code != 0)
		stop(run, CLAW_JUDGED_INFRA, "%s exited with status %d: %s",
		     what, result->code, run->command_argv[2]);
}

/* A filter may end with 1 when it leaves nothing, as grep does; of a run with
 * faults it may make nothing of what it gets, which then differs. */
static void check_filter(struct claw_judged_run *run, const char *what,
			 const char *out, const struct claw_run_result *result)
{
	struct stat status;
	bool is_empty = stat(out, &status) == 0 && status.st_size == 0;

	check_command(run, what, result);
	if (result->end != CLAW_END_EXIT || result->code == 0 ||
	    (result->code == 1 && is_empty) ||
	    (result->code < 126 && run->rule_count > 0))
		return;
	stop(run, CLAW_JUDGED_INFRA, "%s exited with status %d: %s", what,
	     result->code, run->command_argv[2]);
}

/* Have the shell run it. */
static void begin_command(struct claw_judged_run *run, const char *command,
			  const char *in, const char *out, claw_run_done *done)
{
	free(run->command_argv[2]);
	run->command_argv[0] = (char *)"sh";
	run->command_argv[1] = (char *)"-c";
	run->command_argv[2] = claw_judged_word(command, run->work);
	run->command = (struct claw_run_spec) {
		.argv = run->command_argv,
		.set_env = run->command_env,
		.directory = run->work,
		.stdin_mode = in ? CLAW_STDIN_FILE : CLAW_STDIN_EMPTY,
		.stdin_path = in,
		.stdout_path = out,
		.timeout_ms = COMMAND_TIMEOUT_MS,
	};
	claw_runner_add(run->setup->runner, &run->command, done, run);
}

/* ---- the steps, from the last to the first ---------------------------- */

static void read_tool(struct claw_judged_run *run)
{
	const struct claw_judged_setup *setup = run->setup;

	if (!setup->tool || setup->beside_tool)
		return;
	claw_judged_tool_read(setup->tool, &run->under,
			      setup->tool_baseline ?
			      &setup->tool_baseline->under : &run->under,
			      &run->found, &run->found_gap);
}

static void gcov_read(struct claw_judged_run *run, bool cancelled)
{
	if (cancelled)
		stop(run, CLAW_JUDGED_CANCELLED, "cancelled");
	run->done(run, run->user);
}

static void finish(struct claw_judged_run *run)
{
	if (run->end == CLAW_JUDGED_DONE)
		read_tool(run);
	if (run->end == CLAW_JUDGED_DONE &&
	    claw_evidence_read_with(run->session, run->rule_count,
				    run->setup->symbolizer,
				    &run->evidence) < 0)
		stop(run, CLAW_JUDGED_INFRA, "cannot read the journals in %s",
		     run->directory);
	if (run->end != CLAW_JUDGED_DONE ||
	    !claw_judged_gcov_read(run, gcov_read))
		run->done(run, run->user);
}

static void cleaned(struct claw_run_result *result, void *user)
{
	check_hook(user, "the cleanup command", result);
	finish(user);
}

/* What was prepared is cleaned up, whatever came of it. */
static void clean_up(struct claw_judged_run *run)
{
	if (run->setup->cleanup)
		begin_command(run, run->setup->cleanup, NULL, NULL, cleaned);
	else
		finish(run);
}

static void filter_artifacts(struct claw_judged_run *run);

static void artifact_filtered(struct claw_run_result *result, void *user)
{
	struct claw_judged_run *run = user;
	char *out = claw_judged_compared(run, run->filtering++);

	check_filter(run, "the artifact filter", out, result);
	free(out);
	filter_artifacts(run);
}

/* Have the filter at the next artifact that is there. */
static bool begin_artifact(struct claw_judged_run *run)
{
	const struct claw_judged_setup *setup = run->setup;
	size_t index = run->filtering;
	char *in = claw_judged_artifact(run, index);
	char *out = claw_judged_compared(run, index);
	char *known = artifact_in(setup->reference ? setup->reference :
				  run->directory, index, "");
	bool is_there = access(in, F_OK) == 0;

	free(run->command_env[0]);
	run->command_env[0] = claw_format("OPENCLAW_BASELINE=%s", known);
	if (is_there)
		begin_command(run, setup->artifact_filter, in, out,
			      artifact_filtered);
	free(known);
	free(run->filter_in);
	free(run->filter_out);
	run->filter_in = in;
	run->filter_out = out;
	return is_there;
}

static void filter_artifacts(struct claw_judged_run *run)
{
	const struct claw_judged_setup *setup = run->setup;

	for (; setup->artifact_filter && run->end == CLAW_JUDGED_DONE &&
	     run->filtering < setup->artifacts.count; run->filtering++)
		if (begin_artifact(run))
			return;
	clean_up(run);
}

static void filtered(struct claw_run_result *result, void *user)
{
	struct claw_judged_run *run = user;

	check_filter(run, "the output filter", run->filtered_path, result);
	filter_artifacts(run);
}

static void filter_output(struct claw_judged_run *run)
{
	const char *filter = run->setup->output_filter;

	if (filter && run->end == CLAW_JUDGED_DONE) {
		run->filtered_path = claw_path_in(run->directory,
						  "stdout.filtered");
		begin_command(run, filter, run->out_path, run->filtered_path,
			      filtered);
		return;
	}
	filter_artifacts(run);
}

static char *artifact_path(const struct claw_judged_run *run, size_t index)
{
	return claw_judged_path(run->setup->artifacts.items[index], run->work);
}

static void remove_artifacts(struct claw_judged_run *run)
{
	for (size_t i = 0; i < run->setup->artifacts.count; i++) {
		char *path = artifact_path(run, i);

		if (unlink(path) < 0 && errno != ENOENT)
			stop(run, CLAW_JUDGED_INFRA, "%s: %s",
			     run->setup->artifacts.items[i], strerror(errno));
		free(path);
	}
}

static void keep_artifacts(struct claw_judged_run *run)
{
	for (size_t i = 0; i < run->setup->artifacts.count; i++) {
		char *copy = claw_judged_artifact(run, i);
		char *path = artifact_path(run, i);
		int ret = claw_results_keep(path, false, copy);

		if (ret < 0)
			stop(run, CLAW_JUDGED_INFRA, "%s: %s",
			     run->setup->artifacts.items[i], strerror(errno));
		free(copy);
		free(path);
	}
}

/* How the runner's own failures end the run. */
static void check_end(struct claw_judged_run *run)
{
	const struct claw_run_result *result = &run->result;
	const char *program = run->setup->argv[0];

	switch (result->end) {
	case CLAW_END_NOT_FOUND:
		stop(run, CLAW_JUDGED_NO_PROGRAM, "%s: %s", program,
		     strerror(result->code));
		break;
	case CLAW_END_NOT_EXECUTABLE:
		stop(run, CLAW_JUDGED_NOT_EXECUTABLE, "%s: %s", program,
		     strerror(result->code));
		break;
	case CLAW_END_CANCELLED:
		stop(run, CLAW_JUDGED_CANCELLED, "cancelled");
		break;
	case CLAW_END_INFRA:
		stop(run, CLAW_JUDGED_INFRA, "%s: %s", program,
		     strerror(result->code));
		break;
	default:
		if (result->file_error && result->file_error != EFBIG)
			stop(run, CLAW_JUDGED_INFRA, "cannot store the output "
			     "of %s: %s", program,
			     strerror(result->file_error));
	}
}

static void ended(struct claw_run_result *result, void *user)
{
	struct claw_judged_run *run = user;

	run->unseen = claw_unseen_end(run->watching);
	run->watching = NULL;
	run->result = *result;
	*result = (struct claw_run_result) { .end = CLAW_END_EXIT };
	check_end(run);
	if (run->end == CLAW_JUDGED_DONE)
		keep_artifacts(run);
	filter_output(run);
}

/* The time grows by what the rules have delayed so far. */
static uint64_t more_time(void *user)
{
	struct claw_judged_run *run = user;
	uint64_t delayed_ms =
		claw_evidence_delayed_ns(run->session) / 1000000;
	uint64_t more = delayed_ms > run->granted_ms ?
		delayed_ms - run->granted_ms : 0;

	run->granted_ms += more;
	return more;
}

static void begin_program(struct claw_judged_run *run)
{
	const struct claw_judged_setup *setup = run->setup;
	struct claw_run_spec spec = {
		.argv = run->under.argv && !setup->beside_tool ?
			run->under.argv : run->argv,
		.set_env = run->session->environment,
		.directory = run->work,
		.stdin_mode = setup->stdin_path ? CLAW_STDIN_FILE :
			CLAW_STDIN_EMPTY,
		.stdin_path = setup->stdin_path,
		.stdout_path = run->out_path,
		.stderr_path = run->err_path,
		.file_max_bytes = FILE_MAX_BYTES,
		.head_bytes = SHOWN_BYTES,
		.tail_bytes = SHOWN_BYTES,
		.timeout_ms = run->timeout_ms,
		.save_stacks = true,
		.no_core = true,
		.account = run->rule_count == 0,
		.more_time_ms = run->rule_count > 0 ? more_time : NULL,
		.more_time_user = run,
		.started = claw_unseen_begin,
		.started_user = &run->watching,
	};

	claw_runner_add(setup->runner, &spec, ended, run);
}

static void prepared(struct claw_run_result *result, void *user)
{
	struct claw_judged_run *run = user;

	check_hook(run, "the prepare command", result);
	if (run->end == CLAW_JUDGED_DONE)
		begin_program(run);
	else
		finish(run);
}

/* ---- the beginning ---------------------------------------------------- */

static int make_session(struct claw_judged_run *run, char *const *rules)
{
	const struct claw_judged_setup *setup = run->setup;
	struct claw_session_config config = setup->config;
	int ret;

	if (setup->tool)
		config.probes.modes |= setup->tool->under.row->probes;
	ret = claw_session_new(run->directory, rules, run->rule_count, &config,
			       &run->session);

	if (ret == 0)
		ret = claw_session_set_caches(run->session, setup->cache);
	if (ret == 0 && setup->gcov)
		ret = claw_judged_gcov_prepare(run);
	for (char *const *entry = setup->environment; ret == 0 && entry &&
	     *entry; entry++)
		ret = claw_judged_set(run->session, *entry);
	return ret;
}

static void remove_copy(struct claw_judged_run *run, char *copy)
{
	if (copy && unlink(copy) < 0 && errno != ENOENT)
		stop(run, CLAW_JUDGED_INFRA, "%s: %s", copy, strerror(errno));
	free(copy);
}

/* Copies of what an earlier run in the same directory made. */
static void remove_copies(struct claw_judged_run *run)
{
	for (size_t i = 0; i < run->setup->artifacts.count; i++) {
		remove_copy(run, claw_judged_artifact(run, i));
		remove_copy(run, claw_judged_compared(run, i));
	}
}

static void make_ready(struct claw_judged_run *run, const char *directory,
		       char *const *rules)
{
	int ret;

	run->directory = claw_strdup(directory);
	run->out_path = claw_path_in(directory, "stdout");
	run->err_path = claw_path_in(directory, "stderr");
	ret = make_session(run, rules);
	if (ret == 0 && run->setup->own_directory)
		ret = claw_judged_work(run->session->directory, &run->work);
	if (ret == 0)
		run->argv = claw_judged_argv(run->setup->argv, run->work);
	if (ret == 0 && run->setup->tool)
		ret = claw_judged_tool_start(run->setup->tool, run->session,
					     run->argv, run->err_path,
					     &run->under);
	if (ret == -CLAW_E_IO)
		stop(run, CLAW_JUDGED_INFRA, "%s: %s", directory,
		     strerror(errno));
	else if (ret < 0)
		stop(run, CLAW_JUDGED_INFRA, "%s", claw_error_text(ret));
}

void claw_judged_begin(const struct claw_judged_setup *setup,
		       const char *directory, char *const *rules,
		       size_t rule_count, uint64_t timeout_ms,
		       claw_judged_done *done, void *user,
		       struct claw_judged_run *run)
{
	*run = (struct claw_judged_run) {
		.setup = setup, .end = CLAW_JUDGED_DONE,
		.rule_count = rule_count, .timeout_ms = timeout_ms,
		.done = done, .user = user,
	};
	make_ready(run, directory, rules);
	if (run->end == CLAW_JUDGED_DONE)
		remove_copies(run);
	if (run->end == CLAW_JUDGED_DONE)
		remove_artifacts(run);
	if (run->end != CLAW_JUDGED_DONE)
		finish(run);
	else if (!setup->prepare)
		begin_program(run);
	else
		begin_command(run, setup->prepare, NULL, NULL, prepared);
}

void claw_judged_release(struct claw_judged_run *run)
{
	claw_run_result_release(&run->result);
	claw_evidence_release(&run->evidence);
	claw_session_free(run->session);
	claw_judged_argv_free(run->argv);
	claw_under_run_release(&run->under);
	claw_findings_release(&run->found);
	free(run->found_gap);
	free(claw_unseen_end(run->watching));
	free(run->unseen);
	free(run->command_argv[2]);
	free(run->command_env[0]);
	free(run->filter_in);
	free(run->filter_out);
	free(run->directory);
	free(run->work);
	free(run->out_path);
	free(run->err_path);
	free(run->filtered_path);
	free(run->first_run);
	free(run->gcov_output);
	free(run->why);
	*run = (struct claw_judged_run) { .end = CLAW_JUDGED_INFRA };
}
