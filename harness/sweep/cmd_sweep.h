/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the parts of "openclaw sweep" share.
 */
#ifndef CLAW_CMD_SWEEP_H
#define CLAW_CMD_SWEEP_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

#include "harness/session/fault_plan.h"
#include "harness/base/options.h"
#include "harness/session/program.h"
#include "reports/write/report_files.h"
#include "reports/report.h"
#include "sweep.h"
#include "sweep_known.h"
#include "sweep_past.h"
#include "harness/tools/tool_words.h"

/* What the options say. */
struct claw_sweep_given {
	const char *points, *seed, *output, *resume, *shard, *leak_check;
	const char *stdin_path, *output_filter, *prepare, *cleanup;
	const char *artifact_filter;
	bool strict_output, trust_status;
	const char *source_root;
	struct claw_report_files files;
	const char *accept, *save_accept, *save_plan, *gcov;
	struct claw_strings kinds, modes, functions, benign, artifacts, under, models;
	uint64_t jobs, timeout_ms, budget_ms, error_exitcode;
	bool compound, hardening, guards, strict, force, verbose, quiet, dry_run;
};

/* One sweep under way. */
struct claw_sweeping {
	const struct claw_sweep_given *given;
	struct claw_sweep_past past;	/* with --resume */
	bool resumed;
	struct claw_sweep_known known;	/* with --accept */
	struct claw_program program;
	struct claw_tool_words words;	/* of --under */
	struct claw_judged_tool each, again[CLAW_TOOL_WORDS_MAX];
	char *const *argv;		/* of the program */
	int argc;			/* of the whole command, */
	char *const *command;		/* for the records */
	char *shown_directory, *directory, *runs;
	struct claw_records *records;
	struct claw_judge judge;
	char *models;			/* for its sessions */
	struct claw_sweep_how how;
	struct claw_sweep sweep;
	uint64_t start_ms, line_ms;
	struct stat program_file;	/* as it was at the beginning */
	bool progress_shown;
};

/* given, argv, how.choice and how.benign are set; the seed, too. The exit
 * status. */
int claw_cmd_sweep_run(struct claw_sweeping *sweeping);
/* Make the tools of --under ready, in s->runs. Why one cannot be had here, or
 * NULL. */
const char *claw_cmd_sweep_tools_begin(struct claw_sweeping *sweeping);
void claw_cmd_sweep_tools_release(struct claw_sweeping *sweeping);

/* All points that could be have been run: say and record what there is. The
 * exit status. */
int claw_cmd_sweep_finish(struct claw_sweeping *sweeping);

/* Read what is known, and see that what is to be saved can be. */
void claw_cmd_sweep_known_begin(struct claw_sweeping *sweeping);
/* After the sweep: what is known and was not seen; to the records, too. */
void claw_cmd_sweep_say_gone(struct claw_sweeping *sweeping);
void claw_cmd_sweep_save(const struct claw_sweeping *sweeping);

/* What all reports are made with. */
struct claw_report_head
claw_cmd_sweep_head(const struct claw_sweeping *sweeping);

#endif
