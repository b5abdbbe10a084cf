/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Run the cases of a plan and tell what became of them.
 */
#include "config.h"

#include "run.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/records/baseline.h"
#include "faults/shared/clock.h"
#include "harness/evidence/compiling.h"
#include "harness/base/cores.h"
#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "harness/machine/machine.h"
#include "harness/process/runner.h"
#include "harness/session/session.h"
#include "run_coverage.h"
#include "run_tally.h"
#include "harness/base/text_clean.h"

enum {
	TICK_MS = 500,
	LOG_LINE_MS = 30 * 1000,	/* between progress lines in a log */
	JOBS_MAX = 1024,
};

/* An item under way. */
struct running {
	const struct claw_test_item *item;
	struct claw_test_run *run;
	struct claw_test_try try;
	struct claw_test_tally tally;
	unsigned int tries;
	bool is_done, is_unchosen;
};

struct claw_test_run {
	struct claw_test_plan *plan;
	struct claw_test_how how;
	struct running *items;
	size_t count, next;		/* items before next are reported */
	bool *facts_said;		/* of each tool */
	struct claw_runner *runner;
	size_t done, bad;
	uint64_t start_ms, last_line_ms, deadline_ms;
	bool progress_shown;
	int error;			/* first failure of ours, -CLAW_E_* */
	int error_errno;
	const char *error_what;		/* it is about, or NULL: the directory */
};

void claw_test_run_note_error(struct claw_test_run *run, int error,
			      const char *what)
{
	if (error < 0 && run->error == 0) {
		run->error = error;
		run->error_errno = errno;
		run->error_what = what;
	}
}

static void note_error(struct claw_test_run *run, int error)
{
	claw_test_run_note_error(run, error, NULL);
}

int claw_test_run_error(const struct claw_test_run *run, int *reterr_errno,
			const char **ret_what)
{
	*reterr_errno = run->error_errno;
	*ret_what = run->error_what;
	return run->error;
}

static bool is_bad(enum claw_verdict verdict)
{
	return strchr("fu", claw_verdict_class(verdict)) != NULL;
}

/* ---- telling --------------------------------------------------------- */

static void clear_progress(struct claw_test_run *run)
{
	if (!run->progress_shown)
		return;
	fputs("\r\033[K", stderr);
	run->progress_shown = false;
}

/* For more than a second, in a case under way. */
static bool is_compiling(const struct claw_test_run *run)
{
	uint64_t since;

	for (size_t i = run->next; i < run->count; i++)
		if (run->items[i].try.session &&
		    claw_compiling_ns(run->items[i].try.session, &since) >
		    1000000000u)
			return true;
	return false;
}

static void tick(void *user)
{
	struct claw_test_run *run = user;
	bool terminal = isatty(STDERR_FILENO);

	if (run->how.quiet || (!terminal && claw_clock_mono_ms() - run->last_line_ms <
			       LOG_LINE_MS))
		return;
	run->last_line_ms = claw_clock_mono_ms();
	clear_progress(run);
	fprintf(stderr, "%zu of %zu done, %zu failed", run->done, run->count,
		run->bad);
	if (run->done > 0)
		fprintf(stderr, ", about %" PRIu64 " s left",
			(claw_clock_mono_ms() - run->start_ms) *
			(run->count - run->done) / run->done / 1000);
	if (is_compiling(run))
		fprintf(stderr, ", " CLAW_COMPILING_TEXT);
	if (!terminal)
		fputc('\n', stderr);
	run->progress_shown = terminal;
	fflush(stderr);
}

/* One line on stderr of what a tool's cases run on, and the records. */
static void say_facts(struct claw_test_run *run, const struct running *running,
		      const struct claw_case_report *report)
{
	const struct claw_under *tool = running->item->what.under;
	size_t index = (size_t)(tool - run->plan->unders);
	const char *name = tool->row->name;

	if (run->facts_said[index] || report->fact_count == 0)
		return;
	run->facts_said[index] = true;
	if (!run->how.quiet) {
		clear_progress(run);
		fprintf(stderr, "%s: ", name);
		for (size_t i = 0; i < report->fact_count; i++)
			fprintf(stderr, "%s%s %s", i ? ", " : "",
				report->facts[i].key, report->facts[i].value);
		fputc('\n', stderr);
	}
	for (size_t i = 0; i < report->fact_count; i++)
		note_error(run, claw_records_environment(
			run->how.records, name, report->facts[i].key,
			report->facts[i].value));
}

/* What a passing case has to say (that a driver deviates): a line always,
 * the rest with --verbose. */
static void say_more(const struct claw_test_run *run,
		     const struct claw_result *result)
{
	bool verbose = run->how.verbose;
	char *block;

	if (claw_verdict_class(result->verdict) != 'p' ||
	    (!verbose && (!result->message || !result->detail)) ||
	    (!result->message && !result->detail))
		return;
	block = claw_report_block(result);
	fprintf(stderr, "%s: %s:%s%s%s\n", block ? block : "", result->name,
		result->message ? " " : "",
		result->message ? result->message : "",
		verbose ? "" : " (-v shows them)");
	free(block);
	if (verbose && result->detail)
		claw_report_lines(stderr, "    ", result->detail, 60);
}

static void report_result(struct claw_test_run *run,
			  const struct claw_result *result)
{
	const struct claw_test_how *how = &run->how;

	clear_progress(run);
	note_error(run, claw_records_result(how->records, result));
	how->format->result(stdout, how->format_state, result);
	if (fflush(stdout) != 0)
		claw_test_run_note_error(run, -CLAW_E_IO, "stdout");
	say_more(run, result);
	if (is_bad(result->verdict))
		claw_report_annotate(stderr, how->head, result);
}

/* Report every item whose turn it is. */
static void report_ready(struct claw_test_run *run, bool all)
{
	for (; run->next < run->count; run->next++) {
		struct running *running = &run->items[run->next];

		if (!running->is_done && !all)
			break;
		for (size_t i = 0; running->is_done &&
		     i < running->tally.count; i++)
			report_result(run, &running->tally.items[i].result);
	}
}

/* ---- running --------------------------------------------------------- */

static int start_try(struct running *running);

static bool is_repeating(const struct claw_test_run *run)
{
	return run->how.repeat > 0 || run->how.repeat_ms > 0;
}

/* Its results are complete. */
static void finish_item(struct running *running)
{
	struct claw_test_run *run = running->run;

	claw_test_tally_finish(&running->tally,
			       is_repeating(run) ? 0 : run->how.retries + 1);
	for (size_t i = 0; i < running->tally.count; i++) {
		struct claw_result *result = &running->tally.items[i].result;
		const char *name = running->item->what.about->name;

		run->bad += is_bad(result->verdict);
		if (result->name && strcmp(result->name, name) == 0)
			continue;
		free((char *)(uintptr_t)result->item);
		result->item = claw_strdup(name);
	}
	running->is_done = true;
	run->done++;
}

static void add_results(struct running *running,
			const struct claw_result *results, size_t count)
{
	if (is_repeating(running->run))
		claw_test_tally_repeat(&running->tally, results, count);
	else
		claw_test_tally_retry(&running->tally, results, count);
}

/* Nothing came of it: one line instead of a run. */
static void finish_plain(struct running *running, enum claw_verdict verdict,
			 const char *message)
{
	const struct claw_test_case *what = &running->item->what;
	struct claw_result result = {
		.suite = what->suite->name, .name = what->about->name,
		.configuration = what->configuration,
		.verdict = verdict, .message = message, .attempt = 1,
		.reproduce = verdict == CLAW_SKIPPED ? NULL :
			     running->item->reproduce,
	};

	add_results(running, &result, 1);
	finish_item(running);
}

static bool may_retry(const struct running *running,
		      const struct claw_test_outcome *outcome)
{
	for (size_t i = 0; i < outcome->count; i++) {
		enum claw_verdict verdict = outcome->results[i].verdict;

		if (verdict == CLAW_FAILED || verdict == CLAW_HANG ||
		    verdict == CLAW_CRASH)
			return running->tries <= running->run->how.retries;
	}
	return false;
}

static bool wants_another(const struct running *running,
			  const struct claw_test_outcome *outcome)
{
	const struct claw_test_run *run = running->run;

	if (!is_repeating(run))
		return may_retry(running, outcome);
	/* What is not here now will not come. */
	if (outcome->count == 1 && outcome->results[0].verdict == CLAW_SKIPPED)
		return false;
	return running->tries < run->how.repeat ||
	       (run->how.repeat_ms && claw_clock_mono_ms() < run->deadline_ms);
}

/* What nobody will look at again. */
static void remove_boring(const struct running *running,
			  const struct claw_test_outcome *outcome)
{
	for (size_t i = 0; i < outcome->count; i++)
		if (claw_verdict_class(outcome->results[i].verdict) != 'p' &&
		    outcome->results[i].verdict != CLAW_SKIPPED)
			return;
	if (running->try.session)
		claw_directory_remove(running->try.session->directory);
	if (is_repeating(running->run) && running->tries > 1)
		claw_directory_remove(running->try.directory);
}

static void try_ended(struct claw_run_result *ended, void *user)
{
	struct running *running = user;
	struct claw_test_run *run = running->run;
	struct claw_test_outcome outcome = { 0 };

	if (ended->end == CLAW_END_CANCELLED) {
		claw_test_try_release(&running->try);
		/* What earlier tries said still holds. */
		if (running->tally.count > 0)
			finish_item(running);
		return;
	}
	claw_test_try_judge(&running->try, ended, &outcome);
	running->is_unchosen = outcome.is_unchosen;
	say_facts(run, running, &outcome.report);
	add_results(running, outcome.results, outcome.count);
	if (run->how.coverage)
		note_error(run, claw_test_coverage_add(run->how.coverage,
						       &running->try));
	remove_boring(running, &outcome);
	claw_test_try_release(&running->try);
	if (wants_another(running, &outcome))
		start_try(running);
	else
		finish_item(running);
	claw_test_outcome_release(&outcome);
	report_ready(run, false);
}

static int start_try(struct running *running)
{
	struct claw_test_run *run = running->run;
	const struct claw_test_case *what = &running->item->what;
	char directory[PATH_MAX], suffix[32] = "", why[PATH_MAX + 64];
	int ret;

	running->tries++;
	if (running->tries > 1)
		snprintf(suffix, sizeof(suffix), ".%u", running->tries);
	snprintf(directory, sizeof(directory), "%s/cases/%s/%s/%s%s",
		 run->how.config.directory, what->under->row->name,
		 what->suite->name, what->about->name, suffix);
	ret = claw_test_try_init(&running->try, what, running->tries,
				 directory, &run->how.config);
	if (ret == -CLAW_E_NO_LAYER) {
		finish_plain(running, CLAW_NOT_INJECTED, claw_error_text(ret));
		return 0;
	}
	if (ret == 0)
		claw_runner_add(run->runner, &running->try.spec, try_ended,
				running);
	if (ret == 0)
		return 0;
	snprintf(why, sizeof(why), "%s: %s", directory,
		 ret == -CLAW_E_IO ? strerror(errno) : claw_error_text(ret));
	note_error(run, ret);
	finish_plain(running, CLAW_INFRA, why);
	return ret;
}

static unsigned int jobs_for(const struct claw_test_run *run,
			     const struct claw_under *under)
{
	uint64_t jobs = run->how.jobs;

	if (jobs)
		return jobs > JOBS_MAX ? JOBS_MAX : (unsigned int)jobs;
	return under->jobs ? under->jobs : claw_core_count();
}

/* Items that cannot run here are done at once. */
static void skip_items(struct claw_test_run *run,
		       const struct claw_under *under, bool broken)
{
	char why[512];

	for (size_t i = 0; i < run->count; i++) {
		struct running *running = &run->items[i];

		if (running->item->what.under != under)
			continue;
		if (under->why[0]) {
			finish_plain(running, broken ? CLAW_INFRA :
				     CLAW_SKIPPED, under->why);
			continue;
		}
		if (running->item->what.about->problem) {
			finish_plain(running, CLAW_INFRA,
				     running->item->what.about->problem);
			continue;
		}
		why[0] = '\0';
		claw_test_case_why_not(&running->item->what, why, sizeof(why));
		if (why[0])
			finish_plain(running, CLAW_SKIPPED, why);
	}
}

static bool has_items(const struct claw_test_run *run,
		      const struct claw_under *under)
{
	for (size_t i = 0; i < run->count; i++)
		if (run->items[i].item->what.under == under)
			return true;
	return false;
}

static void record_jobs(struct claw_test_run *run,
			const struct claw_under *under)
{
	char jobs[16];

	snprintf(jobs, sizeof(jobs), "%u", jobs_for(run, under));
	note_error(run, claw_records_environment(
		run->how.records, under->row->name, CLAW_FACT_JOBS, jobs));
}

/* What the tool says of itself, where it is a program. */
static void record_version(struct claw_test_run *run,
			   const struct claw_under *under)
{
	char option[] = "--version";
	char *argv[] = { under->program, option, NULL };
	struct claw_run_result result;
	char *text;

	if (!under->program ||
	    claw_run_once(&(struct claw_run_spec){ .argv = argv,
						   .timeout_ms = 10 * 1000 },
			  &result) != 0)
		return;
	text = claw_text_clean(result.out.head, result.out.head_bytes);
	if (text && result.end == CLAW_END_EXIT && result.code == 0) {
		text[strcspn(text, "\n")] = '\0';
		note_error(run, claw_records_environment(
			run->how.records, under->row->name, "tool", text));
	}
	free(text);
	claw_run_result_release(&result);
}

static int run_queue(struct claw_test_run *run, const struct claw_under *under)
{
	int cancelled;

	run->runner = claw_runner_new(jobs_for(run, under));
	if (!run->runner) {
		note_error(run, -CLAW_E_SPAWN);
		return 0;
	}
	claw_runner_set_tick(run->runner, TICK_MS, tick, run);
	run->deadline_ms = claw_clock_mono_ms() + run->how.repeat_ms;
	for (size_t i = 0; i < run->count; i++)
		if (run->items[i].item->what.under == under &&
		    !run->items[i].is_done)
			start_try(&run->items[i]);
	report_ready(run, false);
	cancelled = claw_runner_run(run->runner);
	if (cancelled < 0) {
		note_error(run, cancelled);
		cancelled = 0;
	}
	claw_runner_free(run->runner);
	run->runner = NULL;
	return cancelled;
}

/*
 * Where the driver ends every process that asks it for devices (pocl without
 * /sys), no case can say anything: it is asked before them all, and again, since
 * one crash may be chance. What cannot be asked is found out by the cases.
 */
static void check_driver(struct claw_under *under)
{
	char *environment[CLAW_UNDER_DRIVERS_MAX];
	bool cannot_run = true;

	claw_under_drivers(under, environment);
	for (int i = 0; i < 2 && cannot_run; i++) {
		struct claw_machine *machine = NULL;

		cannot_run = claw_machine_ask(environment, &machine) == 0 &&
			machine->cannot_run;
		if (cannot_run)
			snprintf(under->why, sizeof(under->why), "%s",
				 machine->problem);
		claw_machine_free(machine);
	}
	if (!cannot_run)
		under->why[0] = '\0';
	under->cannot_run = cannot_run;
	free(environment[0]);
}

/* All items of one tool. Returns the signal that interrupted them, or 0. */
static int run_under(struct claw_test_run *run, struct claw_under *under)
{
	const struct claw_test_how *how = &run->how;
	int cancelled, ret;

	if (!has_items(run, under))
		return 0;
	ret = claw_under_begin(under, under->row, &how->config);
	if (ret < 0) {
		note_error(run, ret);
		snprintf(under->why, sizeof(under->why), "%s: %s",
			 under->row->name, ret == -CLAW_E_IO ?
			 strerror(errno) : claw_error_text(ret));
	}
	if (!under->why[0])
		check_driver(under);
	if (!under->why[0]) {
		record_jobs(run, under);
		record_version(run, under);
	}
	skip_items(run, under, ret < 0);
	cancelled = run_queue(run, under);
	clear_progress(run);
	if (!cancelled && how->format->pause) {
		how->format->pause(stdout, how->format_state);
		fflush(stdout);
	}
	return cancelled;
}

int claw_test_run_all(struct claw_test_run *run)
{
	int cancelled = 0;

	for (size_t u = 0; u < run->plan->under_count && !cancelled; u++)
		cancelled = run_under(run, &run->plan->unders[u]);
	report_ready(run, true);
	return cancelled;
}

/* ---- the end --------------------------------------------------------- */

static bool is_required(const struct claw_test_run *run, const char *tool)
{
	const struct claw_strings *require = run->how.require;

	for (size_t i = 0; i < require->count; i++)
		if (strcmp(require->items[i], tool) == 0)
			return true;
	return false;
}

int claw_test_run_status(const struct claw_test_run *run, int cancelled,
			 bool (*is_known)(const void *user,
					  const struct claw_result *result),
			 const void *user)
{
	uint64_t bad = 0, unknown = 0, skipped = 0, infra = 0, count = 0;
	bool is_unchosen = false, is_broken = false;

	for (size_t i = 0; i < run->count; i++) {
		const struct running *running = &run->items[i];
		const char *tool = running->item->what.under->row->name;

		is_unchosen |= running->is_unchosen;
		unknown += !running->is_done || running->tally.count == 0;
		for (size_t r = 0; running->is_done &&
		     r < running->tally.count; r++) {
			const struct claw_result *result =
				&running->tally.items[r].result;
			char class = claw_verdict_class(result->verdict);

			count++;
			if (is_known && is_known(user, result))
				continue;
			bad += class == 'f';
			infra += result->verdict == CLAW_INFRA;
			skipped += class == 's';
			is_broken |= running->item->what.under->cannot_run;
			unknown += class == 'u' ||
				   (class == 's' && is_required(run, tool));
		}
	}
	if (run->error < 0 || infra > 0)
		return CLAW_EXIT_INFRA;
	if (bad > 0)
		return run->how.error_exitcode;
	if (unknown > 0 || cancelled || (is_broken && skipped < count))
		return CLAW_EXIT_UNKNOWN;
	if (count == 0 || skipped < count)
		return CLAW_EXIT_CLEAN;
	return is_unchosen ? CLAW_EXIT_UNKNOWN : CLAW_EXIT_SKIPPED;
}

struct claw_test_run *claw_test_run_new(struct claw_test_plan *plan,
					const struct claw_test_how *how)
{
	struct claw_test_run *run = claw_calloc(1, sizeof(*run));

	run->plan = plan;
	run->how = *how;
	run->start_ms = run->last_line_ms = claw_clock_mono_ms();
	run->items = claw_calloc(plan->here, sizeof(*run->items));
	run->facts_said = claw_calloc(plan->under_count, sizeof(bool));
	for (size_t i = 0; i < plan->count; i++) {
		if (plan->items[i].elsewhere)
			continue;
		run->items[run->count].item = &plan->items[i];
		run->items[run->count++].run = run;
	}
	return run;
}

void claw_test_run_free(struct claw_test_run *run)
{
	if (!run)
		return;
	for (size_t i = 0; i < run->count; i++)
		claw_test_tally_release(&run->items[i].tally);
	free(run->items);
	free(run->facts_said);
	free(run);
}
