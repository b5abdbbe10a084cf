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
#include "harness/readers/dwfl_offline.h"
#include "harness/base/errors.h"
#include "harness/session/instrument_program.h"
#include "harness/session/model.h"
#include "harness/base/options.h"

static struct claw_check_given given;

static const struct claw_option check_options[] = {
	{ "leaks", 0, OPT_FLAG, NULL,
	  "look for objects that are never released [default, with "
	  "--lifetime]", &given.leaks },
	{ "lifetime", 0, OPT_FLAG, NULL,
	  "look for objects and memory that are used too late, too early, or "
	  "once too often [default, with --leaks]", &given.lifetime },
	{ "guards", 0, OPT_FLAG, NULL,
	  "look for kernels and transfers that reach past a buffer's end, "
	  "with guard zones around each buffer", &given.guards },
	{ "kernels", 0, OPT_FLAG, NULL,
	  "look for accesses of kernels outside of their buffers and arrays, "
	  "misaligned ones and such by NULL, with probes in the kernels: the "
	  "kernel sanitizer", &given.kernels },
	CLAW_SANITIZER_OPTIONS(&given.probes),
	CLAW_PROBE_OPTIONS(&given.probes),
	CLAW_MODEL_OPTION(&given.models),
	{ "protect", 0, OPT_FLAG, NULL,
	  "answer calls that would crash the driver, with the error of the "
	  "specification", &given.protect },
	{ "early-loads", 0, OPT_FLAG, NULL,
	  "close the pages that a non-blocking read has yet to write, and say "
	  "who loads or stores there before a wait", &given.early_loads },
	{ "notes", 0, OPT_FLAG, NULL,
	  "say what is legal and a hazard, too; it never counts",
	  &given.notes },
	{ "leak-check", 0, OPT_STRING, "WHICH",
	  "definite: what the program has forgotten, or makes more and more "
	  "of; all: everything that is alive at its end [default: definite]",
	  &given.leak_check },
	{ "suppressions", 0, OPT_STRINGS, "FILE",
	  "what is known: lines \"leak:GLOB\", \"lifetime:GLOB\", "
	  "\"guards:GLOB\", \"kernels:GLOB\"; may be repeated",
	  &given.suppressions },
	{ "gen-suppressions", 0, OPT_OPTIONAL, "FILE",
	  "print lines that keep exactly these leaks and errors silent, or "
	  "add them to FILE", &given.generate },
	{ "symbols", 0, OPT_STRINGS, "DIR",
	  "look there for debug information of stripped programs; may be "
	  "repeated", &given.symbols },
	{ "timeout", 't', OPT_DURATION, "T",
	  "end the program after this time [default: none]",
	  &given.timeout_ms },
	{ "fault", 'f', OPT_STRINGS, "RULE",
	  "fault to inject, as in openclaw-faults(7): are there leaks on the "
	  "way out of an error? May be repeated", &given.faults.faults },
	{ "plan", 0, OPT_STRINGS, "FILE",
	  "YAML file with faults, - for standard input, or preset:NAME; may "
	  "be repeated", &given.faults.plans },
	CLAW_VIA_OPTION,
	{ "seed", 0, OPT_STRING, "N",
	  "seed of random decisions [default: OPENCLAW_SEED, the plan's, "
	  "random]", &given.faults.seed },
	{ "now", 0, OPT_STRING, "PID|DIR",
	  "print what is alive now in a program that openclaw check runs, "
	  "and the errors so far, and let it go on", &given.now },
	{ "output", 'o', OPT_STRING, "DIR",
	  "where records and reports go [default: openclaw-out/check-TIME]",
	  &given.output },
	{ "force", 0, OPT_FLAG, NULL, "reuse an unfinished DIR", &given.force },
#include "reports/write/report_options.def"
	{ "source-root", 0, OPT_STRING, "DIR",
	  "show paths in reports relative to DIR [default: the working "
	  "directory]", &given.source_root },
	{ "error-exitcode", 0, OPT_UINT, "N",
	  "exit status when there are leaks or errors [default: 1]",
	  &given.error_exitcode },
	{ "verbose", 'v', OPT_FLAG, NULL,
	  "with each leak and error its stacks, and what a leak keeps alive; "
	  "what could not be looked at; suppressions that were not needed",
	  &given.verbose },
	{ 0 },
};

/* ---- options ---------------------------------------------------------- */

static enum claw_leak_check parse_which(void)
{
	if (!given.leak_check)
		return given.now ? CLAW_LEAK_ALL : CLAW_LEAK_DEFINITE;
	if (strcmp(given.leak_check, "definite") == 0)
		return CLAW_LEAK_DEFINITE;
	if (strcmp(given.leak_check, "all") == 0)
		return CLAW_LEAK_ALL;
	claw_die(CLAW_EXIT_USAGE, "--leak-check: expected definite or all; "
		 "found \"%s\"", given.leak_check);
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
		{ given.error_exitcode != CLAW_EXIT_FINDINGS,
		  "error-exitcode" },
	};

	if (operands > 0)
		claw_die(CLAW_EXIT_USAGE, "check: --now runs no program");
	for (size_t i = 0; i < sizeof(of_a_run) / sizeof(*of_a_run); i++)
		if (of_a_run[i].given)
			claw_die(CLAW_EXIT_USAGE, "check: --now only looks: "
				 "--%s is of a run", of_a_run[i].name);
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
		given.kernels;
	bool is_kernels = given.probes.arithmetic ||
		claw_probe_options_are_part(&given.probes) ||
		given.probes.print_limit || given.probes.verify;

	if (given.protect && is_asked && !given.lifetime)
		claw_die(CLAW_EXIT_USAGE, "check: --protect needs --lifetime");
	if (given.early_loads && is_asked && !given.lifetime)
		claw_die(CLAW_EXIT_USAGE,
			 "check: --early-loads needs --lifetime");
	if (is_kernels && !given.kernels)
		claw_die(CLAW_EXIT_USAGE, "check: --arithmetic, "
			 "--kernel-name, --launch-skip, --launch-count, "
			 "--print-limit and --verify need --kernels");
	view->notes = given.notes;
	view->leaks = given.leaks || !is_asked;
	if (given.lifetime || !is_asked)
		view->find |= CLAW_FOUND_LIFETIME;
	if (given.guards || (given.now && !is_asked))
		view->find |= CLAW_FOUND_GUARDS;
	if (given.kernels || (given.now && !is_asked))
		view->find |= CLAW_FOUND_KERNELS;
}

static void look_for_helper(void)
{
	char *helper = given.kernels ? claw_instrument_program() : NULL;

	if (given.kernels && !helper)
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
	if (given.error_exitcode > 255)
		claw_die(CLAW_EXIT_USAGE, "--error-exitcode: expected a number "
			 "from 0 to 255");
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
			claw_die(CLAW_EXIT_USAGE, "check: no program to run "
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
	.summary = "run a program and say which OpenCL objects it forgets or "
		"uses too late",
	.usage = "-- PROGRAM [ARG...]",
	.description =
		"The program keeps its input and output. When it has ended, "
		"each error in what it did with its objects is a line on "
		"standard error, with the call, function, file and line of "
		"both places, and so is each place that made objects which "
		"were never released: how many, and the bytes that they keep "
		"alive. SIGUSR1 to openclaw, or \"check --now\" from "
		"elsewhere, says what is so meanwhile.\n\n"
		"  openclaw check -- ./filter in.png\n"
		"  openclaw check --lifetime --guards -- ./filter in.png\n"
		"  openclaw check --fault clBuildProgram:build-fail -- "
		"./filter in.png\n\n"
		"Exit status: 0 nothing found, 1 leaks or errors, 2 nothing "
		"can be said (no OpenCL call was seen, objects were lost, no "
		"buffer could be guarded, a launch was not checked, or the "
		"program itself failed), 64 wrong usage, 77 "
		"openclaw-instrument is not here, 126 not executable, 127 not found, 99 openclaw "
		"itself failed.",
	.options = check_options,
	.starts_programs = true,
	.run = check_run,
};
