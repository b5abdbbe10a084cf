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
#include "harness/base/errors.h"
#include "harness/session/model.h"
#include "sweep_benign.h"
#include "harness/base/text.h"

static struct claw_sweep_given given;

static const struct claw_option sweep_options[] = {
	{ "points", 0, OPT_STRING, "WHICH",
	  "calls to fail: new-site, the first at each place; shallow=M, the "
	  "first M; all [default: new-site]", &given.points },
	{ "kinds", 0, OPT_LIST, "LIST",
	  "faults to try: those of openclaw inject --list, error=CODE, "
	  "delay=TIME; default, by the call; spec, every error that the "
	  "specification allows; +KIND, beside the default [default: default]",
	  &given.kinds },
	{ "hardening", 0, OPT_FLAG, NULL,
	  "also let calls succeed with NULL (as --kinds +null), which no "
	  "conforming driver does; listed apart, no change of the exit status",
	  &given.hardening },
	{ "mode", 0, OPT_LIST, "LIST",
	  "how long a fault lasts: once, from-here, burst=N [default: once, "
	  "for oom of allocations from-here, too]", &given.modes },
	{ "functions", 0, OPT_LIST, "GLOB",
	  "fail only these functions [default: all but those that release]",
	  &given.functions },
	{ "compound", 0, OPT_FLAG, NULL,
	  "a second fault while the first is handled, at the next calls",
	  &given.compound },
	{ "benign", 0, OPT_STRINGS, "RULE",
	  "a failure that may change the result: TARGET[:FAULT]"
	  "[:at=FUNCTION]; may be repeated", &given.benign },
	{ "timeout", 't', OPT_DURATION, "T",
	  "longest time for a run with a fault [default: ten times the slower "
	  "baseline plus 5s]",
	  &given.timeout_ms },
	{ "budget", 0, OPT_DURATION, "T",
	  "begin no run after this time [default: none]", &given.budget_ms },
	{ "jobs", 'j', OPT_UINT, "N",
	  "runs at a time; above 1 each has a directory of its own, {dir} in "
	  "words [default: 1]", &given.jobs },
	{ "shard", 0, OPT_STRING, "M/N",
	  "only this part of the points; auto: as the CI system says",
	  &given.shard },
	{ "seed", 0, OPT_STRING, "N",
	  "seed of the order and of random decisions [default: "
	  "OPENCLAW_SEED, random]", &given.seed },
	{ "resume", 0, OPT_STRING, "DIR",
	  "go on with a sweep that was cut short; the program and all else "
	  "but --jobs, --budget, --accept and --save-... are taken from there",
	  &given.resume },
	{ "accept", 0, OPT_STRING, "FILE",
	  "YAML file with findings that are known and fail nothing",
	  &given.accept },
	{ "save-accept", 0, OPT_STRING, "FILE",
	  "write all findings, those of --accept too, as such a FILE, which "
	  "may be that one", &given.save_accept },
	{ "save-plan", 0, OPT_STRING, "DIR",
	  "write each finding to DIR as a plan for openclaw inject and "
	  "suites, which outlives a build", &given.save_plan },
	{ "dry-run", 'n', OPT_FLAG, NULL,
	  "run without faults, print the points, fail nothing",
	  &given.dry_run },
	{ "stdin", 0, OPT_STRING, "FILE",
	  "standard input of each run [default: empty]", &given.stdin_path },
	{ "artifact", 0, OPT_STRINGS, "FILE",
	  "a result; deleted before each run and compared", &given.artifacts },
	{ "output-filter", 0, OPT_STRING, "CMD",
	  "compare standard output after this shell command",
	  &given.output_filter },
	{ "artifact-filter", 0, OPT_STRING, "CMD",
	  "compare what CMD prints of each artifact",
	  &given.artifact_filter },
	{ "strict-output", 0, OPT_FLAG, NULL,
	  "compare all output, also what varies without faults",
	  &given.strict_output },
	{ "trust-exit-status", 0, OPT_FLAG, NULL,
	  "accept an equal exit status as an equal result",
	  &given.trust_status },
	{ "prepare", 0, OPT_STRING, "CMD", "shell command before each run",
	  &given.prepare },
	{ "cleanup", 0, OPT_STRING, "CMD", "shell command after each run",
	  &given.cleanup },
	CLAW_MODEL_OPTION(&given.models),
	CLAW_VIA_OPTION,
	{ "guards", 0, OPT_FLAG, NULL,
	  "buffers between guard zones: what a kernel writes outside of one "
	  "after a fault is a finding", &given.guards },
	{ "under", 'u', OPT_LIST, "TOOL",
	  "run each point that was handled again under this tool (oclgrind, "
	  "valgrind ..., as of openclaw inject): what it reports then, and "
	  "not without faults, is a finding; TOOL:each runs all under it, "
	  "and nothing natively", &given.under },
	{ "icd", 0, OPT_STRING, "ICD",
	  "with --under: the OpenCL driver, as of openclaw inject [default: "
	  "the tool's]", &given.icd },
	{ "gcov", 0, OPT_OPTIONAL, "PROGRAM",
	  "there must be data of gcc --coverage, which PROGRAM can read: say "
	  "which lines only faults lead to [default: where there is such "
	  "data; gcov-N or gcov]", &given.gcov },
	{ "strict", 0, OPT_FLAG, NULL, "degraded is a finding",
	  &given.strict },
	{ "leak-check", 0, OPT_STRING, "WHICH",
	  "recovered, or all: also what is alive at an error exit [default: "
	  "recovered]", &given.leak_check },
	{ "error-exitcode", 0, OPT_UINT, "N",
	  "exit status for findings [default: 1]", &given.error_exitcode },
	{ "output", 'o', OPT_STRING, "DIR",
	  "where records and reports go [default: openclaw-out/sweep-TIME]",
	  &given.output },
	{ "force", 0, OPT_FLAG, NULL, "reuse an unfinished DIR", &given.force },
#include "reports/write/report_options.def"
	{ "source-root", 0, OPT_STRING, "DIR",
	  "show paths in reports relative to DIR [default: the working "
	  "directory]", &given.source_root },
	{ "quiet", 'q', OPT_FLAG, NULL, "no progress", &given.quiet },
	{ "verbose", 'v', OPT_FLAG, NULL,
	  "with each finding its details; points that were not reached",
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
			 "shallow=M with M from 1; found \"%s\"", text);
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
				 "relative path or {dir}/...; found \"%s\"",
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
				 "function of OpenCL, * and ? are any text; "
				 "found \"%s\"", given.functions.items[i]);
	}
}

static void check_under(struct claw_sweeping *sweeping)
{
	const struct claw_under_row *row;
	char error[1024];

	if (claw_tool_words_parse(&given.under, true, &sweeping->words, error,
				  sizeof(error)) < 0)
		claw_die(CLAW_EXIT_USAGE, "%s", error);
	if (given.icd && given.under.count == 0)
		claw_die(CLAW_EXIT_USAGE, "--icd needs --under");
	row = claw_tool_words_without_guards(&sweeping->words);
	if (given.guards && row)
		claw_die(CLAW_EXIT_USAGE, "--guards: no guard zones under %s: "
			 "%s", row->name, row->no_guards);
}

static void check_options(struct claw_sweeping *sweeping)
{
	struct claw_sweep_how *how = &sweeping->how;
	char error[1024];

	if (given.error_exitcode > 255)
		claw_die(CLAW_EXIT_USAGE, "--error-exitcode: expected a number "
			 "from 0 to 255");
	if (given.jobs > CLAW_SWEEP_JOBS_MAX)
		claw_die(CLAW_EXIT_USAGE, "--jobs: expected a number from 1 to "
			 "%d", CLAW_SWEEP_JOBS_MAX);
	if (given.leak_check && strcmp(given.leak_check, "all") != 0 &&
	    strcmp(given.leak_check, "recovered") != 0)
		claw_die(CLAW_EXIT_USAGE, "--leak-check: expected all or "
			 "recovered; found \"%s\"", given.leak_check);
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
			 "from %s; found \"%s\"", ours.resume,
			 sweeping->command[*first]);
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
		claw_die(CLAW_EXIT_USAGE, "sweep: no program to run (see "
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
	.summary = "fail every OpenCL call in turn, see that the program "
		"survives",
	.usage = "-- PROGRAM [ARG...]",
	.description =
		"The program runs without faults, then once for each call "
		"that can fail and each way in which it can. What it did "
		"about it is compared with the runs without faults; what is "
		"the same mistake is one line, and the line below it makes it "
		"happen again.\n\n"
		"  openclaw sweep -- ./filter in.png\n"
		"  openclaw sweep --kinds oom --output-filter 'grep -v ms' -- "
		"./filter in.png\n\n"
		"Exit status: 0 all is handled or known, 1 findings, 2 unknown (a fault "
		"was not reached, no OpenCL call was seen, or the program "
		"differs from run to run), 64 wrong usage, 126 not "
		"executable, 127 not found, 77 a tool of --under is not here, "
		"99 openclaw itself failed.",
	.options = sweep_options,
	.starts_programs = true,
	.run = sweep_run,
};
