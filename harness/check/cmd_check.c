/* SPDX-License-Identifier: Apache-2.0 */
/*
 * openclaw check: run a program as it is and say which OpenCL objects it has
 * forgotten, uses too late, or writes past the end of. Its input and output
 * stay its own; the report goes to standard error and into the records.
 */
#include "config.h"

#include "cmd_check.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/session/door.h"
#include "harness/session/icd_names.h"
#include "harness/readers/dwfl_offline.h"
#include "harness/base/errors.h"
#include "harness/session/instrument_program.h"
#include "harness/session/model.h"
#include "harness/base/options.h"
#include "harness/base/shared_options.h"

static struct claw_check_given given;

static const struct claw_option check_options[] = {
	{ "leaks", 0, OPT_FLAG, NULL,
	  "find leaked objects [default, with --lifetime]", &given.leaks },
	{ "lifetime", 0, OPT_FLAG, NULL,
	  "find use after release, use before completion and double release "
	  "[default, with --leaks]", &given.lifetime },
	{ "guards", 0, OPT_FLAG, NULL,
	  "find buffer overruns of kernels and transfers with guard zones", &given.guards },
	{ "kernels", 0, OPT_OPTIONAL, "CHECKS",
	  "kernel sanitizer: bounds (and alignment, NULL), races, barriers, "
	  "init (reads of what nobody wrote) [default: bounds]\n"
	  "CHECKS is a comma-separated list, or all. The kernels are "
	  "instrumented.", &given.probes.checks },
	CLAW_SANITIZER_OPTIONS(&given.probes),
	CLAW_PROBE_OPTIONS(&given.probes),
	CLAW_MODEL_OPTION(&given.models),
	{ "protect", 0, OPT_FLAG, NULL,
	  "fail calls that would crash the driver, with the specified error", &given.protect },
	{ "early-loads", 0, OPT_FLAG, NULL,
	  "find loads and stores of memory that a non-blocking read still "
	  "fills\n"
	  "Pages are protected until the read has completed.", &given.early_loads },
	{ "notes", 0, OPT_FLAG, NULL,
	  "also report legal but risky patterns; never affects the exit status",
	  &given.notes },
	{ "leak-check", 0, OPT_CHOICE, "definite|all",
	  "definite: unreachable or growing in number; all: alive at exit "
	  "[default: definite]",
	  &given.leak_check },
	{ "suppressions", 0, OPT_STRINGS, "FILE",
	  "suppress the findings listed in FILE; may be repeated\n"
	  "Its lines are leak:GLOB, lifetime:GLOB, guards:GLOB or "
	  "kernels:GLOB.",
	  &given.suppressions },
	{ "gen-suppressions", 0, OPT_OPTIONAL, "FILE",
	  "print suppressions for exactly these findings, or append them to "
	  "FILE", &given.generate },
	{ "symbols", 0, OPT_STRINGS, "DIR",
	  "search here for debug information of stripped programs; may be "
	  "repeated", &given.symbols },
	CLAW_TIMEOUT_OPTION("none", &given.timeout_ms),
	CLAW_FAULT_OPTION("", &given.faults.faults),
	CLAW_PLAN_OPTION("", &given.faults.plans),
	CLAW_ICD_OPTION,
	CLAW_VIA_OPTION,
	CLAW_SEED_OPTION(&given.faults.seed),
	{ "now", 0, OPT_STRING, "PID|DIR",
	  "report live objects and errors so far of a running openclaw check", &given.now },
	CLAW_OUTPUT_OPTION("check", &given.output),
	CLAW_HISTORY_OPTION,
	CLAW_FORCE_OPTION(&given.force),
#include "reports/write/report_options.def"
	CLAW_SOURCE_ROOT_OPTION(&given.source_root),
	CLAW_SOURCE_URL_OPTION,
	CLAW_ERROR_EXITCODE_OPTION("", &given.error_exitcode),
	{ "verbose", 'v', OPT_FLAG, NULL,
	  "print stacks, what a leak keeps alive, and what was not checked\n"
	  "Unused suppressions are printed, too.",
	  &given.verbose },
	{ 0 },
};

/* ---- options ---------------------------------------------------------- */

static enum claw_leak_check parse_which(void)
{
	if (!given.leak_check)
		return given.now ? CLAW_LEAK_ALL : CLAW_LEAK_DEFINITE;
	return strcmp(given.leak_check, "all") == 0 ? CLAW_LEAK_ALL :
						      CLAW_LEAK_DEFINITE;
}

static void check_options_of_now(int operands)
{
	const char *reports = claw_report_files_given(&given.files);
	const struct { bool given; const char *name; } of_a_run[] = {
		{ given.protect, "protect" },
		{ given.early_loads, "early-loads" },
		{ given.generate != NULL, "gen-suppressions" },
		{ given.timeout_ms != 0, "timeout" },
		{ given.faults.faults.count > 0, "fault" },
		{ given.faults.plans.count > 0, "plan" },
		{ given.faults.seed != NULL, "seed" },
		{ given.output != NULL, "output" },
		{ given.force, "force" },
		{ reports != NULL, reports },
		{ given.source_root != NULL, "source-root" },
		{ claw_source_url != NULL, "source-url" },
		{ given.error_exitcode != CLAW_EXIT_FINDINGS,
		  "error-exitcode" },
	};

	if (operands > 0)
		claw_die(CLAW_EXIT_USAGE, "check: --now runs no program");
	for (size_t i = 0; i < sizeof(of_a_run) / sizeof(*of_a_run); i++)
		if (of_a_run[i].given)
			claw_die(CLAW_EXIT_USAGE, "check: --%s cannot be "
				 "combined with --now", of_a_run[i].name);
}

static void read_suppressions(struct claw_suppressions *suppressions)
{
	char error[PATH_MAX + 256];

	for (size_t i = 0; i < given.suppressions.count; i++) {
		int ret = claw_suppressions_read(given.suppressions.items[i],
						 suppressions, error,
						 sizeof(error));

		if (ret == -CLAW_E_IO)
			claw_die(CLAW_EXIT_USAGE, "--suppressions: %s", error);
		if (ret < 0)
			claw_die(CLAW_EXIT_USAGE, "%s", error);
	}
}

static void check_symbols(void)
{
	const char *servers = getenv("DEBUGINFOD_URLS");

	for (size_t i = 0; i < given.symbols.count; i++)
		if (access(given.symbols.items[i], R_OK | X_OK) < 0)
			claw_die(CLAW_EXIT_USAGE, "--symbols: %s: %s",
				 given.symbols.items[i], strerror(errno));
	claw_dwfl_set_search(given.symbols.items, given.symbols.count,
			     servers && *servers);
}

static void die_of_scan(const struct claw_session *session, int error)
{
	claw_die(CLAW_EXIT_INFRA, "%s: %s", session->directory,
		 error == -CLAW_E_IO ? strerror(errno) :
		 claw_error_text(error));
}

void claw_cmd_check_scan(const struct claw_session *session,
			 const struct claw_check_view *view, uint32_t wanted,
			 struct claw_suppressions *suppressions,
			 struct claw_check_scan *ret_scan)
{
	int ret = claw_leak_scan(session, &ret_scan->leaks);

	if (ret == 0)
		ret = claw_found_scan(session, wanted, &ret_scan->found);
	if (ret == 0)
		ret = claw_probe_sum_read(session, &ret_scan->probes);
	if (ret < 0)
		die_of_scan(session, ret);
	claw_leaks_suppress(&ret_scan->leaks.leaks, view->which, suppressions);
	claw_found_groups_suppress(&ret_scan->found.groups, suppressions);
}

void claw_cmd_check_scan_release(struct claw_check_scan *scan)
{
	claw_leak_scan_release(&scan->leaks);
	claw_found_scan_release(&scan->found);
	claw_probe_sum_release(&scan->probes);
}

const char *claw_cmd_check_gap(const struct claw_check_scan *scan)
{
	return scan->leaks.gap ? scan->leaks.gap : scan->found.gap;
}

/* Leaks and lifetime, when nothing is asked for; of a run that is under way
 * all that it looks for. */
static void choose_what(struct claw_check_view *view)
{
	bool is_asked = given.leaks || given.lifetime || given.guards ||
		given.probes.checks;
	bool is_kernels = given.probes.arithmetic || given.probes.same_value ||
		claw_probe_options_are_part(&given.probes) ||
		given.probes.print_limit || given.probes.verify;

	if (given.protect && is_asked && !given.lifetime)
		claw_die(CLAW_EXIT_USAGE, "check: --protect needs --lifetime");
	if (given.early_loads && is_asked && !given.lifetime)
		claw_die(CLAW_EXIT_USAGE,
			 "check: --early-loads needs --lifetime");
	if (is_kernels && !given.probes.checks)
		claw_die(CLAW_EXIT_USAGE, "check: --arithmetic, "
			 "--same-value, --kernel-name, --launch-skip, --launch-count, "
			 "--print-limit and --verify need --kernels");
	view->notes = given.notes;
	view->leaks = given.leaks || !is_asked;
	if (given.lifetime || !is_asked)
		view->find |= CLAW_FOUND_LIFETIME;
	if (given.guards || (given.now && !is_asked))
		view->find |= CLAW_FOUND_GUARDS;
	if (given.probes.checks || (given.now && !is_asked))
		view->find |= CLAW_FOUND_KERNELS;
}

static void look_for_helper(void)
{
	char *helper = given.probes.checks ? claw_instrument_program() : NULL;

	if (given.probes.checks && !helper)
		claw_die(CLAW_EXIT_SKIPPED, "check: %s",
			 claw_instrument_missing());
	free(helper);
}

extern const struct claw_command claw_cmd_check;

static int check_run(int argc, char *const *argv)
{
	struct claw_checking checking = { .given = &given };
	int first, status;

	memset(&given, 0, sizeof(given));
	given.error_exitcode = CLAW_EXIT_FINDINGS;
	first = claw_command_start(&claw_cmd_check, argc, argv, true);
	checking.view.which = parse_which();
	choose_what(&checking.view);
	checking.view.verbose = given.verbose;
	read_suppressions(&checking.suppressions);
	check_symbols();
	if (given.now) {
		check_options_of_now(argc - first);
		checking.view.is_now = true;
		checking.view.prefix = "";
		checking.view.color = claw_color_enabled(STDOUT_FILENO);
		status = claw_cmd_check_now(given.now, &checking.view,
					    &checking.suppressions);
	} else {
		if (first >= argc)
			claw_die(CLAW_EXIT_USAGE, "check: expected -- PROGRAM, found none "
				 "(see openclaw check --help)");
		look_for_helper();
		checking.view.prefix = "openclaw: ";
		checking.view.color = claw_color_enabled(STDERR_FILENO);
		status = claw_cmd_check_run(&checking, argc, argv,
					    argv + first);
	}
	claw_suppressions_release(&checking.suppressions);
	return status;
}

const struct claw_command claw_cmd_check = {
	.name = "check",
	.summary = "find leaked OpenCL objects and use after release",
	.usage = "-- PROGRAM [ARG...]",
	.description =
		"The program keeps its input and output. When it has exited, "
		"openclaw prints one line on standard error per error, with "
		"call, function, file and line of both places involved, and "
		"one line per call site that leaked objects, with their "
		"number and the bytes they keep alive. SIGUSR1 to openclaw, "
		"or \"check --now\", reports the current state.\n\n"
		"  openclaw check -- ./filter in.png\n"
		"  openclaw check --lifetime --guards -- ./filter in.png\n"
		"  openclaw check --fault clBuildProgram:build-fail -- "
		"./filter in.png\n\n"
		"Exit status: 0 nothing found, 1 leaks or errors, 2 "
		"inconclusive (no OpenCL call was seen, objects were lost, no "
		"buffer could be guarded, a launch was not checked, or the "
		"program itself failed), 64 usage error, 77 "
		"openclaw-instrument is missing, 126 not executable, 127 not "
		"found, 99 openclaw itself failed.",
	.options = check_options,
	.reads_config = true,
	.run = check_run,
};
