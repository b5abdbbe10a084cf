/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Begin a sweep, and keep and show each point as it ends.
 */
#include "config.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "faults/shared/clock.h"
#include "cmd_sweep.h"
#include "harness/records/cmd_ended.h"
#include "harness/records/cmd_output.h"
#include "harness/machine/device_choice.h"
#include "harness/files/directories.h"
#include "harness/session/door.h"
#include "harness/session/icd_names.h"
#include "harness/base/cores.h"
#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "harness/session/model.h"
#include "reports/write/report_files.h"
#include "sweep_again.h"
#include "sweep_jobs.h"
#include "sweep_keep.h"
#include "sweep_text.h"
#include "harness/readers/symbolize.h"
#include "harness/base/text.h"
#include "harness/base/text_list.h"

enum { LOG_LINE_MS = 30 * 1000 };	/* between progress lines in a log */

/* ---- telling ---------------------------------------------------------- */

static void clear_progress(struct claw_sweeping *s)
{
	if (s->progress_shown)
		fputs("\r\033[K", stderr);
	s->progress_shown = false;
}

static void tick(void *user)
{
	struct claw_sweeping *s = user;
	bool terminal = isatty(STDERR_FILENO);
	uint64_t now = claw_clock_mono_ms();

	if (s->given->quiet || (!terminal && now - s->line_ms < LOG_LINE_MS))
		return;
	s->line_ms = now;
	clear_progress(s);
	claw_sweep_print_progress(stderr, &s->sweep, now - s->start_ms);
	if (!terminal)
		fputc('\n', stderr);
	s->progress_shown = terminal;
	fflush(stderr);
}

static void say_progress(void *user, const char *what)
{
	struct claw_sweeping *s = user;

	if (s->given->verbose)
		claw_warn("%s", what);
}

static void say_group(struct claw_sweeping *s, int group)
{
	if (s->given->quiet)
		return;
	clear_progress(s);
	claw_sweep_print_group(stderr, &s->sweep, &s->sweep.groups[group],
			       claw_color_enabled(STDERR_FILENO));
}

/* ---- keeping ---------------------------------------------------------- */

/* Say which points there are from a number on, but those that the records
 * have already. */
static int keep_planned(struct claw_sweeping *s, size_t from)
{
	int ret = 0;

	for (size_t i = from; ret == 0 && i < s->sweep.points.count; i++)
		if (!s->resumed || !claw_sweep_past_has_planned(&s->past,
					s->sweep.points.items[i].name))
			ret = claw_sweep_keep_planned(s->records, &s->sweep, i);
	return ret;
}

/* Points that a run has shown. */
static int keep_revealed(struct claw_sweeping *s, size_t from)
{
	int ret = keep_planned(s, from);

	if (ret == 0 && s->resumed)
		ret = claw_sweep_past_take(&s->past, &s->sweep, from);
	return ret;
}

/* What was known by its other points is not any more: the group is shown by
 * this one. */
static bool mark_known(struct claw_sweeping *s,
		       const struct claw_sweep_news *news)
{
	int number = s->sweep.outcomes[news->point].group;
	struct claw_sweep_group *group = number < 0 ? NULL :
		&s->sweep.groups[number];
	bool was_known = group && !news->new_group && group->known;

	claw_sweep_known_mark(&s->known, &s->sweep, news->point);
	if (!was_known || group->known)
		return news->new_group;
	free(group->message);
	free(group->detail);
	group->message = claw_strdup(news->judgement->output.message);
	group->detail = claw_strdup_or_null(news->judgement->output.detail);
	group->verdict = news->judgement->output.verdict;
	return true;
}

/* By this part of the sweep and those before it. */
static uint64_t spent_ms(const struct claw_sweeping *s)
{
	uint64_t before_ms = s->resumed ? claw_sweep_past_spent_ms(&s->past) :
		0;

	return before_ms + claw_clock_mono_ms() - s->start_ms;
}

static int keep(struct claw_sweep *sweep, const struct claw_sweep_news *news,
		void *user)
{
	struct claw_sweeping *s = user;
	int group = sweep->outcomes[news->point].group, ret;
	char *again = NULL;
	bool is_news;

	ret = keep_revealed(s, news->revealed_from);
	if (ret < 0 || news->recorded)
		return ret;
	is_news = mark_known(s, news);
	if (news->signature) {
		again = claw_sweep_again_line(sweep, news->point,
					news->judgement->output.verdict);
		if (!news->is_shared)
			claw_sweep_keep_evidence(s->directory, news, group);
	}
	ret = claw_sweep_keep_result(s->records, sweep, news, again,
				     spent_ms(s));
	free(again);
	if (is_news)
		say_group(s, group);
	return ret;
}

/* ---- the beginning ---------------------------------------------------- */

static void look_at_program(struct claw_sweeping *s)
{
	claw_cmd_look_at_program(s->argv[0], &s->program);
	claw_via_choose(&s->program);
	if (access(s->program.path, X_OK) < 0 ||
	    stat(s->program.path, &s->program_file) < 0)
		claw_die(CLAW_EXIT_NOT_EXECUTABLE, "%s: %s", s->argv[0],
			 strerror(errno));
}

/* What is only looked at leaves nothing. */
static void open_temporary(struct claw_sweeping *s)
{
	s->shown_directory = claw_path_in(claw_session_temporary_base(),
					  "openclaw.XXXXXX");
	if (!mkdtemp(s->shown_directory))
		claw_die(CLAW_EXIT_INFRA, "%s (TMPDIR): %s",
			 s->shown_directory, strerror(errno));
}

static void open_output(struct claw_sweeping *s)
{
	const struct claw_sweep_given *given = s->given;
	char error[PATH_MAX + 256];
	int ret = 0;

	if (given->dry_run) {
		open_temporary(s);
	} else if (s->resumed) {
		s->shown_directory = claw_strdup(given->resume);
		ret = claw_records_continue(given->resume, &s->records);
		if (ret == -CLAW_E_IO && errno == EWOULDBLOCK)
			claw_die(CLAW_EXIT_USAGE, "%s is in use by another "
				 "openclaw process", given->resume);
		if (ret < 0)
			claw_die(CLAW_EXIT_INFRA, "%s: %s", given->resume,
				 ret == -CLAW_E_IO ? strerror(errno) :
				 claw_error_text(ret));
		claw_cmd_output_facts(s->records, true);
	} else {
		ret = claw_output_open(given->output, "sweep", given->force,
				       &s->shown_directory, error,
				       sizeof(error));
	}
	if (ret < 0)
		claw_die(ret == -CLAW_E_USAGE ? CLAW_EXIT_USAGE :
			 CLAW_EXIT_INFRA, "%s", error);
	s->directory = realpath(s->shown_directory, NULL);
	if (!s->directory)
		claw_die(CLAW_EXIT_INFRA, "%s: %s", s->shown_directory,
			 strerror(errno));
	s->runs = claw_path_in(s->directory, "runs");
	if (claw_make_directory(s->runs) < 0)
		claw_die(CLAW_EXIT_INFRA, "%s: %s", s->runs, strerror(errno));
}

/* Always: without it what runs with faults count would get into the user's
 * own data; and it costs nothing where there is none. */
static struct claw_gcov *new_gcov(const struct claw_sweeping *s)
{
	const char *program = s->given->gcov;
	char *directory = claw_path_in(s->runs, "gcov");
	struct claw_gcov *gcov = claw_gcov_new(directory, program && *program ?
					       program : NULL);

	free(directory);
	if (program)
		claw_gcov_need_all(gcov);
	return gcov;
}

/* Where nobody says how many that is found out (sweep_jobs.h). */
static unsigned int most_jobs(const struct claw_sweeping *s)
{
	unsigned int cores = claw_core_count();

	if (s->given->jobs)
		return (unsigned int)s->given->jobs;
	return cores < CLAW_SWEEP_JOBS_MAX ? cores : CLAW_SWEEP_JOBS_MAX;
}

static void fill_judge(struct claw_sweeping *s)
{
	const struct claw_sweep_given *given = s->given;

	s->models = claw_models_of(&given->models);
	claw_device_choice_check(NULL, &given->models);
	s->how.models = given->models;
	s->judge = (struct claw_judge) {
		.argv = s->argv,
		.program = &s->program,
		.config = {
			.seed = s->how.choice.seed,
			.record = CLAW_RECORD_FULL,
			.record_queries = true,
			.all_sites = true,
			.ledger = CLAW_LEDGER_SITES,
			.find = given->guards ? CLAW_FOUND_GUARDS : 0,
			.models = s->models,
		},
		.timeout_ms = given->timeout_ms,
		.leak_check_all = given->leak_check &&
			strcmp(given->leak_check, "all") == 0,
		.stdin_path = given->stdin_path,
		.output_filter = given->output_filter,
		.prepare = given->prepare,
		.cleanup = given->cleanup,
		.artifacts = given->artifacts,
		.directory = s->runs,
		.runner = claw_runner_new(most_jobs(s)),
		.artifact_filter = given->artifact_filter,
		.strict_output = given->strict_output,
		.trust_status = given->trust_status,
		.own_directory = given->jobs > 1,
		.symbolizer = claw_symbolizer_new(),
		.gcov = new_gcov(s),
		.progress = say_progress,
		.progress_user = s,
	};
	if (!s->judge.runner)
		claw_die(CLAW_EXIT_INFRA, "cannot create the event loop");
}

static void fill_how(struct claw_sweeping *s)
{
	const struct claw_sweep_given *given = s->given;

	s->how.judge = &s->judge;
	s->how.jobs = given->jobs ? (unsigned int)given->jobs : 1;
	s->how.timeout_ms = given->timeout_ms;
	s->how.deadline_ms = given->budget_ms ?
		s->start_ms + given->budget_ms : 0;
	s->how.strict = given->strict;
	s->how.needs_gcov = given->gcov != NULL;
	s->how.source_root = claw_report_source_root(given->source_root);
	s->how.known = &s->known;
	s->how.ended = keep;
	s->how.tick = tick;
	s->how.user = s;
}

/* Until it is known how many points there are the directory is marked as that
 * of a sweep which can go on. */
static void open_records(struct claw_sweeping *s, uint64_t planned)
{
	char *path = claw_path_in(s->directory, "records.jsonl");
	char **words = claw_icd_words(s->command, s->argv);

	if (s->records) {
		claw_records_free(s->records);
		unlink(path);
	}
	free(path);
	s->records = NULL;
	if (claw_records_new(s->directory, "sweep", s->argc, words,
			     planned, s->how.choice.seed, &s->records) < 0)
		claw_die(CLAW_EXIT_INFRA, "%s: %s", s->shown_directory,
			 strerror(errno));
	claw_list_free(words);
	claw_cmd_output_facts(s->records, false);
	claw_cmd_output_program(s->records, s->argv);
}

/* Without its baselines nothing can be said of the program. */
static int end_without_sweep(struct claw_sweeping *s,
			     const struct claw_judgement *judgement)
{
	int status = claw_judge_status(judgement->end);
	bool cancelled = judgement->end == CLAW_JUDGE_CANCELLED;
	struct claw_result result = {
		.suite = "sweep",
		.configuration = s->words.each ? s->words.each->name : "native",
		.name = claw_base_name(s->argv[0]),
		.verdict = judgement->end == CLAW_JUDGE_DONE ?
			judgement->output.verdict :
			status == CLAW_EXIT_UNKNOWN ? CLAW_INCONCLUSIVE :
			CLAW_INFRA,
		.message = judgement->end == CLAW_JUDGE_DONE ?
			judgement->output.message : judgement->why,
		.attempt = 1,
	};
	struct claw_report_head head = claw_cmd_sweep_head(s);

	claw_warn("%s: %s", result.name, result.message);
	if (s->resumed || s->given->dry_run) {
		/* What was found out before stays as it is. */
		claw_records_free(s->records);
		return status;
	}
	if (!cancelled)
		claw_records_result(s->records, &result);
	claw_records_end(s->records, status, cancelled);
	claw_records_free(s->records);
	claw_report_write_all(s->directory, &head);
	return status;
}

/* That a tool is not here is what is recorded. */
static int end_without_tool(struct claw_sweeping *s, const char *why)
{
	const struct claw_result result = {
		.suite = "sweep", .configuration = "native",
		.name = claw_base_name(s->argv[0]),
		.verdict = CLAW_SKIPPED, .message = why, .attempt = 1,
	};
	struct claw_report_head head = claw_cmd_sweep_head(s);

	claw_warn("%s", why);
	if (!s->resumed && s->records) {
		claw_records_result(s->records, &result);
		claw_records_end(s->records, CLAW_EXIT_SKIPPED, false);
	}
	if (s->records)
		claw_records_free(s->records);
	if (!s->resumed && !s->given->dry_run)
		claw_report_write_all(s->directory, &head);
	return CLAW_EXIT_SKIPPED;
}

/* ---- the sweep -------------------------------------------------------- */

static void take_past(struct claw_sweeping *s)
{
	int ret = s->resumed ? claw_sweep_past_take(&s->past, &s->sweep, 0) : 0;

	if (ret < 0)
		claw_die(CLAW_EXIT_USAGE, "--resume: the program makes "
			 "different calls than before; start a new sweep");
	if (s->resumed && !s->given->quiet)
		claw_warn("resuming after %zu points", s->sweep.done);
}

/* How many runs at a time; said where it was chosen. */
static void choose_jobs(struct claw_sweeping *s)
{
	struct claw_sweep_jobs jobs;

	if (s->given->jobs || s->given->dry_run || s->sweep.points.count == 0)
		return;
	claw_sweep_jobs_choose(&s->sweep, most_jobs(s), &jobs);
	s->how.jobs = jobs.count;
	if (!s->given->quiet)
		printf("jobs: %u run%s at a time: %s\n", jobs.count,
		       jobs.count == 1 ? "" : "s", jobs.why);
	free(jobs.why);
}

static int sweep(struct claw_sweeping *s)
{
	struct claw_sweep *sweep = &s->sweep;
	int ret = 0;

	if (sweep->gcov_why)
		claw_warn("gcov: %s", sweep->gcov_why);
	else if (s->given->verbose && !sweep->unrun)
		claw_warn("no gcov data: lines that only faults reach are "
			  "unknown");
	if (!s->given->quiet || s->given->dry_run)
		claw_sweep_print_start(s->given->dry_run ? stderr : stdout,
				       sweep);
	choose_jobs(s);
	fflush(stdout);
	if (s->given->dry_run) {
		claw_sweep_print_points(stdout, sweep);
		return sweep->points.count > 0 ? CLAW_EXIT_CLEAN :
			CLAW_EXIT_UNKNOWN;
	}
	if (!s->resumed || s->past.run->planned_count == 0) {
		open_records(s, sweep->first_count - sweep->elsewhere);
		ret = claw_sweep_keep_called(s->records, sweep);
		if (ret == 0)
			ret = claw_sweep_keep_jobs(s->records, sweep);
		if (ret == 0)
			ret = claw_sweep_keep_outputs(s->records, sweep);
		if (ret == 0)
			ret = claw_sweep_keep_unrun(s->records, sweep);
	}
	take_past(s);
	claw_records_plan_begin(s->records, &s->how.shard);
	if (ret < 0 || keep_planned(s, 0) < 0 ||
	    claw_records_plan_end(s->records) < 0)
		claw_die(CLAW_EXIT_INFRA, "cannot write the records: %s",
			 strerror(errno));
	s->line_ms = claw_clock_mono_ms();
	claw_sweep_run(sweep);
	clear_progress(s);
	return claw_cmd_sweep_finish(s);
}

int claw_cmd_sweep_run(struct claw_sweeping *s)
{
	struct claw_judgement judgement = { .end = CLAW_JUDGE_INFRA };
	const char *why;
	int status;

	s->start_ms = claw_clock_mono_ms();
	look_at_program(s);
	open_output(s);
	fill_judge(s);
	fill_how(s);
	if (!s->resumed && !s->given->dry_run)
		open_records(s, 1);
	if (!s->given->dry_run)
		claw_warn("seed %" PRIu64 "; writing results to %s",
			  s->how.choice.seed, s->shown_directory);
	why = claw_cmd_sweep_tools_begin(s);
	if (why)
		status = end_without_tool(s, why);
	else if (claw_sweep_begin(&s->how, &s->sweep, &judgement) < 0)
		status = end_without_sweep(s, &judgement);
	else
		status = sweep(s);
	claw_judgement_release(&judgement);
	claw_sweep_release(&s->sweep);
	claw_cmd_sweep_tools_release(s);
	claw_runner_free(s->judge.runner);
	claw_symbolizer_free(s->judge.symbolizer);
	free(s->models);
	claw_gcov_free(s->judge.gcov);
	claw_directory_remove(s->runs);
	if (s->given->dry_run)
		rmdir(s->directory);
	claw_program_release(&s->program);
	free(s->runs);
	free(s->directory);
	free(s->shown_directory);
	return status;
}
