/* SPDX-License-Identifier: Apache-2.0 */
/*
 * "openclaw test": run suites and kernel files under tools, a process a case,
 * report, and compare with an earlier run.
 */
#include "config.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/quantity.h"
#include "harness/records/baseline.h"
#include "harness/cover/run/cmd_coverage.h"
#include "harness/machine/device_choice.h"
#include "harness/session/door.h"
#include "harness/base/errors.h"
#include "harness/base/interrupt.h"
#include "harness/session/model.h"
#include "harness/base/options.h"
#include "harness/base/shared_options.h"
#include "harness/records/output_parent.h"
#include "harness/records/past_run.h"
#include "harness/session/probe_options.h"
#include "harness/records/records.h"
#include "reports/write/report_files.h"
#include "harness/base/shard.h"
#include "run_coverage.h"
#include "run_plan.h"
#include "run.h"
#include "harness/base/text.h"
#include "harness/session/icd_names.h"
#include "harness/base/words.h"

enum { REPEAT_MAX = 1000000 };

static struct {
	struct claw_test_selection selection;
	bool list, verbose, quiet, durations, tap, force, only_new;
	uint64_t jobs, retries, error_exitcode;
	const char *device, *output, *source_root, *icd;
	struct claw_report_files files;
	struct claw_probe_options probes;
	const char *coverage;
	struct claw_coverage_given coverage_more;
	const char *max_memory, *repeat, *shard, *baseline, *rerun_failed;
} given;

static const struct claw_option test_options[] = {
	{ "suite", 's', OPT_LIST, "NAME", "run this suite; may be repeated [default: every suite]", &given.selection.suites },
	{ "list", 0, OPT_FLAG, NULL, "list the selected cases and exit", &given.list },
	{ "filter", 'f', OPT_STRINGS, "GLOB", "run only cases whose name "
	  "matches GLOB; may be repeated\n"
	  "A GLOB with a slash is matched with suite/name; a libcheck test is "
	  "program.tcase.test.", &given.selection.filters },
	{ "tag", 0, OPT_LIST, "TAG", "run only cases with one of these tags; may be repeated", &given.selection.tags },
	{ "exclude-tag", 0, OPT_LIST, "TAG", "skip cases with one of these tags", &given.selection.exclude_tags },
	{ "under", 'u', OPT_LIST, "TOOL",
	  "run under"
#define TOOL(name_, times_) " " #name_
#include "harness/tools/tools.def"
#undef TOOL
	  " or all [default: native]\n"
	  "Several are separated by commas; asan is the kernel sanitizer, all "
	  "the first four.", &given.selection.under },
	{ "icd", 0, OPT_STRING, "DRIVER", "OpenCL driver: native, oclgrind, "
	  "rusticl, NAME, an .icd file or a library [default: the tool's]\n"
	  "Under the tool; NAME is that of a NAME.icd.", &given.icd },
	CLAW_MODEL_OPTION(&given.selection.models),
	CLAW_VIA_OPTION,
	{ "guards", 0, OPT_FLAG, NULL, "put guard zones around buffers and "
	  "check them after each launch\n"
	  "As openclaw check --guards does; not under oclgrind, valgrind and "
	  "massif, which they would mislead.", &given.selection.guards },
	{ "coverage", 0, OPT_OPTIONAL, "hit|count", "measure coverage of the "
	  "kernels; count: execution counts [default: hit]\n"
	  "A table goes to stderr, coverage.info and cobertura.xml to DIR.", &given.coverage },
	CLAW_COVERAGE_OPTIONS(&given.coverage_more, "with --coverage: ", "coverage-html"),
	CLAW_SANITIZER_OPTIONS(&given.probes),
	CLAW_PROBE_OPTIONS(&given.probes),
	{ "jobs", 'j', OPT_UINT, "N", "cases to run at a time [default: one per core, one on a GPU]", &given.jobs },
	{ "verbose", 'v', OPT_FLAG, NULL, "also print the output of passing "
	  "cases and the tools' reports", &given.verbose },
	{ "quiet", 'q', OPT_FLAG, NULL, "print only errors on stderr", &given.quiet },
	{ "durations", 0, OPT_FLAG, NULL, "print the duration of each case", &given.durations },
	{ "timeout", 't', OPT_DURATION, "TIME", "kill a case after this time, under any tool [default: 60s, or what the case or suite says, multiplied under each tool:"
#define TOOL(name_, times_) " " #name_ " " #times_
#include "harness/tools/tools.def"
#undef TOOL
	  "]", &given.selection.timeout_ms },
	{ "retries", 0, OPT_UINT, "N", "retry a failing case up to N times; one that then passes is flaky [default: 0]", &given.retries },
	{ "repeat", 0, OPT_STRING, "N|TIME", "run each case N times, or all "
	  "in turn for TIME; each run must pass", &given.repeat },
	{ "max-memory", 0, OPT_STRING, "SIZE", "limit of host memory for a case under massif [default: 80 % of the machine's]", &given.max_memory },
	CLAW_DEVICE_OPTION(0, "CLW_DEVICE_ID, 0", &given.device),
	{ "require", 0, OPT_LIST, "TOOL", "fail (status 2) instead of skipping when this tool is missing", &given.selection.require },
	CLAW_SHARD_OPTION("plan", &given.shard),
	CLAW_BATCH_OPTIONS,
	{ "baseline", 0, OPT_STRING, "DIR", "compare with the earlier run in DIR; with --coverage also its lines", &given.baseline },
	{ "only-new", 0, OPT_FLAG, NULL, "with --baseline: ignore failures that are already in the baseline", &given.only_new },
	{ "rerun-failed", 0, OPT_OPTIONAL, "DIR", "run the cases that failed or did not finish in an earlier run [default: openclaw-out/latest]", &given.rerun_failed },
	CLAW_OUTPUT_OPTION("test", &given.output),
	CLAW_HISTORY_OPTION,
	CLAW_FORCE_OPTION(&given.force),
	{ "tap", 0, OPT_FLAG, NULL, "print results as TAP on stdout", &given.tap },
#include "reports/write/report_options.def"
	CLAW_SOURCE_ROOT_OPTION(&given.source_root),
	CLAW_SOURCE_URL_OPTION,
	CLAW_ERROR_EXITCODE_OPTION("", &given.error_exitcode),
	{ NULL, 0, OPT_END, NULL, NULL, NULL },
};

/* Everything of one command. */
struct testing {
	struct claw_test_plan plan;
	struct claw_test_how how;
	struct claw_report_head head;
	struct claw_past_run *baseline, *failed_of;
	struct claw_comparison comparison;
	struct claw_cmd_output output;
	struct claw_cmd_coverage coverage;
};

/* ---- options --------------------------------------------------------- */

static void check_device(void)
{
	char *end;

	if (!given.device)
		return;
	errno = 0;
	given.selection.device = strtoull(given.device, &end, 10);
	given.selection.has_device = true;
	if (errno || *end || end == given.device || *given.device == '-')
		claw_die(CLAW_EXIT_USAGE, "--device %s: expected a number, as "
			 "\"openclaw info\" counts devices", given.device);
}

/* Where the machine's own drivers are used, and not those of a tool. */
static void check_device_choice(const struct claw_test_plan *plan)
{
	bool wanted = false;

	for (size_t i = 0; i < plan->under_count; i++)
		wanted |= strcmp(plan->unders[i].row->name, "native") == 0;
	if (wanted && plan->count && !given.list && !given.icd)
		claw_device_choice_check(given.device, &given.selection.models);
}

/* "10" is a count; anything else is a time. */
static void check_repeat(struct claw_test_how *how)
{
	bool is_count = given.repeat &&
		given.repeat[strspn(given.repeat, "0123456789")] == '\0';

	if (!given.repeat)
		return;
	how->repeat = 1;
	if (is_count)
		how->repeat = strtoull(given.repeat, NULL, 10);
	else if (claw_duration_parse(given.repeat, &how->repeat_ms) < 0)
		how->repeat = 0;
	if (how->repeat == 0 || how->repeat > REPEAT_MAX ||
	    (!is_count && how->repeat_ms == 0))
		claw_die(CLAW_EXIT_USAGE, "--repeat: expected a number of "
			 "runs from 1 to %d or a time such as 30s or 5m, "
			 "found \"%s\"", REPEAT_MAX, given.repeat);
	if (given.retries > 0)
		claw_die(CLAW_EXIT_USAGE, "--repeat requires every run to "
			 "pass, --retries only one; use one of them");
}

static void check_icd(void)
{
	char why[512] = "", *library;

	given.selection.icd = given.icd;
	if (!given.icd || strcmp(given.icd, "native") == 0)
		return;
	library = claw_icd_library(given.icd, why, sizeof(why));
	if (!library)
		claw_die(CLAW_EXIT_USAGE, "--icd: %s", why);
	free(library);
}

/* Without openclaw-instrument there is no coverage: nothing is run. */
static void check_probes(void)
{
	const char *without = claw_cmd_coverage_option(&given.coverage_more,
						       "coverage-html");
	uint32_t modes = 0;

	if (without && !given.coverage)
		claw_die(CLAW_EXIT_USAGE, "--%s: expected --coverage, too, "
			 "found none", without);
	if (given.coverage)
		modes = claw_test_coverage_mode(given.coverage);
	if (given.coverage && !modes)
		claw_die(CLAW_EXIT_USAGE, "--coverage: expected hit or count, "
			 "found \"%s\"", given.coverage);
	if (given.coverage)
		claw_cmd_coverage_need_helper("--coverage");
	modes |= claw_probe_options_more(&given.probes);
	given.selection.probes = claw_probe_options_get(&given.probes, modes);
}

static void check_options(struct claw_test_how *how)
{
	char error[512];

	if (given.retries > REPEAT_MAX)
		claw_die(CLAW_EXIT_USAGE, "--retries %" PRIu64 ": expected at "
			 "most %d", given.retries, REPEAT_MAX);
	check_device();
	check_probes();
	check_repeat(how);
	check_icd();
	if (given.max_memory &&
	    (claw_size_parse(given.max_memory,
			     &how->config.peak_max_bytes) < 0 ||
	     how->config.peak_max_bytes == 0))
		claw_die(CLAW_EXIT_USAGE, "--max-memory: expected a size such "
			 "as 512MiB or 4GiB, found \"%s\"", given.max_memory);
	given.selection.max_memory = given.max_memory;
	given.selection.repeat = given.repeat;
	given.selection.verbose = given.verbose;
	if (given.only_new && !given.baseline)
		claw_die(CLAW_EXIT_USAGE, "--only-new: expected --baseline "
			 "DIR as well, found none");
	if (given.shard && claw_shard_parse(given.shard,
					    &given.selection.shard, error,
					    sizeof(error)) < 0)
		claw_die(CLAW_EXIT_USAGE, "%s", error);
	how->jobs = given.jobs;
	how->retries = given.retries;
	how->quiet = given.quiet;
	how->verbose = given.verbose;
	how->require = &given.selection.require;
	how->error_exitcode = (int)given.error_exitcode;
	how->config.has_device = given.selection.has_device;
	how->config.device = given.selection.device;
	how->config.icd = given.icd;
	how->config.api_errors_expected = false;
}

/* An earlier run that an option names. */
static struct claw_past_run *read_past(const char *option,
				       const char *directory)
{
	struct claw_past_run *past = NULL;
	char error[PATH_MAX + 256];
	int ret = claw_past_run_read(directory, &past, error, sizeof(error));

	if (ret < 0)
		claw_die(ret == -CLAW_E_IO ?
			 CLAW_EXIT_INFRA : CLAW_EXIT_USAGE, "%s %s: expected "
			 "the output directory of an earlier run: %s", option,
			 directory, error);
	if (past->planned_count == 0)
		claw_die(CLAW_EXIT_USAGE, "%s %s: expected a run of \"openclaw "
			 "test\", found one of \"%s\" without a list of its "
			 "cases", option, directory, past->verb ? past->verb :
			 "an unknown command");
	if (past->damaged > 0)
		claw_warn("%s is damaged: %" PRIu64 " lines are ignored",
			  directory, past->damaged);
	return past;
}

/* An earlier run without coverage is compared in all else. */
static void read_past_coverage(struct testing *testing)
{
	char *path = given.baseline ?
		claw_path_in(given.baseline, CLAW_COVERAGE_TRACEFILE) : NULL;

	if (path && access(path, R_OK) == 0)
		given.coverage_more.baseline = given.baseline;
	else if (path)
		claw_warn("%s: %s: what ran is not compared", path,
			  strerror(errno));
	free(path);
	claw_cmd_coverage_check(&testing->coverage, &given.coverage_more,
				given.output);
}

/* Before the output directory is opened: it may be the same. */
static void read_pasts(struct testing *testing)
{
	char *latest = claw_path_in(claw_output_parent(), "latest");

	if (given.baseline)
		testing->baseline = read_past("--baseline", given.baseline);
	if (given.rerun_failed)
		testing->failed_of = read_past("--rerun-failed",
			*given.rerun_failed ? given.rerun_failed : latest);
	if (given.coverage)
		read_past_coverage(testing);
	given.selection.failed_of = testing->failed_of;
	free(latest);
}

/* ---- the plan -------------------------------------------------------- */

static void list_items(const struct claw_test_plan *plan)
{
	for (size_t i = 0; i < plan->count; i++) {
		const struct claw_test_case *what = &plan->items[i].what;

		if (plan->items[i].elsewhere)
			continue;
		printf("%s/%s%s%s%s", what->suite->name, what->about->name,
		       what->configuration ? " [" : "",
		       what->configuration ? what->configuration : "",
		       what->configuration ? "]" : "");
		if (given.verbose && what->about->proves)
			printf("  %s", what->about->proves);
		putchar('\n');
	}
}

static bool has_failures(const struct claw_past_run *past)
{
	for (size_t i = 0; i < past->planned_count; i++)
		if (!past->planned[i].elsewhere &&
		    claw_past_run_has_failed(past, claw_planned_key(
							&past->planned[i])))
			return true;
	return false;
}

/* Why there is nothing to do: the exit status, said. What was lost has been
 * told. */
static int say_empty(const struct testing *testing)
{
	const struct claw_test_plan *plan = &testing->plan;

	if (testing->failed_of && has_failures(testing->failed_of)) {
		if (plan->lost == 0)
			claw_warn("no case that failed in %s matches the "
				  "selection",
				  testing->failed_of->directory);
		return CLAW_EXIT_UNKNOWN;
	}
	if (testing->failed_of) {
		claw_warn("nothing failed in %s: no case to rerun",
			  testing->failed_of->directory);
		return CLAW_EXIT_CLEAN;
	}
	if (plan->suite_count == 0)
		claw_warn("no suite found; set OPENCLAW_SUITES to directories "
			  "with suites");
	else
		claw_warn("no test case matches the selection");
	return CLAW_EXIT_UNKNOWN;
}

static void make_plan(struct testing *testing)
{
	struct claw_test_plan *plan = &testing->plan;
	struct claw_test_problem problem = { 0 };

	if (claw_test_plan_init(plan, &given.selection, &problem) < 0)
		claw_die(problem.status, "%s", problem.message);
	for (size_t i = 0; i < plan->suite_count; i++)
		if (plan->suites[i]->hides)
			claw_warn("suite %s: using %s, ignoring %s",
				  plan->suites[i]->name, plan->suites[i]->file,
				  plan->suites[i]->hides);
	if (plan->headless > 0)
		claw_warn("%zu kernel file%s no header and %s left out: "
			  "\"openclaw init FILE\" writes one", plan->headless,
			  plan->headless == 1 ? " has" : "s have",
			  plan->headless == 1 ? "is" : "are");
	if (plan->lost > 0)
		claw_warn("%zu case%s that failed in %s no longer exist: %s%s",
			  plan->lost, plan->lost == 1 ? "" : "s",
			  testing->failed_of->directory, plan->lost_example ?
			  plan->lost_example : "", plan->lost == 1 ? "" :
			  " and others");
}

/* Where there are no guard zones is said; to ask for them there alone is a
 * mistake. */
static void check_guards(const struct claw_test_plan *plan)
{
	size_t without = 0;

	if (!given.selection.guards)
		return;
	for (size_t i = 0; i < plan->under_count; i++)
		without += plan->unders[i].row->no_guards != NULL;
	for (size_t i = 0; i < plan->under_count; i++) {
		const struct claw_under_row *row = plan->unders[i].row;

		if (row->no_guards && without == plan->under_count)
			claw_die(CLAW_EXIT_USAGE, "--guards: no guard zones "
				 "under %s: %s", row->name,
				 row->no_guards);
		if (row->no_guards && !given.quiet)
			claw_warn("no guard zones under %s: %s",
				  row->name, row->no_guards);
	}
}

static void check_same_value(const struct claw_test_plan *plan)
{
	uint32_t modes = 0;

	for (size_t i = 0; i < plan->under_count; i++)
		modes |= plan->unders[i].row->probes;
	if (given.probes.same_value && !(modes & CLAW_PROBE_RACES))
		claw_die(CLAW_EXIT_USAGE, "--same-value: expected races among "
			 "the tools of --under, found none");
}

/* ---- records --------------------------------------------------------- */

static void open_output(struct testing *testing, int argc, char *const *argv)
{
	claw_cmd_output_open(given.output, "test", given.force, argc, argv,
			     testing->plan.here, 0, &testing->output);
	testing->how.records = testing->output.records;
	testing->how.config.directory = testing->output.directory;
}

/* What is known before anything runs. The first failure to write is
 * remembered by the records. */
static void write_plan(struct testing *testing)
{
	struct claw_records *records = testing->how.records;
	char *selection = claw_test_selection_text(&given.selection);
	char note[96];

	claw_records_plan_begin(records, &given.selection.shard);
	for (size_t i = 0; i < testing->plan.count; i++) {
		struct claw_planned planned =
			claw_test_item_planned(&testing->plan.items[i]);

		claw_records_planned(records, &planned);
		testing->head.is_open |= planned.many && !planned.elsewhere;
	}
	claw_records_plan_end(records);
	if (selection)
		claw_records_environment(records, NULL, CLAW_FACT_SELECTION,
					 selection);
	if (testing->plan.headless > 0) {
		snprintf(note, sizeof(note), "skipped %zu kernel files "
			 "without a header", testing->plan.headless);
		claw_records_note(records, note);
	}
	if (given.shard && testing->plan.here == 0)
		claw_warn("shard %" PRIu64 "/%" PRIu64 " contains none of the "
			  "%zu cases", given.selection.shard.number,
			  given.selection.shard.count, testing->plan.count);
	free(selection);
}

/* ---- the end --------------------------------------------------------- */

static bool is_known(const void *user, const struct claw_result *result)
{
	return claw_comparison_is_known(user, claw_result_key(result));
}

/* With what the records have until now. */
static int compare(struct testing *testing)
{
	struct claw_past_run *new = NULL;
	char error[PATH_MAX + 256];
	int ret = claw_past_run_read(testing->output.directory, &new, error,
				     sizeof(error));

	if (ret == 0)
		claw_comparison_init(&testing->comparison, testing->baseline,
				     new);
	claw_past_run_free(new);
	if (ret < 0)
		return ret;
	claw_records_comparison(testing->how.records,
				testing->baseline->directory,
				testing->baseline->started,
				testing->comparison.text);
	for (size_t i = 0; i < testing->comparison.count; i++)
		claw_records_change(testing->how.records,
				    &testing->comparison.changes[i]);
	testing->head.compared_with = testing->baseline->directory;
	testing->head.compared_started = testing->baseline->started;
	testing->head.compared_text = testing->comparison.text;
	testing->head.changes = testing->comparison.changes;
	testing->head.change_count = testing->comparison.count;
	return 0;
}

/* What the cases' kernels have run. */
static int finish_coverage(struct testing *testing, int status)
{
	char *root = realpath(given.source_root, NULL);

	status = claw_cmd_coverage_finish(&testing->coverage, &testing->output,
					  root, "openclaw test", given.quiet,
					  status, (int)given.error_exitcode);
	free(root);
	return status;
}

static int finish(struct testing *testing, struct claw_test_run *run,
		  int cancelled)
{
	struct claw_test_how *how = &testing->how;
	int status, error, error_errno = 0;
	const char *what = NULL;

	testing->head.cancelled = cancelled != 0;
	if (testing->baseline)
		claw_test_run_note_error(run, compare(testing), NULL);
	claw_test_run_note_error(run, how->format->end(stdout,
					 how->format_state), "stdout");
	if (fflush(stdout) != 0 || ferror(stdout))
		claw_test_run_note_error(run, -CLAW_E_IO, "stdout");
	status = claw_test_run_status(run, cancelled, given.only_new ?
				      is_known : NULL, &testing->comparison);
	if (status == CLAW_EXIT_CLEAN && testing->plan.lost > 0)
		status = CLAW_EXIT_UNKNOWN;
	if (given.coverage)
		status = finish_coverage(testing, status);
	claw_test_run_note_error(run, claw_records_end(how->records, status,
						       cancelled != 0), NULL);
	claw_records_free(how->records);
	how->records = NULL;
	claw_test_run_note_error(run, claw_report_write_all(testing->output.directory,
							&testing->head), NULL);
	error = claw_report_files_add(testing->output.directory, &given.files,
				      &testing->head, &what);
	claw_test_run_note_error(run, error, what);
	what = NULL;
	error = claw_test_run_error(run, &error_errno, &what);
	if (error < 0) {
		claw_warn("%s: %s", what ? what : testing->output.shown,
			  error == -CLAW_E_IO ? strerror(error_errno) :
			  claw_error_text(error));
		status = CLAW_EXIT_INFRA;
	}
	if (cancelled)
		claw_warn("interrupted by %s; partial results are in %s",
			  claw_signal_name(cancelled), testing->output.shown);
	if (!given.quiet)
		fprintf(stderr, "reports: %s\n", testing->output.shown);
	return status;
}

static void release(struct testing *testing)
{
	claw_cmd_coverage_release(&testing->coverage);
	claw_comparison_release(&testing->comparison);
	claw_test_plan_release(&testing->plan);
	claw_past_run_free(testing->baseline);
	claw_past_run_free(testing->failed_of);
	claw_cmd_output_release(&testing->output);
}

static int run_plan(struct testing *testing)
{
	struct claw_test_how *how = &testing->how;
	struct claw_test_run *run;
	int cancelled, status;

	given.source_root = claw_report_source_root(given.source_root);
	testing->head.verb = "test";
	testing->head.planned = testing->plan.here;
	testing->head.complete = true;
	testing->head.source_root = given.source_root;
	testing->head.durations = given.durations;
	testing->head.color = claw_color_enabled(STDOUT_FILENO);
	if (given.coverage) {
		claw_test_coverage_init(&testing->coverage.coverage,
					testing->output.directory,
					given.source_root);
		how->coverage = &testing->coverage.coverage;
	}
	how->head = &testing->head;
	how->format = given.tap ? &claw_report_tap : &claw_report_text;
	how->format->begin(stdout, &testing->head, &how->format_state);
	run = claw_test_run_new(&testing->plan, how);
	cancelled = claw_test_run_all(run);
	status = finish(testing, run, cancelled);
	claw_test_run_free(run);
	return status;
}

extern const struct claw_command claw_cmd_test;

static int test_run(int argc, char *const *argv)
{
	struct testing testing = { 0 };
	char *models;
	int first, status;

	memset(&given, 0, sizeof(given));
	given.error_exitcode = CLAW_EXIT_FINDINGS;
	first = claw_command_start(&claw_cmd_test, argc, argv, false);
	given.selection.operands.items = (const char **)(uintptr_t)
					 (argv + first);
	given.selection.operands.count = (size_t)(argc - first);
	check_options(&testing.how);
	claw_via_choose(NULL);
	models = claw_models_of(&given.selection.models);
	given.selection.models_text = models;
	read_pasts(&testing);
	make_plan(&testing);
	check_guards(&testing.plan);
	check_same_value(&testing.plan);
	check_device_choice(&testing.plan);
	if (testing.plan.count == 0) {
		status = say_empty(&testing);
	} else if (given.list) {
		list_items(&testing.plan);
		status = CLAW_EXIT_CLEAN;
	} else {
		claw_interrupt_catch_writes();
		open_output(&testing, argc, argv);
		write_plan(&testing);
		status = run_plan(&testing);
	}
	release(&testing);
	free(models);
	return status;
}

const struct claw_command claw_cmd_test = {
	.name = "test",
	.summary = "run test suites and kernel files",
	.usage = "[FILE.clw|DIR|suite.yaml...]",
	.description =
		"Runs each case in its own process with the layer loaded, and "
		"prints one block per suite and tool. Operands (kernel files, "
		"folders of kernel files, suite descriptions) and --suite "
		"select the cases; the default is every suite. A case that "
		"ran nothing never passes.\n\n"
		"Exit status: 0 all cases passed, 1 a case failed or coverage "
		"is below --fail-under, 2 inconclusive or no case selected, "
		"64 usage error, 77 nothing could run here, 99 openclaw "
		"itself failed.",
	.options = test_options,
	.reads_config = true,
	.run = test_run,
};
