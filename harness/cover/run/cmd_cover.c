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
#include "harness/base/errors.h"
#include "harness/session/model.h"
#include "harness/base/text.h"

static struct claw_cover_given given;

static const struct claw_option cover_options[] = {
	{ "output", 'o', OPT_STRING, "DIR",
	  "where records and reports go [default: openclaw-out/cover-TIME]",
	  &given.output },
	{ "count", 0, OPT_FLAG, NULL,
	  "count how often lines run [default: only whether]", &given.count },
	CLAW_COVERAGE_BASELINE_OPTION(&given.coverage, ""),
	CLAW_COVERAGE_OPTIONS(&given.coverage, "", "html"),
	{ "merge-host", 0, OPT_OPTIONAL, "GCDA-DIR",
	  "add what gcc --coverage says of the host program [default: of this "
	  "run]", &given.host },
	CLAW_PROBE_OPTIONS(&given.probes),
	CLAW_MODEL_OPTION(&given.models),
	CLAW_VIA_OPTION,
	{ "timeout", 't', OPT_DURATION, "T",
	  "end the program after this time [default: none]",
	  &given.timeout_ms },
	{ "force", 0, OPT_FLAG, NULL, "reuse an unfinished DIR", &given.force },
	{ "source-root", 0, OPT_STRING, "DIR",
	  "show paths in reports relative to DIR, and look for sources there "
	  "[default: the working directory]", &given.source_root },
	{ "error-exitcode", 0, OPT_UINT, "N",
	  "exit status when less than --fail-under has run [default: 1]",
	  &given.error_exitcode },
	{ "quiet", 'q', OPT_FLAG, NULL,
	  "print no table, only the line with the sums", &given.quiet },
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
	if (given.error_exitcode > 255)
		claw_die(CLAW_EXIT_USAGE, "--error-exitcode: expected a number "
			 "from 0 to 255");
	if (first >= argc)
		claw_die(CLAW_EXIT_USAGE, "cover: no program to run (see "
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
	.summary = "run a program and say which lines of its kernels have run",
	.usage = "-- PROGRAM [ARG...]",
	.description =
		"Kernels that the program builds from source get probes, on "
		"any device; the program keeps its input and output. When it "
		"has ended, lines, functions and branches of each source file "
		"that have run are a table on standard error, and "
		"coverage.info (for lcov) and cobertura.xml (for CI servers) "
		"are in DIR. A kernel that cannot get probes runs as it is, "
		"and is named with the reason.\n\n"
		"  openclaw cover -- ./filter in.png\n"
		"  openclaw cover --fail-under 80 --html -- ./filter in.png\n\n"
		"Exit status: 0 it is known what ran, 1 less than --fail-under, "
		"2 nothing or not all can be said (no OpenCL call was seen, no "
		"kernel with probes was launched, more launches without probes "
		"than with, the program itself failed), "
		"64 wrong usage, 77 openclaw-instrument is not here, 126 not "
		"executable, 127 not found, 99 openclaw itself failed.",
	.options = cover_options,
	.starts_programs = true,
	.run = cover_run,
};
