/* SPDX-License-Identifier: Apache-2.0 */
/*
 * openclaw sweep: fail every call that can fail, one at a time, and say what
 * the program did about it.
 */
#include "config.h"

#include "cmd_sweep.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/session/door.h"
#include "harness/session/icd_names.h"
#include "harness/base/errors.h"
#include "harness/base/shared_options.h"
#include "harness/session/model.h"
#include "sweep_benign.h"
#include "harness/base/text.h"

static struct claw_sweep_given given;

static const struct claw_option sweep_options[] = {
	{ "points", 0, OPT_STRING, "new-site|shallow=M|all",
	  "calls to fail per call site: new-site, shallow=M, all [default: "
	  "new-site]\n"
	  "new-site is the first call of a site, shallow=M the first M.", &given.points },
	{ "kinds", 0, OPT_LIST, "LIST",
	  "faults to try: names, error=CODE, delay=TIME, default, spec, +KIND "
	  "[default: default]\n"
	  "Names are those of openclaw inject --list; default depends on the "
	  "call, spec is every error that the specification allows, +KIND "
	  "adds to the default.",
	  &given.kinds },
	{ "hardening", 0, OPT_FLAG, NULL,
	  "also return success with NULL (--kinds +null), listed separately\n"
	  "No conforming driver does so; the exit status is unchanged.",
	  &given.hardening },
	{ "mode", 0, OPT_LIST, "once|from-here|burst=N",
	  "duration of a fault: once, from-here, burst=N [default: once; oom "
	  "of allocations also from-here]", &given.modes },
	{ "functions", 0, OPT_LIST, "GLOB",
	  "fail only these functions [default: all except releases]",
	  &given.functions },
	{ "compound", 0, OPT_FLAG, NULL,
	  "inject a second fault into the calls of the error path",
	  &given.compound },
	{ "benign", 0, OPT_STRINGS, "RULE",
	  "accept a result changed by TARGET[:FAULT][:at=FUNCTION]; "
	  "may be repeated", &given.benign },
	{ "timeout", 't', OPT_DURATION, "T",
	  "kill a run after this time [default: ten times the slower baseline "
	  "plus 5s]",
	  &given.timeout_ms },
	{ "budget", 0, OPT_DURATION, "T",
	  "start no run after this time; the most informative points run "
	  "first [default: none]", &given.budget_ms },
	{ "jobs", 'j', OPT_UINT, "N",
	  "runs at a time; with N>1 each run gets its own directory [default: "
	  "by cores and memory, in one directory, if the program writes no "
	  "files; else 1]\n"
	  "It replaces {dir} in arguments.",
	  &given.jobs },
	CLAW_SHARD_OPTION("points", &given.shard),
	CLAW_BATCH_OPTIONS,
	{ "seed", 0, OPT_STRING, "N",
	  "seed of random decisions, not of the order of points [default: "
	  "OPENCLAW_SEED, random]", &given.seed },
	{ "resume", 0, OPT_STRING, "DIR",
	  "resume an interrupted sweep with its program and saved options\n"
	  "Not saved: --jobs, --budget, --accept and --save-*.",
	  &given.resume },
	{ "accept", 0, OPT_STRING, "FILE",
	  "ignore the known findings in this YAML file",
	  &given.accept },
	{ "save-accept", 0, OPT_STRING, "FILE",
	  "write all findings (old and new) to FILE; may be the --accept file",
	  &given.save_accept },
	{ "save-plan", 0, OPT_STRING, "DIR",
	  "write each finding to DIR as a fault plan valid for later builds", &given.save_plan },
	{ "dry-run", 'n', OPT_FLAG, NULL,
	  "run without faults and list the points",
	  &given.dry_run },
	CLAW_STDIN_OPTION("empty", &given.stdin_path),
	CLAW_ARTIFACT_OPTION("", &given.artifacts),
	CLAW_OUTPUT_FILTER_OPTION("", &given.output_filter),
	CLAW_ARTIFACT_FILTER_OPTION("", &given.artifact_filter),
	CLAW_STRICT_OUTPUT_OPTION("", &given.strict_output),
	CLAW_TRUST_STATUS_OPTION("", &given.trust_status),
	CLAW_PREPARE_OPTION("", &given.prepare),
	CLAW_CLEANUP_OPTION("", &given.cleanup),
	CLAW_MODEL_OPTION(&given.models),
	CLAW_VIA_OPTION,
	CLAW_JUDGED_GUARDS_OPTION("", &given.guards),
	{ "under", 'u', OPT_LIST, "TOOL",
	  "repeat handled points under this tool; TOOL:each: all points there\n"
	  "Tools are those of openclaw inject; what one reports only with the "
	  "fault is a finding. With TOOL:each points run only under the tool.", &given.under },
	CLAW_ICD_OPTION,
	{ "gcov", 0, OPT_OPTIONAL, "PROGRAM",
	  "report lines that only faults reach; needs a gcc --coverage build "
	  "[default: if there is such data; gcov-N or gcov]\n"
	  "PROGRAM reads the data.", &given.gcov },
	CLAW_STRICT_OPTION("", &given.strict),
	CLAW_JUDGED_LEAK_CHECK_OPTION("", &given.leak_check),
	CLAW_ERROR_EXITCODE_OPTION("", &given.error_exitcode),
	CLAW_OUTPUT_OPTION("sweep", &given.output),
	CLAW_HISTORY_OPTION,
	CLAW_FORCE_OPTION(&given.force),
#include "reports/write/report_options.def"
	CLAW_SOURCE_ROOT_OPTION(&given.source_root),
	CLAW_SOURCE_URL_OPTION,
	{ "quiet", 'q', OPT_FLAG, NULL, "no progress", &given.quiet },
	{ "verbose", 'v', OPT_FLAG, NULL,
	  "print details of each finding, and points that were not reached",
	  &given.verbose },
	{ 0 },
};

/* ---- options ---------------------------------------------------------- */

static uint64_t parse_depth(void)
{
	const char *text = given.points, *number;
	char *end = NULL;
	unsigned long long depth;

	if (!text || strcmp(text, "new-site") == 0)
		return 1;
	if (strcmp(text, "all") == 0)
		return 0;
	number = claw_begins(text, "shallow=") ? text + 8 : "";
	errno = 0;
	depth = strtoull(number, &end, 10);
	if (*number < '0' || *number > '9' || *end || errno || depth == 0)
		claw_die(CLAW_EXIT_USAGE, "--points: expected new-site, all or "
			 "shallow=M with M from 1, found \"%s\"", text);
	return depth;
}

static void check_stdin(void)
{
	struct stat status;

	if (!given.stdin_path)
		return;
	if (access(given.stdin_path, R_OK) < 0)
		claw_die(CLAW_EXIT_USAGE, "--stdin: %s: %s", given.stdin_path,
			 strerror(errno));
	if (stat(given.stdin_path, &status) == 0 && S_ISDIR(status.st_mode))
		claw_die(CLAW_EXIT_USAGE, "--stdin: %s: %s", given.stdin_path,
			 strerror(EISDIR));
}

/* Two runs at a time cannot make the same file. */
static void check_artifacts(void)
{
	for (size_t i = 0; given.jobs > 1 && i < given.artifacts.count; i++)
		if (*given.artifacts.items[i] == '/')
			claw_die(CLAW_EXIT_USAGE, "--artifact: with --jobs each "
				 "run has files of its own: expected a "
				 "relative path or {dir}/..., found \"%s\"",
				 given.artifacts.items[i]);
}

static void check_functions(void)
{
	for (size_t i = 0; i < given.functions.count; i++) {
		bool found = false;

		for (int api = 0; !found && api < CLAW_API_COUNT; api++)
			found = claw_glob_match(given.functions.items[i],
						claw_api_table[api].name);
		if (!found)
			claw_die(CLAW_EXIT_USAGE, "--functions: expected a "
				 "function of OpenCL, * and ? are any text, "
				 "found \"%s\"", given.functions.items[i]);
	}
}

static void check_under(struct claw_sweeping *sweeping)
{
	const struct claw_under_row *row;
	char error[1024];

	if (claw_tool_words_parse(&given.under, true, &sweeping->words, error,
				  sizeof(error)) < 0 ||
	    claw_tool_words_check_icd(&sweeping->words, error,
				      sizeof(error)) < 0)
		claw_die(CLAW_EXIT_USAGE, "%s", error);
	row = claw_tool_words_without_guards(&sweeping->words);
	if (given.guards && row)
		claw_die(CLAW_EXIT_USAGE, "--guards: no guard zones under %s: "
			 "%s", row->name, row->no_guards);
}

static void check_options(struct claw_sweeping *sweeping)
{
	struct claw_sweep_how *how = &sweeping->how;
	char error[1024];

	if (given.jobs > CLAW_SWEEP_JOBS_MAX)
		claw_die(CLAW_EXIT_USAGE, "--jobs: expected a number from 1 to "
			 "%d", CLAW_SWEEP_JOBS_MAX);
	if (claw_sweep_kinds_parse(&given.kinds, &given.modes, given.hardening,
				   &how->choice.kinds, error,
				   sizeof(error)) < 0 ||
	    claw_sweep_benign_check(&given.benign, error, sizeof(error)) < 0 ||
	    (given.shard && claw_shard_parse(given.shard, &how->shard, error,
					     sizeof(error)) < 0))
		claw_die(CLAW_EXIT_USAGE, "%s", error);
	check_under(sweeping);
	how->choice.depth = parse_depth();
	check_functions();
	check_artifacts();
	check_stdin();
	claw_cmd_sweep_known_begin(sweeping);
}

extern const struct claw_command claw_cmd_sweep;

/* The first operand; given is filled anew. */
static int parse(int argc, char *const *argv)
{
	memset(&given, 0, sizeof(given));
	given.error_exitcode = CLAW_EXIT_FINDINGS;
	return claw_command_start(&claw_cmd_sweep, argc, argv, true);
}

/* The words of the sweep that goes on take the place of ours. */
static void take_past(struct claw_sweeping *sweeping, int *first)
{
	struct claw_sweep_given ours = given;
	char error[1024];
	int ret;

	if (*first < sweeping->argc)
		claw_die(CLAW_EXIT_USAGE, "sweep: --resume takes the program "
			 "from %s, found \"%s\"", ours.resume,
			 sweeping->command[*first]);
	if (claw_icd_given)
		claw_die(CLAW_EXIT_USAGE, "sweep: --resume: the driver is "
			 "saved with the sweep and cannot be given again");
	ret = claw_sweep_past_read(ours.resume, &sweeping->past, error,
				   sizeof(error));
	if (ret < 0)
		claw_die(CLAW_EXIT_USAGE, "--resume: %s", error);
	sweeping->resumed = true;
	sweeping->argc = sweeping->past.argc;
	sweeping->command = sweeping->past.argv;
	*first = parse(sweeping->argc, sweeping->command);
	given.resume = ours.resume;
	given.quiet = given.quiet || ours.quiet;
	given.verbose = given.verbose || ours.verbose;
	given.budget_ms = ours.budget_ms;
	if (ours.accept)
		given.accept = ours.accept;
	if (ours.save_accept)
		given.save_accept = ours.save_accept;
	if (ours.save_plan)
		given.save_plan = ours.save_plan;
	if (ours.jobs)
		given.jobs = ours.jobs;
}

static uint64_t choose_seed(const struct claw_sweeping *sweeping)
{
	struct claw_fault_options options = { .seed = given.seed };
	struct claw_fault_plan plan;
	char error[1024];
	uint64_t seed;

	if (sweeping->resumed)
		return sweeping->past.seed;
	if (claw_fault_plan_load(&options, &plan, error, sizeof(error)) < 0)
		claw_die(CLAW_EXIT_USAGE, "%s", error);
	seed = plan.seed;
	claw_fault_plan_release(&plan);
	return seed;
}

static int sweep_run(int argc, char *const *argv)
{
	struct claw_sweeping sweeping = {
		.given = &given, .argc = argc, .command = argv,
	};
	int first = parse(argc, argv), status;

	if (given.resume)
		take_past(&sweeping, &first);
	check_options(&sweeping);
	if (first >= sweeping.argc)
		claw_die(CLAW_EXIT_USAGE, "sweep: expected -- PROGRAM, found none (see "
			 "openclaw sweep --help)");
	sweeping.argv = sweeping.command + first;
	sweeping.how.choice.seed = choose_seed(&sweeping);
	sweeping.how.choice.functions = &given.functions;
	sweeping.how.choice.compound = given.compound;
	sweeping.how.benign = given.benign;
	status = claw_cmd_sweep_run(&sweeping);
	if (sweeping.resumed)
		claw_sweep_past_release(&sweeping.past);
	claw_sweep_known_release(&sweeping.known);
	return status;
}

const struct claw_command claw_cmd_sweep = {
	.name = "sweep",
	.summary = "fail each OpenCL call once and check how the program copes",
	.usage = "-- PROGRAM [ARG...]",
	.description =
		"Runs the program without faults, then once for each call "
		"that can fail and each way it can fail, and compares each "
		"run with the fault-free ones. Failures with the same cause "
		"are reported once, with a command that reproduces them.\n\n"
		"  openclaw sweep -- ./filter in.png\n"
		"  openclaw sweep --kinds oom --output-filter 'grep -v ms' -- "
		"./filter in.png\n\n"
		"Exit status: 0 every fault was handled or is a known "
		"finding, 1 findings, 2 inconclusive (a fault was not "
		"reached, no OpenCL call was seen, or the program varies from "
		"run to run), 64 usage error, 77 a tool of --under is "
		"missing, 126 not executable, 127 not found, 99 openclaw "
		"itself failed.",
	.options = sweep_options,
	.reads_config = true,
	.run = sweep_run,
};
