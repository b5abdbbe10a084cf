/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the parts of "openclaw cover" share.
 */
#ifndef CLAW_CMD_COVER_H
#define CLAW_CMD_COVER_H

#include <stdbool.h>
#include <stdint.h>

#include "code_lines.h"
#include "coverage.h"
#include "evidence.h"
#include "options.h"
#include "probe_options.h"
#include "program.h"
#include "records.h"
#include "runner.h"
#include "session.h"

/* What the options say. */
struct claw_cover_given {
	struct claw_strings models;
	struct claw_probe_options probes;
	const char *output, *source_root, *baseline, *cobertura, *fail_under;
	const char *host;		/* --merge-host: a folder, or "" */
	bool count, html, force, quiet;
	uint64_t timeout_ms, error_exitcode;
};

/* One run. */
struct claw_covering {
	const struct claw_cover_given *given;
	struct claw_program program;
	char *const *argv;		/* of the program */
	const char *name;		/* its base name */
	double least;			/* --fail-under; negative: not given */
	struct claw_code_lines baseline;
	char *shown_directory, *directory, *root;
	struct claw_session *session;
	struct claw_records *records;
	struct claw_run_result run;
	struct claw_evidence evidence;
	struct claw_coverage coverage;
	bool is_incomplete;		/* something that was asked for is not there */
};

/* Run the program and read what it left; what is said and the exit status are
 * cmd_cover_finish.c's. */
int claw_cmd_cover_run(struct claw_covering *covering, int argc,
		       char *const *command);
int claw_cmd_cover_finish(struct claw_covering *covering);

#endif
