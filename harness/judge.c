/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Make the four runs and compare them. Every run starts alike: the same empty
 * or spooled input, the same caches, no artifact of an earlier run.
 */
#include "config.h"

#include "judge.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "errors.h"
#include "results.h"

enum {
	FILTER_TIMEOUT_MS = 60000,
	FILE_MAX_BYTES = 256 << 20,
	SHOWN_BYTES = 4096,	/* of an output's head, and of its tail */
};

/* One run and what is left of it. */
struct one_run {
	char *directory;		/* its session */
	char *out_path, *err_path, *filtered_path;
	struct claw_session *session;
	struct claw_run_result result;
	struct claw_evidence evidence;
};

struct judging {
	const struct claw_judge *judge;
	struct claw_judgement *judgement;
	char *stdin_copy;
	uint64_t allowed_ms, granted_ms;	/* of the run going on */
	struct one_run *running;
};

static int stop(struct judging *j, enum claw_judge_end end,
		const char *format, ...) __attribute__((format(printf, 3, 4)));

/* End the judging for this reason. Always -1. */
static int stop(struct judging *j, enum claw_judge_end end,
		const char *format, ...)
{
	va_list args;

	va_start(args, format);
	free(j->judgement->why);
	if (vasprintf(&j->judgement->why, format, args) < 0)
		j->judgement->why = NULL;
	va_end(args);
	j->judgement->end = end;
	return -1;
}

static char *path_in(const char *directory, const char *name)
{
	char *path = NULL;

	return asprintf(&path, "%s/%s", directory, name) < 0 ? NULL : path;
}

static char *artifact_copy(const struct one_run *run, size_t index)
{
	char *path = NULL;

	return asprintf(&path, "%s/artifact-%zu", run->directory,
			index + 1) < 0 ? NULL : path;
}

static void run_release(struct one_run *run)
{
	claw_run_result_release(&run->result);
	claw_evidence_release(&run->evidence);
	claw_session_free(run->session);
	free(run->directory);
	free(run->out_path);
	free(run->err_path);
	free(run->filtered_path);
	*run = (struct one_run) { 0 };
}

/* Run a command of the user's by the shell. */
static int run_command(struct judging *j, const char *what,
		       const char *command, const char *in, const char *out,
		       int *ret_status)
{
	char *argv[] = { (char *)"sh", (char *)"-c", (char *)command, NULL };
	struct claw_run_spec spec = {
		.argv = argv,
		.stdin_mode = in ? CLAW_STDIN_FILE : CLAW_STDIN_EMPTY,
		.stdin_path = in,
		.stdout_path = out,
		.timeout_ms = FILTER_TIMEOUT_MS,
	};
	struct claw_run_result result;
	int ret = 0;

	if (claw_runner_run_one(j->judge->runner, &spec, &result) < 0)
		return stop(j, CLAW_JUDGE_INFRA, "%s: out of memory", what);
	*ret_status = result.code;
	if (result.end == CLAW_END_CANCELLED)
		ret = stop(j, CLAW_JUDGE_CANCELLED, "cancelled");
	else if (result.end == CLAW_END_TIMEOUT)
		ret = stop(j, CLAW_JUDGE_INFRA, "%s did not end in %d s: %s",
			   what, FILTER_TIMEOUT_MS / 1000, command);
	else if (result.end == CLAW_END_SIGNAL)
		ret = stop(j, CLAW_JUDGE_INFRA, "%s was ended by %s: %s", what,
			   claw_signal_name(result.code), command);
	else if (result.end != CLAW_END_EXIT || result.file_error)
		ret = stop(j, CLAW_JUDGE_INFRA, "%s: %s", what,
			   strerror(result.file_error ? result.file_error :
				    result.code));
	claw_run_result_release(&result);
	return ret;
}

static int run_hook(struct judging *j, const char *what, const char *command)
{
	int status;

	if (!command)
		return 0;
	if (run_command(j, what, command, NULL, NULL, &status) < 0)
		return -1;
	return status == 0 ? 0 : stop(j, CLAW_JUDGE_INFRA, "%s ended with "
				      "exit status %d: %s", what, status,
				      command);
}

static int remove_artifacts(struct judging *j)
{
	const struct claw_strings *artifacts = &j->judge->artifacts;

	for (size_t i = 0; i < artifacts->count; i++)
		if (unlink(artifacts->items[i]) < 0 && errno != ENOENT)
			return stop(j, CLAW_JUDGE_INFRA, "%s: %s",
				    artifacts->items[i], strerror(errno));
	return 0;
}

static int keep_artifacts(struct judging *j, const struct one_run *run)
{
	const struct claw_strings *artifacts = &j->judge->artifacts;

	for (size_t i = 0; i < artifacts->count; i++) {
		char *copy = artifact_copy(run, i);
		int ret = copy ? claw_results_keep(artifacts->items[i], copy) :
			-CLAW_E_NO_MEMORY;

		free(copy);
		if (ret < 0)
			return stop(j, CLAW_JUDGE_INFRA, "%s: %s",
				    artifacts->items[i], strerror(errno));
	}
	return 0;
}

static int filter_output(struct judging *j, struct one_run *run)
{
	int status = 0;

	if (!j->judge->output_filter)
		return 0;
	run->filtered_path = path_in(run->directory, "stdout.filtered");
	if (!run->filtered_path)
		return stop(j, CLAW_JUDGE_INFRA, "out of memory");
	if (run_command(j, "the output filter", j->judge->output_filter,
			run->out_path, run->filtered_path, &status) < 0)
		return -1;
	/* grep ends with 1 when it leaves no line. */
	return status < 126 ? 0 : stop(j, CLAW_JUDGE_INFRA, "the output filter "
				       "could not be run: %s",
				       j->judge->output_filter);
}

static const char *output_of(const struct one_run *run)
{
	return run->filtered_path ? run->filtered_path : run->out_path;
}

/* The time grows by what the rules have delayed so far. */
static uint64_t more_time(void *user)
{
	struct judging *j = user;
	uint64_t delayed_ms =
		claw_evidence_delayed_ns(j->running->session) / 1000000;
	uint64_t more = delayed_ms > j->granted_ms ?
		delayed_ms - j->granted_ms : 0;

	j->granted_ms += more;
	return more;
}

static int prepare_session(struct judging *j, const char *name, bool with_rules,
			   struct one_run *run)
{
	const struct claw_judge *judge = j->judge;
	char *texts[CLAW_JOURNAL_MAX_RULES + 1];
	char *cache = path_in(judge->directory, "cache");
	size_t count = with_rules ? judge->rule_count : 0;
	int ret;

	for (size_t i = 0; i < count; i++)
		texts[i] = (char *)judge->rules[i].text;
	run->directory = path_in(judge->directory, name);
	run->out_path = run->directory ? path_in(run->directory, "stdout") :
		NULL;
	run->err_path = run->directory ? path_in(run->directory, "stderr") :
		NULL;
	if (!cache || !run->out_path || !run->err_path) {
		free(cache);
		return stop(j, CLAW_JUDGE_INFRA, "out of memory");
	}
	ret = claw_session_new(run->directory, texts, count, &judge->config,
			       &run->session);
	if (ret == 0)
		ret = claw_session_set_caches(run->session, cache);
	free(cache);
	if (ret == -CLAW_E_IO)
		return stop(j, CLAW_JUDGE_INFRA, "%s: %s", run->directory,
			    strerror(errno));
	if (ret == -CLAW_E_NOT_FOUND)
		return stop(j, CLAW_JUDGE_INFRA, "libopenclaw-layer.so is "
			    "nowhere; set OPENCLAW_LAYER to its path");
	return ret == 0 ? 0 : stop(j, CLAW_JUDGE_INFRA, "%s",
				   claw_error_text(ret));
}

/* How the runner's own failures end the judging. */
static int check_end(struct judging *j, const struct claw_run_result *result)
{
	const char *program = j->judge->argv[0];

	switch (result->end) {
	case CLAW_END_NOT_FOUND:
		return stop(j, CLAW_JUDGE_NO_PROGRAM, "%s: %s", program,
			    strerror(result->code));
	case CLAW_END_NOT_EXECUTABLE:
		return stop(j, CLAW_JUDGE_NOT_EXECUTABLE, "%s: %s", program,
			    strerror(result->code));
	case CLAW_END_CANCELLED:
		return stop(j, CLAW_JUDGE_CANCELLED, "cancelled");
	case CLAW_END_INFRA:
		return stop(j, CLAW_JUDGE_INFRA, "%s: %s", program,
			    strerror(result->code));
	default:
		break;
	}
	if (result->file_error && result->file_error != EFBIG)
		return stop(j, CLAW_JUDGE_INFRA, "the output of %s could not "
			    "be kept: %s", program,
			    strerror(result->file_error));
	return 0;
}

static int make_run(struct judging *j, const char *name, const char *words,
		    bool faulted, uint64_t timeout_ms, struct one_run *run)
{
	const struct claw_judge *judge = j->judge;

	if (judge->progress)
		judge->progress(judge->progress_user, words);
	if (prepare_session(j, name, faulted, run) < 0 ||
	    remove_artifacts(j) < 0 ||
	    run_hook(j, "the prepare command", judge->prepare) < 0)
		return -1;

	struct claw_run_spec spec = {
		.argv = judge->argv,
		.set_env = run->session->environment,
		.stdin_mode = j->stdin_copy ? CLAW_STDIN_FILE :
			CLAW_STDIN_EMPTY,
		.stdin_path = j->stdin_copy,
		.stdout_path = run->out_path,
		.stderr_path = run->err_path,
		.file_max_bytes = FILE_MAX_BYTES,
		.head_bytes = SHOWN_BYTES,
		.tail_bytes = SHOWN_BYTES,
		.timeout_ms = timeout_ms,
		.save_stacks = true,
		.no_core = true,
		.more_time_ms = faulted ? more_time : NULL,
		.more_time_user = j,
	};

	j->running = run;
	j->granted_ms = 0;
	if (claw_runner_run_one(judge->runner, &spec, &run->result) < 0)
		return stop(j, CLAW_JUDGE_INFRA, "out of memory");
	if (check_end(j, &run->result) < 0 || keep_artifacts(j, run) < 0 ||
	    filter_output(j, run) < 0) {
		int status;

		/* What was prepared is cleaned up; the reason stays. */
		if (judge->cleanup) {
			char *why = j->judgement->why;
			enum claw_judge_end end = j->judgement->end;

			j->judgement->why = NULL;
			run_command(j, "the cleanup command", judge->cleanup,
				    NULL, NULL, &status);
			free(j->judgement->why);
			j->judgement->why = why;
			j->judgement->end = end;
		}
		return -1;
	}
	if (run_hook(j, "the cleanup command", judge->cleanup) < 0)
		return -1;
	if (claw_evidence_read(run->session, faulted ? judge->rule_count : 0,
			       &run->evidence) < 0)
		return stop(j, CLAW_JUDGE_INFRA, "the journals in %s could "
			    "not be read", run->directory);
	return 0;
}

/* *ret_difference: of standard output and artifacts, or NULL. */
static int compare_results(struct judging *j, const struct one_run *a,
			   const struct one_run *b, char **ret_difference)
{
	const struct claw_strings *artifacts = &j->judge->artifacts;
	int ret = claw_results_compare(output_of(a), output_of(b),
				       "standard output", ret_difference);

	for (size_t i = 0; ret == 0 && !*ret_difference &&
	     i < artifacts->count; i++) {
		char *first = artifact_copy(a, i), *second = artifact_copy(b, i);

		ret = first && second ?
			claw_results_compare(first, second,
					     artifacts->items[i],
					     ret_difference) :
			-CLAW_E_NO_MEMORY;
		free(first);
		free(second);
	}
	return ret == 0 ? 0 : stop(j, CLAW_JUDGE_INFRA, "the results could not "
				   "be compared: %s", claw_error_text(ret));
}

static int check_baseline(struct judging *j, const struct one_run *run)
{
	char *reason;
	int ret;

	if (run->result.end == CLAW_END_TIMEOUT)
		return stop(j, CLAW_JUDGE_UNKNOWN, "without any fault it did "
			    "not end in %.1f s",
			    (double)run->result.duration_us / 1e6);
	if (run->result.end == CLAW_END_SIGNAL)
		return stop(j, CLAW_JUDGE_UNKNOWN, "without any fault it is "
			    "ended by %s", claw_signal_name(run->result.code));
	if (run->evidence.plan_error)
		return stop(j, CLAW_JUDGE_INFRA, "the layer refused its "
			    "session: %s", run->evidence.plan_error);
	reason = claw_evidence_gap(&run->evidence);
	if (reason) {
		stop(j, CLAW_JUDGE_INFRA, "%s of a run without faults",
		     reason);
		free(reason);
		return -1;
	}
	if (claw_evidence_has_handshake(&run->evidence))
		return 0;
	if (run->evidence.count == 0 && !claw_session_has_room(run->session))
		return stop(j, CLAW_JUDGE_INFRA, "no room for a journal in %s",
			    run->directory);
	reason = claw_program_why_not(j->judge->program,
				      &run->evidence);
	ret = stop(j, CLAW_JUDGE_DONE, "%s", reason ? reason :
		   "it called no OpenCL function");
	free(reason);
	j->judgement->output.verdict = CLAW_NOT_INJECTED;
	j->judgement->output.message = j->judgement->why;
	j->judgement->why = NULL;
	return ret;
}

static int compare_baselines(struct judging *j, const struct one_run *a,
			     const struct one_run *b)
{
	char *difference = NULL;
	int ret;

	if (a->result.code != b->result.code)
		return stop(j, CLAW_JUDGE_UNKNOWN, "two runs without faults "
			    "differ: exit status %d and %d", a->result.code,
			    b->result.code);
	if (compare_results(j, a, b, &difference) < 0)
		return -1;
	if (difference) {
		ret = stop(j, CLAW_JUDGE_UNKNOWN, "two runs without faults "
			   "differ: %s (set it aside with --output-filter)",
			   difference);
		free(difference);
		return ret;
	}
	if (claw_evidence_compare(&a->evidence, &b->evidence, &difference) < 0)
		return stop(j, CLAW_JUDGE_INFRA, "out of memory");
	if (!difference)
		return 0;
	ret = stop(j, CLAW_JUDGE_UNKNOWN, "two runs without faults differ: %s",
		   difference);
	free(difference);
	return ret;
}

/* Output for people: no NUL, nothing that a terminal obeys. */
static char *clean_text(const struct claw_capture *capture)
{
	char *head = claw_text_clean(capture->head, capture->head_bytes);
	char *tail = claw_text_clean(capture->tail, capture->tail_bytes);
	char *text = NULL;
	int made = 0;

	if (head && tail && capture->cut_bytes)
		made = asprintf(&text, "%s\n... %" PRIu64 " bytes cut ...\n%s",
				head, capture->cut_bytes, tail);
	else if (head && tail)
		made = asprintf(&text, "%s%s", head, tail);
	free(head);
	free(tail);
	return made < 0 ? NULL : text;
}

static void judge_faulted(struct judging *j, struct one_run *base,
			  struct one_run *other, struct one_run *faulted)
{
	const struct claw_results_output now = {
		output_of(faulted), faulted->err_path,
	};
	const struct claw_results_output known[] = {
		{ output_of(base), base->err_path },
		{ output_of(other), other->err_path },
	};
	struct claw_verdict_input input = {
		.run = &faulted->result,
		.baseline_run = &base->result,
		.evidence = &faulted->evidence,
		.baseline = &base->evidence,
		.rules = j->judge->rules,
		.leak_check_all = j->judge->leak_check_all,
	};
	char *difference = NULL, *said = NULL, *why_not = NULL;
	char *gap;

	if (compare_results(j, base, faulted, &difference) < 0)
		return;
	gap = claw_evidence_gap(&faulted->evidence);
	said = claw_results_said(&now, known, 2);
	if (!claw_evidence_has_handshake(&faulted->evidence))
		why_not = claw_program_why_not(j->judge->program,
					       &faulted->evidence);
	input.difference = difference;
	input.said = said;
	input.why_not = why_not;
	input.gap = gap;
	if (claw_verdict_decide(&input, &j->judgement->output) < 0)
		stop(j, CLAW_JUDGE_INFRA, "out of memory");
	j->judgement->duration_us = faulted->result.duration_us;
	j->judgement->out_text = clean_text(&faulted->result.out);
	j->judgement->err_text = clean_text(&faulted->result.err);
	free(difference);
	free(said);
	free(why_not);
	free(gap);
}

/* The same bytes for each run, also when the file is a pipe. */
static int spool_stdin(struct judging *j)
{
	const char *path = j->judge->stdin_path;

	if (!path)
		return 0;
	if (access(path, R_OK) < 0)
		return stop(j, CLAW_JUDGE_INFRA, "%s: %s", path,
			    strerror(errno));
	j->stdin_copy = path_in(j->judge->directory, "stdin");
	if (!j->stdin_copy || claw_results_keep(path, j->stdin_copy) < 0)
		return stop(j, CLAW_JUDGE_INFRA, "%s: %s", path,
			    strerror(errno));
	return 0;
}

static uint64_t timeout_of(const struct claw_judge *judge,
			   const struct one_run *a, const struct one_run *b)
{
	uint64_t slower_us = a->result.duration_us > b->result.duration_us ?
		a->result.duration_us : b->result.duration_us;
	uint64_t ms = slower_us / 100;	/* ten times */

	if (judge->timeout_ms)
		return judge->timeout_ms;
	return ms > CLAW_JUDGE_TIMEOUT_MS ? ms : CLAW_JUDGE_TIMEOUT_MS;
}

void claw_judge_run(const struct claw_judge *judge,
		    struct claw_judgement *ret_judgement)
{
	struct judging j = { .judge = judge, .judgement = ret_judgement };
	struct one_run runs[4];
	uint64_t limit_ms = judge->timeout_ms ? judge->timeout_ms :
		CLAW_JUDGE_BASELINE_TIMEOUT_MS;
	char *cache = path_in(judge->directory, "cache");
	char *warm_up = path_in(judge->directory, "warm-up");

	memset(runs, 0, sizeof(runs));
	*ret_judgement = (struct claw_judgement) { .end = CLAW_JUDGE_DONE };
	if (spool_stdin(&j) < 0 ||
	    make_run(&j, "warm-up", "warm-up", false, limit_ms, &runs[0]) < 0)
		goto out;
	run_release(&runs[0]);
	if (make_run(&j, "baseline-1", "first baseline", false, limit_ms,
		     &runs[1]) < 0 ||
	    check_baseline(&j, &runs[1]) < 0 ||
	    make_run(&j, "baseline-2", "second baseline", false, limit_ms,
		     &runs[2]) < 0 ||
	    check_baseline(&j, &runs[2]) < 0 ||
	    compare_baselines(&j, &runs[1], &runs[2]) < 0)
		goto out;
	if (make_run(&j, "faulted", "faulted run", true,
		     timeout_of(judge, &runs[1], &runs[2]), &runs[3]) < 0)
		goto out;
	judge_faulted(&j, &runs[1], &runs[2], &runs[3]);
	ret_judgement->evidence = runs[3].evidence;
	runs[3].evidence = (struct claw_evidence) { 0 };
out:
	for (size_t i = 0; i < 4; i++)
		run_release(&runs[i]);
	if (cache)
		claw_directory_remove(cache);
	if (warm_up)
		claw_directory_remove(warm_up);
	free(cache);
	free(warm_up);
	free(j.stdin_copy);
}

void claw_judgement_release(struct claw_judgement *judgement)
{
	claw_verdict_release(&judgement->output);
	claw_evidence_release(&judgement->evidence);
	free(judgement->why);
	free(judgement->out_text);
	free(judgement->err_text);
	*judgement = (struct claw_judgement) { .end = CLAW_JUDGE_INFRA };
}
