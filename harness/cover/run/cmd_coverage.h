/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shared by "cover", "test --coverage" and "run --coverage": options, files,
 * words and the exit status of a run whose kernels' coverage is asked for.
 */
#ifndef CLAW_CMD_COVERAGE_H
#define CLAW_CMD_COVERAGE_H

#include <stdbool.h>

#include "harness/records/cmd_output.h"
#include "harness/cover/code_lines.h"
#include "harness/cover/coverage.h"
#include "harness/cover/coverage_output.h"

/* Values of the options. */
struct claw_coverage_given {
	const char *fail_under, *baseline, *cobertura;
	bool html;
};

/* with_: "", or "with --coverage: ". */
#define CLAW_COVERAGE_OPTIONS(given_, with_, html_)			\
	{ "fail-under", 0, OPT_STRING, "PERCENT",			\
	  with_ "fail if fewer than PERCENT of the lines ran",		\
	  &(given_)->fail_under },					\
	{ "cobertura", 0, OPT_STRING, "FILE",				\
	  with_ "also write Cobertura XML to FILE [default: only " \
	  "DIR/cobertura.xml]", &(given_)->cobertura },			\
	{ html_, 0, OPT_FLAG, NULL,					\
	  with_ "write HTML pages with genhtml to DIR/coverage-html", &(given_)->html }

#define CLAW_COVERAGE_BASELINE_OPTION(given_, with_)			\
	{ "baseline", 0, OPT_STRING, "FILE.info|DIR",			\
	  with_ "compare with an earlier coverage.info line by line",	\
	  &(given_)->baseline }

struct claw_cmd_coverage {
	const struct claw_coverage_given *given;
	double least;			/* --fail-under; negative: not given */
	char *baseline_path;		/* of a tracefile, or NULL */
	struct claw_code_lines baseline;
	struct claw_coverage coverage;
	bool needs_all;			/* coverage that is not all known is unknown,
					 * without --fail-under, too */
	bool is_incomplete;		/* something that was asked for is not there */
};

/* The name of an option of these that was given, or NULL. */
const char *claw_cmd_coverage_option(const struct claw_coverage_given *given,
				     const char *html);

/* Look at the options, before anything runs; dies of what is wrong with
 * them. output: --output, or NULL. The coverage itself is the caller's to begin. */
void claw_cmd_coverage_check(struct claw_cmd_coverage *coverage,
			     const struct claw_coverage_given *given,
			     const char *output);
/* And at openclaw-instrument: dies, as skipped, where it is not here. */
void claw_cmd_coverage_need_helper(const char *verb);
void claw_cmd_coverage_release(struct claw_cmd_coverage *coverage);

/* Something that was asked for is not there: say it and remember it. why:
 * malloced, is freed; NULL: nothing. */
void claw_cmd_coverage_miss(struct claw_cmd_coverage *coverage,
			    const struct claw_cmd_output *output, char *why);

/* Write the files, and the page. root: absolute, or NULL. Dies when one cannot be
 * written. */
void claw_cmd_coverage_write(struct claw_cmd_coverage *coverage,
			     const struct claw_cmd_output *output,
			     const char *root, const char *title,
			     bool has_host);
/* Print the changes since --baseline on stderr and record them. */
void claw_cmd_coverage_say_changes(const struct claw_cmd_coverage *coverage,
				   const struct claw_cmd_output *output,
				   bool has_host);

/*
 * All of it for a command that does something else, too: table, files, changes.
 * status: as it is without; error_exitcode: of less than --fail-under.
 */
int claw_cmd_coverage_finish(struct claw_cmd_coverage *coverage,
			     const struct claw_cmd_output *output,
			     const char *root, const char *title, bool quiet,
			     int status, int error_exitcode);

#endif
