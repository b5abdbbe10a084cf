/* SPDX-License-Identifier: Apache-2.0 */
/*
 * "openclaw test": run suites under tools, a process a case, and report.
 * Results go to the records and to stdout in the order of the plan, whatever
 * order the cases end in.
 */
#include "config.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../faults/plan.h"
#include "../reports/report.h"
#include "errors.h"
#include "nearest.h"
#include "options.h"
#include "records.h"
#include "runner.h"
#include "session.h"
#include "suite.h"
#include "test_case.h"
#include "tools.h"

enum {
	DEFAULT_TIMEOUT_MS = 60 * 1000,
	TICK_MS = 500,
	LOG_LINE_MS = 30 * 1000,	/* between progress lines in a log */
	JOBS_MAX = 1024,
};

static struct {
	struct claw_strings suites, under, require, filters;
	bool list, verbose, quiet, durations, tap, force;
	uint64_t jobs, timeout_ms, retries, device, error_exitcode;
	const char *device_text, *output, *junit, *source_root;
} given;

static const struct claw_option test_options[] = {
	{ "suite", 's', OPT_LIST, "NAME", "run this suite; may be repeated (default: every suite)", &given.suites },
	{ "list", 0, OPT_FLAG, NULL, "print the cases that would run and stop", &given.list },
	{ "filter", 'f', OPT_STRINGS, "GLOB", "run the cases whose name, or suite/name if there is a slash, matches; may be repeated", &given.filters },
	{ "under", 'u', OPT_LIST, "TOOL", "run under native, oclgrind, valgrind or device, or several, comma-separated (default: native)", &given.under },
	{ "jobs", 'j', OPT_UINT, "N", "cases at a time (default: one a core, one on a GPU)", &given.jobs },
	{ "verbose", 'v', OPT_FLAG, NULL, "say on stderr what passing cases have to say", &given.verbose },
	{ "quiet", 'q', OPT_FLAG, NULL, "nothing on stderr but errors", &given.quiet },
	{ "durations", 0, OPT_FLAG, NULL, "show how long each case took", &given.durations },
	{ "timeout", 't', OPT_DURATION, "TIME", "longest time for a case (default: 60s, ten times that under valgrind)", &given.timeout_ms },
	{ "retries", 0, OPT_UINT, "N", "try a case that fails up to N times more (default: 0)", &given.retries },
	{ "device", 0, OPT_STRING, "N", "the device for native and device, as \"openclaw info\" counts", &given.device_text },
	{ "require", 0, OPT_LIST, "TOOL", "a tool that is not here is exit status 2, not a skip", &given.require },
	{ "output", 'o', OPT_STRING, "DIR", "where records and reports go (default: openclaw-out/test-TIME)", &given.output },
	{ "force", 0, OPT_FLAG, NULL, "replace an output directory whose run did not finish", &given.force },
	{ "tap", 0, OPT_FLAG, NULL, "print TAP on stdout", &given.tap },
	{ "junit", 0, OPT_OPTIONAL, "FILE", "write the JUnit report to FILE, too (default: only DIR/junit.xml)", &given.junit },
	{ "source-root", 0, OPT_STRING, "DIR", "show paths in reports relative to DIR (default: the working directory)", &given.source_root },
	{ "error-exitcode", 0, OPT_UINT, "N", "exit status when a case fails (default: 1)", &given.error_exitcode },
	{ NULL, 0, OPT_END, NULL, NULL, NULL },
};

/* A case under a tool: one line of the plan. */
struct item {
	struct claw_test_case what;
	char *reproduce;
	struct test_run *run;
	struct claw_test_try try;	/* under way */
	unsigned int tries;
	char *earlier;			/* what earlier tries said */
	struct claw_result result;
	bool has_result;
};

struct test_run {
	struct claw_suite **suites;
	size_t suite_count;
	struct claw_under *unders;
	size_t under_count;
	bool *facts_said;		/* of each tool */
	struct item *items;
	size_t item_count, next;	/* items before next are reported */
	struct claw_under_config config;
	char *directory;		/* absolute */
	char *shown_directory;		/* as the user knows it */
	struct claw_records *records;
	const struct claw_report_format *format;
	struct claw_report_head head;
	void *format_state;
	struct claw_runner *runner;
	size_t done, bad;
	uint64_t start_ms, last_line_ms;
	bool progress_shown;
	int error;			/* first failure of ours, -CLAW_E_* */
	int error_errno;
};

static uint64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000u + (uint64_t)now.tv_nsec / 1000000u;
}

static void note_error(struct test_run *run, int error)
{
	if (error < 0 && run->error == 0) {
		run->error = error;
		run->error_errno = errno;
	}
}

/* ---- what is to be run ----------------------------------------------- */

static void die_unknown_suite(const char *name, const char *message)
{
	char **names = claw_suite_names();
	struct claw_nearest nearest;
	char known[512] = "";
	size_t length = 0;

	claw_nearest_init(&nearest, name);
	for (size_t i = 0; names && names[i]; i++) {
		claw_nearest_offer(&nearest, names[i]);
		if (length < sizeof(known))
			length += (size_t)snprintf(known + length,
						   sizeof(known) - length,
						   "%s%s", i ? ", " : "",
						   names[i]);
	}
	if (nearest.best)
		claw_die(CLAW_EXIT_USAGE, "%s, did you mean %s?", message,
			 nearest.best);
	claw_die(CLAW_EXIT_USAGE, "%s, there %s %s", message,
		 names && names[0] && names[1] ? "are" : "is",
		 *known ? known : "none");
}

static void add_suite(struct test_run *run, const char *name)
{
	struct claw_suite_error error = { "" };
	struct claw_suite *suite = NULL, **grown;
	int ret;

	for (size_t i = 0; i < run->suite_count; i++)
		if (strcmp(run->suites[i]->name, name) == 0)
			return;
	ret = claw_suite_read(name, &suite, &error);
	if (ret == -CLAW_E_NOT_FOUND)
		die_unknown_suite(name, error.message);
	if (ret < 0)
		claw_die(ret == -CLAW_E_NO_MEMORY ? CLAW_EXIT_INFRA :
			 CLAW_EXIT_USAGE, "%s", error.message);
	grown = realloc(run->suites, (run->suite_count + 1) * sizeof(*grown));
	if (!grown)
		claw_die(CLAW_EXIT_INFRA, "out of memory");
	run->suites = grown;
	grown[run->suite_count++] = suite;
}

static void add_suites(struct test_run *run)
{
	char **names;

	for (size_t i = 0; i < given.suites.count; i++)
		add_suite(run, given.suites.items[i]);
	if (given.suites.count > 0)
		return;
	names = claw_suite_names();
	for (size_t i = 0; names && names[i]; i++) {
		add_suite(run, names[i]);
		free(names[i]);
	}
	free(names);
}

static const struct claw_under_row *find_row(const char *name)
{
	const struct claw_under_row *row = claw_under_find(name);
	struct claw_nearest nearest;

	if (row)
		return row;
	claw_nearest_init(&nearest, name);
	for (size_t i = 0; claw_under_rows[i]; i++)
		claw_nearest_offer(&nearest, claw_under_rows[i]->name);
	claw_die(CLAW_EXIT_USAGE, "no tool \"%s\", %s%s%s", name,
		 nearest.best ? "did you mean " :
		 "there are native, oclgrind, valgrind, device",
		 nearest.best ? nearest.best : "", nearest.best ? "?" : "");
}

static void add_under(struct test_run *run, const char *name)
{
	const struct claw_under_row *row = find_row(name);

	for (size_t i = 0; i < run->under_count; i++)
		if (run->unders[i].row == row)
			return;
	run->unders[run->under_count++].row = row;
}

/* --require NAME adds NAME to what is run under. */
static void add_unders(struct test_run *run)
{
	size_t most = given.under.count + given.require.count + 1;

	run->unders = calloc(most, sizeof(*run->unders));
	run->facts_said = calloc(most, sizeof(*run->facts_said));
	if (!run->unders || !run->facts_said)
		claw_die(CLAW_EXIT_INFRA, "out of memory");
	for (size_t i = 0; i < given.under.count; i++)
		add_under(run, given.under.items[i]);
	if (given.under.count == 0)
		add_under(run, "native");
	for (size_t i = 0; i < given.require.count; i++)
		add_under(run, given.require.items[i]);
}

static bool matches(const struct claw_suite *suite,
		    const struct claw_suite_case *one, const char *tool)
{
	bool wanted = given.filters.count == 0;
	char path[512];

	snprintf(path, sizeof(path), "%s/%s", suite->name, one->name);
	for (size_t i = 0; i < given.filters.count && !wanted; i++)
		wanted = claw_glob_match(given.filters.items[i],
					 strchr(given.filters.items[i], '/') ?
					 path : one->name);
	if (!wanted || !one->only_under)
		return wanted;
	for (char **under = one->only_under; *under; under++)
		if (strcmp(*under, tool) == 0)
			return true;
	return false;
}

static uint64_t timeout_of(const struct claw_suite *suite,
			   const struct claw_under_row *row)
{
	if (given.timeout_ms)
		return given.timeout_ms;
	return (suite->timeout_ms ? suite->timeout_ms : DEFAULT_TIMEOUT_MS) *
	       row->timeout_factor;
}

/* Were tools named? Then every result says which, else none does. */
static bool is_named(void)
{
	return given.under.count > 0 || given.require.count > 0;
}

static void add_item(struct test_run *run, const struct claw_suite *suite,
		     const struct claw_suite_case *one,
		     const struct claw_under *under)
{
	struct item *item = &run->items[run->item_count++];
	const char *name = is_named() ? under->row->name : NULL;
	char device[64] = "";

	if (given.device_text)
		snprintf(device, sizeof(device), " --device %" PRIu64,
			 given.device);
	item->run = run;
	if (asprintf(&item->reproduce,
		     "openclaw test --suite %s --filter %s%s%s%s", suite->name,
		     one->name, name ? " --under " : "", name ? name : "",
		     device) < 0)
		claw_die(CLAW_EXIT_INFRA, "out of memory");
	item->what = (struct claw_test_case){
		.suite = suite, .about = one, .under = under,
		.configuration = name,
		.timeout_ms = timeout_of(suite, under->row),
		.reproduce = item->reproduce,
	};
}

/* Tool by tool, suite by suite, case by case. */
static void plan_items(struct test_run *run)
{
	size_t most = 0;

	for (size_t s = 0; s < run->suite_count; s++)
		most += run->suites[s]->case_count;
	run->items = calloc(most * run->under_count + 1, sizeof(*run->items));
	if (!run->items)
		claw_die(CLAW_EXIT_INFRA, "out of memory");
	for (size_t u = 0; u < run->under_count; u++)
		for (size_t s = 0; s < run->suite_count; s++)
			for (size_t c = 0; c < run->suites[s]->case_count; c++)
				if (matches(run->suites[s],
					    &run->suites[s]->cases[c],
					    run->unders[u].row->name))
					add_item(run, run->suites[s],
						 &run->suites[s]->cases[c],
						 &run->unders[u]);
}

static void list_items(const struct test_run *run)
{
	for (size_t i = 0; i < run->item_count; i++) {
		const struct claw_test_case *what = &run->items[i].what;

		printf("%s/%s%s%s%s", what->suite->name, what->about->name,
		       what->configuration ? " [" : "",
		       what->configuration ? what->configuration : "",
		       what->configuration ? "]" : "");
		if (given.verbose && what->about->proves)
			printf("  %s", what->about->proves);
		putchar('\n');
	}
}

/* ---- telling --------------------------------------------------------- */

static void clear_progress(struct test_run *run)
{
	if (!run->progress_shown)
		return;
	fputs("\r\033[K", stderr);
	run->progress_shown = false;
}

static void tick(void *user)
{
	struct test_run *run = user;
	bool terminal = isatty(STDERR_FILENO);

	if (given.quiet || (!terminal && now_ms() - run->last_line_ms <
			    LOG_LINE_MS))
		return;
	run->last_line_ms = now_ms();
	clear_progress(run);
	fprintf(stderr, "%zu of %zu done, %zu failed", run->done,
		run->item_count, run->bad);
	if (run->done > 0)
		fprintf(stderr, ", about %" PRIu64 " s left",
			(now_ms() - run->start_ms) *
			(run->item_count - run->done) / run->done / 1000);
	if (!terminal)
		fputc('\n', stderr);
	run->progress_shown = terminal;
	fflush(stderr);
}

/* One line on stderr of what a tool's cases run on, and the records. */
static void say_facts(struct test_run *run, const struct item *item,
		      const struct claw_case_report *report)
{
	size_t under = (size_t)(item->what.under - run->unders);
	const char *tool = item->what.under->row->name;

	if (run->facts_said[under] || report->fact_count == 0)
		return;
	run->facts_said[under] = true;
	if (!given.quiet) {
		clear_progress(run);
		fprintf(stderr, "%s: ", tool);
		for (size_t i = 0; i < report->fact_count; i++)
			fprintf(stderr, "%s%s %s", i ? ", " : "",
				report->facts[i].key, report->facts[i].value);
		fputc('\n', stderr);
	}
	for (size_t i = 0; i < report->fact_count; i++)
		note_error(run, claw_records_environment(run->records, tool,
			report->facts[i].key, report->facts[i].value));
}

static void annotate(const struct test_run *run,
		     const struct claw_result *result)
{
	if (strchr("fu", claw_verdict_class(result->verdict)))
		claw_report_annotate(stderr, &run->head, result);
}

/* What a passing case has to say (that a driver deviates): a line always,
 * the rest with --verbose. */
static void say_more(const struct claw_result *result)
{
	char *block;

	if (claw_verdict_class(result->verdict) != 'p' || !result->message)
		return;
	block = claw_report_block(result);
	fprintf(stderr, "%s: %s: %s%s\n", block ? block : "", result->name,
		result->message, given.verbose ? "" : " (-v shows them)");
	free(block);
	if (given.verbose && result->detail)
		claw_report_lines(stderr, "    ", result->detail, 60);
}

/* Report every result whose turn it is. */
static void report_ready(struct test_run *run, bool all)
{
	for (; run->next < run->item_count; run->next++) {
		struct item *item = &run->items[run->next];

		if (!item->has_result) {
			if (!all)
				break;
			continue;
		}
		clear_progress(run);
		note_error(run, claw_records_result(run->records,
						    &item->result));
		note_error(run, run->format->result(stdout, run->format_state,
						    &item->result));
		fflush(stdout);
		say_more(&item->result);
		annotate(run, &item->result);
	}
}

/* ---- running --------------------------------------------------------- */

static int start_item(struct item *item);

static void set_result(struct item *item, const struct claw_result *result)
{
	if (claw_result_copy(result, &item->result) < 0) {
		note_error(item->run, -CLAW_E_NO_MEMORY);
		return;
	}
	item->has_result = true;
	item->run->done++;
	item->run->bad += strchr("fu", claw_verdict_class(result->verdict)) !=
			  NULL;
}

/* Nothing came of it: one line instead of a run. */
static void set_plain_result(struct item *item, enum claw_verdict verdict,
			     const char *message)
{
	set_result(item, &(struct claw_result){
		.suite = item->what.suite->name,
		.name = item->what.about->name,
		.configuration = item->what.configuration,
		.verdict = verdict, .message = message, .attempt = 1,
		.reproduce = verdict == CLAW_SKIPPED ? NULL :
			     item->reproduce });
}

static bool may_retry(const struct item *item, enum claw_verdict verdict)
{
	return item->tries <= given.retries &&
	       (verdict == CLAW_FAILED || verdict == CLAW_HANG ||
		verdict == CLAW_CRASH);
}

/* A pass after failures: the word stays, the failures are told. */
static void finish_result(struct item *item, struct claw_result *result)
{
	char *message = NULL, *detail = NULL;

	if (item->earlier && claw_verdict_class(result->verdict) == 'p') {
		result->flaky = true;
		if (asprintf(&message, "passed on try %u of %" PRIu64 "%s%s",
			     item->tries, given.retries + 1,
			     result->message ? "; " : "",
			     result->message ? result->message : "") < 0)
			message = NULL;
	}
	if (item->earlier && asprintf(&detail, "%s%s%s", item->earlier,
				      result->detail ? result->detail : "",
				      "") < 0)
		detail = NULL;
	if (message) {
		free((char *)(uintptr_t)result->message);
		result->message = message;
	}
	if (detail) {
		free((char *)(uintptr_t)result->detail);
		result->detail = detail;
	}
}

static void remember_try(struct item *item, const struct claw_result *result)
{
	char *text;

	if (asprintf(&text, "%stry %u: %s: %s\n",
		     item->earlier ? item->earlier : "", item->tries,
		     claw_verdict_name(result->verdict),
		     result->message ? result->message : "") < 0)
		return;
	free(item->earlier);
	item->earlier = text;
}

/* What nobody will look at again. */
static void remove_session(const struct claw_test_try *try)
{
	claw_directory_remove(try->session->directory);
}

static void item_done(struct claw_run_result *ended, void *user)
{
	struct item *item = user;
	struct test_run *run = item->run;
	struct claw_case_report report;
	struct claw_result result;
	int ret;

	if (ended->end == CLAW_END_CANCELLED)
		goto out;
	ret = claw_test_try_judge(&item->try, ended, &result, &report);
	if (ret < 0) {
		note_error(run, ret);
		goto out;
	}
	say_facts(run, item, &report);
	if (claw_verdict_class(result.verdict) == 'p' ||
	    result.verdict == CLAW_SKIPPED)
		remove_session(&item->try);
	if (may_retry(item, result.verdict)) {
		remember_try(item, &result);
		claw_test_try_release(&item->try);
		ret = start_item(item);
	} else {
		finish_result(item, &result);
		set_result(item, &result);
	}
	claw_result_release(&result);
	claw_case_report_release(&report);
	report_ready(run, false);
out:
	if (item->has_result || ended->end == CLAW_END_CANCELLED)
		claw_test_try_release(&item->try);
}

static int start_item(struct item *item)
{
	struct test_run *run = item->run;
	const struct claw_test_case *what = &item->what;
	char directory[PATH_MAX], suffix[32] = "", why[PATH_MAX + 64];
	int ret;

	item->tries++;
	if (item->tries > 1)
		snprintf(suffix, sizeof(suffix), ".%u", item->tries);
	snprintf(directory, sizeof(directory), "%s/cases/%s/%s/%s%s",
		 run->directory, what->under->row->name, what->suite->name,
		 what->about->name, suffix);
	ret = claw_test_try_init(&item->try, what, item->tries, directory,
				 &run->config);
	if (ret == -CLAW_E_NOT_FOUND) {
		set_plain_result(item, CLAW_NOT_INJECTED,
				 "libopenclaw-layer.so is nowhere: build it, "
				 "or set OPENCLAW_LAYER");
		return 0;
	}
	if (ret == 0)
		ret = claw_runner_add(run->runner, &item->try.spec, item_done,
				      item);
	if (ret == 0)
		return 0;
	snprintf(why, sizeof(why), "%s: %s", directory,
		 ret == -CLAW_E_IO ? strerror(errno) : claw_error_text(ret));
	set_plain_result(item, CLAW_INFRA, why);
	note_error(run, ret);
	return ret;
}

static unsigned int core_count(void)
{
	cpu_set_t cores;

	if (sched_getaffinity(0, sizeof(cores), &cores) < 0)
		return 1;
	return CPU_COUNT(&cores) > 0 ? (unsigned int)CPU_COUNT(&cores) : 1;
}

static unsigned int jobs_for(const struct claw_under *under)
{
	if (given.jobs)
		return given.jobs > JOBS_MAX ? JOBS_MAX :
		       (unsigned int)given.jobs;
	return under->jobs ? under->jobs : core_count();
}

/* All items of one tool. Returns the signal that interrupted them, or 0. */
static int run_under(struct test_run *run, struct claw_under *under)
{
	int ret = claw_under_init(under, under->row, &run->config);
	int cancelled = 0;

	if (ret < 0) {
		note_error(run, ret);
		snprintf(under->why, sizeof(under->why), "%s: %s",
			 under->row->name, ret == -CLAW_E_IO ?
			 strerror(errno) : claw_error_text(ret));
	}
	run->runner = claw_runner_new(jobs_for(under));
	if (!run->runner) {
		note_error(run, -CLAW_E_SPAWN);
		return 0;
	}
	claw_runner_set_tick(run->runner, TICK_MS, tick, run);
	for (size_t i = 0; i < run->item_count; i++) {
		struct item *item = &run->items[i];

		if (item->what.under != under)
			continue;
		if (under->why[0])
			set_plain_result(item, ret < 0 ? CLAW_INFRA :
					 CLAW_SKIPPED, under->why);
		else
			start_item(item);
	}
	report_ready(run, false);
	cancelled = claw_runner_run(run->runner);
	if (cancelled < 0) {
		note_error(run, cancelled);
		cancelled = 0;
	}
	claw_runner_free(run->runner);
	run->runner = NULL;
	clear_progress(run);
	if (!cancelled && run->format->pause) {
		run->format->pause(stdout, run->format_state);
		fflush(stdout);
	}
	return cancelled;
}

/* ---- the end --------------------------------------------------------- */

static bool is_required(const char *tool)
{
	for (size_t i = 0; i < given.require.count; i++)
		if (strcmp(given.require.items[i], tool) == 0)
			return true;
	return false;
}

static int exit_status(const struct test_run *run, int cancelled)
{
	uint64_t bad = 0, unknown = 0, skipped = 0, infra = 0;

	for (size_t i = 0; i < run->item_count; i++) {
		const struct item *item = &run->items[i];
		char class = claw_verdict_class(item->result.verdict);

		if (!item->has_result) {
			unknown++;
			continue;
		}
		bad += class == 'f';
		unknown += class == 'u';
		infra += item->result.verdict == CLAW_INFRA;
		skipped += class == 's';
		unknown += class == 's' &&
			   is_required(item->what.under->row->name);
	}
	if (run->error < 0 || infra > 0)
		return CLAW_EXIT_INFRA;
	if (bad > 0)
		return (int)given.error_exitcode;
	if (unknown > 0 || cancelled)
		return CLAW_EXIT_UNKNOWN;
	return skipped == run->item_count ? CLAW_EXIT_SKIPPED :
	       CLAW_EXIT_CLEAN;
}

/* --junit=FILE */
static void write_junit(struct test_run *run)
{
	FILE *out = fopen(given.junit, "we");
	int ret = out ? claw_report_write(run->directory, &claw_report_junit,
					  out, &run->head, NULL) : -CLAW_E_IO;

	if (out && fclose(out) != 0 && ret == 0)
		ret = -CLAW_E_IO;
	if (ret < 0) {
		claw_warn("%s: %s", given.junit, ret == -CLAW_E_IO ?
			  strerror(errno) : claw_error_text(ret));
		note_error(run, ret);
	}
}

static int finish(struct test_run *run, int cancelled)
{
	int status, ret;

	report_ready(run, true);
	run->head.cancelled = cancelled != 0;
	note_error(run, run->format->end(stdout, run->format_state));
	if (fflush(stdout) != 0 || ferror(stdout))
		note_error(run, -CLAW_E_IO);
	status = exit_status(run, cancelled);
	ret = claw_records_end(run->records, status, cancelled != 0);
	note_error(run, ret);
	claw_records_free(run->records);
	run->records = NULL;
	note_error(run, claw_report_write_all(run->directory, &run->head));
	if (given.junit && *given.junit)
		write_junit(run);
	if (run->error < 0) {
		claw_warn("%s: %s", run->shown_directory, run->error ==
			  -CLAW_E_IO ? strerror(run->error_errno) :
			  claw_error_text(run->error));
		status = CLAW_EXIT_INFRA;
	}
	if (cancelled)
		claw_warn("interrupted by signal %d: what was done is in %s",
			  cancelled, run->shown_directory);
	if (!given.quiet)
		fprintf(stderr, "reports: %s\n", run->shown_directory);
	return status;
}

static void run_release(struct test_run *run)
{
	for (size_t i = 0; i < run->item_count; i++) {
		free(run->items[i].reproduce);
		free(run->items[i].earlier);
		if (run->items[i].has_result)
			claw_result_release(&run->items[i].result);
	}
	for (size_t i = 0; i < run->under_count; i++)
		claw_under_release(&run->unders[i]);
	for (size_t i = 0; i < run->suite_count; i++)
		claw_suite_free(run->suites[i]);
	free(run->items);
	free(run->unders);
	free(run->facts_said);
	free(run->suites);
	free(run->directory);
	free(run->shown_directory);
}

/* A handler, not SIG_IGN: that would be inherited by what we start. */
static void file_too_large(int signal)
{
	(void)signal;
}

static void open_output(struct test_run *run, int argc, char *const *argv)
{
	char error[PATH_MAX + 256];
	int ret = claw_output_open(given.output, "test", given.force,
				   &run->shown_directory, error,
				   sizeof(error));

	if (ret < 0)
		claw_die(ret == -CLAW_E_USAGE ? CLAW_EXIT_USAGE :
			 CLAW_EXIT_INFRA, "%s", error);
	run->directory = realpath(run->shown_directory, NULL);
	ret = run->directory ? claw_records_new(run->directory, "test", argc,
						argv, run->item_count, 0,
						&run->records) : -CLAW_E_IO;
	if (ret < 0)
		claw_die(CLAW_EXIT_INFRA, "%s: %s", run->shown_directory,
			 ret == -CLAW_E_IO ? strerror(errno) :
			 claw_error_text(ret));
	run->config.directory = run->directory;
}

static void check_options(void)
{
	char *end;

	if (given.error_exitcode > 255)
		claw_die(CLAW_EXIT_USAGE, "--error-exitcode %" PRIu64
			 " is no exit status: expected 0 to 255",
			 given.error_exitcode);
	if (!given.device_text)
		return;
	errno = 0;
	given.device = strtoull(given.device_text, &end, 10);
	if (errno || *end || end == given.device_text ||
	    *given.device_text == '-')
		claw_die(CLAW_EXIT_USAGE, "--device %s: expected a number, as "
			 "\"openclaw info\" counts devices",
			 given.device_text);
}

extern const struct claw_command claw_cmd_test;

static int test_run(int argc, char *const *argv)
{
	static char cwd[PATH_MAX];
	struct test_run run = { .start_ms = now_ms(),
				.last_line_ms = now_ms() };
	int first, status, cancelled = 0;

	memset(&given, 0, sizeof(given));
	given.error_exitcode = CLAW_EXIT_FINDINGS;
	first = claw_command_start(&claw_cmd_test, argc, argv, false);
	if (first < argc)
		claw_die(CLAW_EXIT_USAGE, "test takes no operand, found \"%s\" "
			 "(a suite is named with --suite)", argv[first]);
	check_options();
	add_suites(&run);
	add_unders(&run);
	plan_items(&run);
	if (run.suite_count == 0)
		claw_die(CLAW_EXIT_UNKNOWN, "there is no suite (OPENCLAW_SUITES "
			 "names directories with more)");
	if (run.item_count == 0)
		claw_die(CLAW_EXIT_UNKNOWN, "nothing was selected");
	if (given.list) {
		list_items(&run);
		run_release(&run);
		return CLAW_EXIT_CLEAN;
	}
	sigaction(SIGXFSZ, &(struct sigaction){ .sa_handler = file_too_large },
		  NULL);
	run.config.has_device = given.device_text != NULL;
	run.config.device = given.device;
	open_output(&run, argc, argv);
	if (!given.source_root && getcwd(cwd, sizeof(cwd)))
		given.source_root = cwd;
	run.head = (struct claw_report_head){
		.verb = "test", .planned = run.item_count, .complete = true,
		.source_root = given.source_root,
		.durations = given.durations,
		.color = claw_color_enabled(STDOUT_FILENO),
	};
	run.format = given.tap ? &claw_report_tap : &claw_report_text;
	if (run.format->begin(stdout, &run.head, &run.format_state) < 0)
		claw_die(CLAW_EXIT_INFRA, "out of memory");
	for (size_t u = 0; u < run.under_count && !cancelled; u++)
		cancelled = run_under(&run, &run.unders[u]);
	status = finish(&run, cancelled);
	run_release(&run);
	return status;
}

const struct claw_command claw_cmd_test = {
	.name = "test",
	.summary = "run test suites on an OpenCL runtime",
	.usage = "",
	.description =
		"Runs each case of the suites in a process of its own, with "
		"the layer in it, and prints a block a suite and tool. A case "
		"that ran nothing is never a pass.\n"
		"\n"
		"Exit status: 0 every case passed, 1 one failed, 2 nothing "
		"can be said of one or nothing was selected, 64 wrong usage, "
		"77 nothing could run here, 99 openclaw itself failed.",
	.options = test_options,
	.run = test_run,
};
