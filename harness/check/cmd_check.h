/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the parts of "openclaw check" share.
 */
#ifndef CLAW_CMD_CHECK_H
#define CLAW_CMD_CHECK_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "check_report.h"
#include "harness/records/cmd_output.h"
#include "harness/evidence/evidence.h"
#include "harness/session/fault_plan.h"
#include "harness/base/options.h"
#include "harness/session/probe_options.h"
#include "harness/session/program.h"
#include "reports/write/report_files.h"
#include "harness/process/runner.h"
#include "harness/session/session.h"

/* What the options say. */
struct claw_check_given {
	struct claw_fault_options faults;
	struct claw_strings suppressions, symbols, models;
	const char *leak_check, *generate, *now, *output;
	const char *source_root;
	struct claw_report_files files;
	struct claw_probe_options probes;
	bool leaks, lifetime, guards, protect, early_loads, notes, verbose;
	bool force;
	uint64_t timeout_ms, error_exitcode;
};

/* One check under way. */
struct claw_checking {
	const struct claw_check_given *given;
	struct claw_suppressions suppressions;
	struct claw_check_view view;
	struct claw_fault_plan plan;
	struct claw_program program;
	char *const *argv;		/* of the program */
	const char *name;		/* its base name */
	struct claw_cmd_output output;
	struct claw_session *session;
	struct claw_run_result run;
	struct claw_evidence evidence;
	struct claw_check_scan scan;
	char *unseen;			/* claw_unseen_end() */
	char *again;			/* the line to paste */
	FILE *generated;		/* for suppressions, or NULL */
};

/* Read what is in the session and mark what is suppressed, or die. wanted: what
 * each process had to be looked at for (enum claw_found_mode), 0: not known. */
void claw_cmd_check_scan(const struct claw_session *session,
			 const struct claw_check_view *view, uint32_t wanted,
			 struct claw_suppressions *suppressions,
			 struct claw_check_scan *ret_scan);
void claw_cmd_check_scan_release(struct claw_check_scan *scan);
/* What the processes of this check are looked at for: enum claw_found_mode. */
uint32_t claw_cmd_check_wanted(const struct claw_checking *checking);
/* Why this scan is not everything, or NULL. */
const char *claw_cmd_check_gap(const struct claw_check_scan *scan);

/* "check --now PID|DIR": print what is alive; the exit status. */
int claw_cmd_check_now(const char *operand, const struct claw_check_view *view,
		       struct claw_suppressions *suppressions);

/* Run the program argv; command: all words, for the records. given, view and
 * suppressions are set. The exit status. */
int claw_cmd_check_run(struct claw_checking *checking, int argc,
		       char *const *command, char *const *argv);
/* The program has ended: read, say and record what it left behind. The exit
 * status. */
int claw_cmd_check_finish(struct claw_checking *checking);

#endif
