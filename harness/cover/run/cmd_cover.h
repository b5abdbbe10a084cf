/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the parts of "openclaw cover" share.
 */
#ifndef CLAW_CMD_COVER_H
#define CLAW_CMD_COVER_H

#include <stdbool.h>
#include <stdint.h>

#include "cmd_coverage.h"
#include "harness/records/cmd_output.h"
#include "harness/evidence/evidence.h"
#include "harness/base/options.h"
#include "harness/session/probe_options.h"
#include "harness/session/program.h"
#include "harness/process/runner.h"

/* What the options say. */
struct claw_cover_given {
	struct claw_strings models;
	struct claw_probe_options probes;
	struct claw_coverage_given coverage;
	const char *output, *source_root;
	const char *host;		/* --merge-host: a folder, or "" */
	bool count, force, quiet;
	uint64_t timeout_ms, error_exitcode;
};

/* One run. */
struct claw_covering {
	const struct claw_cover_given *given;
	struct claw_program program;
	char *const *argv;		/* of the program */
	const char *name;		/* its base name */
	struct claw_cmd_output output;
	char *root;			/* --source-root, absolute */
	struct claw_session *session;
	struct claw_run_result run;
	struct claw_evidence evidence;
	struct claw_cmd_coverage end;
};

/* Run the program and read what it left; what is said and the exit status are
 * cmd_cover_finish.c's. */
int claw_cmd_cover_run(struct claw_covering *covering, int argc,
		       char *const *command);
int claw_cmd_cover_finish(struct claw_covering *covering);

#endif
