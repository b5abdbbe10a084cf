/* SPDX-License-Identifier: Apache-2.0 */
/*
 * openclaw cover: run a program with probes in its kernels and say which
 * lines, functions and branches of them it has executed.
 */
#include "config.h"

#include "cmd_cover.h"

#include <string.h>

#include "harness/records/cmd_ended.h"
#include "harness/session/door.h"
#include "harness/session/icd_names.h"
#include "harness/base/errors.h"
#include "harness/base/shared_options.h"
#include "harness/session/model.h"
#include "harness/base/text.h"

static struct claw_cover_given given;

static const struct claw_option cover_options[] = {
	CLAW_OUTPUT_OPTION("cover", &given.output),
	CLAW_HISTORY_OPTION,
	{ "count", 0, OPT_FLAG, NULL,
	  "count executions of each line [default: only whether it ran]", &given.count },
	CLAW_COVERAGE_BASELINE_OPTION(&given.coverage, ""),
	CLAW_COVERAGE_OPTIONS(&given.coverage, "", "html"),
	{ "merge-host", 0, OPT_OPTIONAL, "GCDA-DIR",
	  "include the host program's gcc --coverage data [default: of this "
	  "run]", &given.host },
	CLAW_PROBE_OPTIONS(&given.probes),
	CLAW_MODEL_OPTION(&given.models),
	CLAW_ICD_OPTION,
	CLAW_VIA_OPTION,
	CLAW_TIMEOUT_OPTION("none", &given.timeout_ms),
	CLAW_FORCE_OPTION(&given.force),
	CLAW_SOURCE_ROOT_OPTION(&given.source_root),
	CLAW_SOURCE_URL_OPTION,
	CLAW_ERROR_EXITCODE_OPTION("", &given.error_exitcode),
	{ "quiet", 'q', OPT_FLAG, NULL,
	  "print only the summary line", &given.quiet },
	{ 0 },
};

static void look_at_program(struct claw_covering *covering)
{
	const char *word = covering->argv[0];

	claw_cmd_look_at_program(word, &covering->program);
	claw_via_choose(&covering->program);
	covering->name = claw_base_name(word);
}

extern const struct claw_command claw_cmd_cover;

static int cover_run(int argc, char *const *argv)
{
	struct claw_covering covering = { .given = &given };
	int first, status;

	memset(&given, 0, sizeof(given));
	given.error_exitcode = CLAW_EXIT_FINDINGS;
	first = claw_command_start(&claw_cmd_cover, argc, argv, true);
	if (first >= argc)
		claw_die(CLAW_EXIT_USAGE, "cover: expected -- PROGRAM, found none (see "
			 "openclaw cover --help)");
	covering.argv = argv + first;
	claw_cmd_coverage_check(&covering.end, &given.coverage, given.output);
	look_at_program(&covering);
	claw_cmd_coverage_need_helper("cover");
	status = claw_cmd_cover_run(&covering, argc, argv);
	claw_program_release(&covering.program);
	return status;
}

const struct claw_command claw_cmd_cover = {
	.name = "cover",
	.summary = "measure line and branch coverage of kernels",
	.usage = "-- PROGRAM [ARG...]",
	.description =
		"Instruments the kernels that the program builds from source, "
		"on any device; the program keeps its input and output. When "
		"it has exited, openclaw prints a table of the lines, "
		"functions and branches that ran, per source file, on "
		"standard error, and writes coverage.info (for lcov) and "
		"cobertura.xml (for CI servers) to DIR. A kernel that cannot "
		"be instrumented runs unchanged and is listed with the "
		"reason.\n\n"
		"  openclaw cover -- ./filter in.png\n"
		"  openclaw cover --fail-under 80 --html -- ./filter "
		"in.png\n\n"
		"Exit status: 0 coverage is known, 1 below --fail-under, 2 "
		"inconclusive (no OpenCL call was seen, no instrumented "
		"kernel was launched, more launches without probes than with, "
		"or the program itself failed), 64 usage error, 77 "
		"openclaw-instrument is missing, 126 not executable, 127 not "
		"found, 99 openclaw itself failed.",
	.options = cover_options,
	.reads_config = true,
	.run = cover_run,
};
