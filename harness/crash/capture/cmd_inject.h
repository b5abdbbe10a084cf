/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What "openclaw inject" and "openclaw capture" share: one run of a program
 * that is as transparent as env or timeout. All of these end the process where
 * the harness itself fails.
 */
#ifndef CLAW_CMD_INJECT_H
#define CLAW_CMD_INJECT_H

#include <stdbool.h>
#include <stdint.h>

#include "harness/evidence/evidence.h"
#include "harness/session/fault_plan.h"
#include "harness/base/options.h"
#include "harness/session/program.h"

struct claw_capturing;
struct claw_under_row;

enum { CLAW_INJECT_MAX_SLOW = 20 };

struct claw_transparent_run {
	const struct claw_fault_plan *plan;
	const struct claw_session_config *config;
	const struct claw_program *program;
	char *const *argv;
	const struct claw_strings *models;	/* words of --model */
	const struct claw_under_row *under;	/* or NULL */
	const char *output;		/* where the session is kept, or NULL */
	const char *stdin_path;
	uint64_t timeout_ms;
	bool gdb, verbose, allow_not_reached;
	struct claw_capturing *capturing;	/* or NULL: no dumps */
};

/* Returns the program's own exit status, ends by its own signal, or returns
 * why nothing can be said. */
int claw_transparent_run(const struct claw_transparent_run *run);

/* Read the faults, and look at the program (NULL: there is none) and where
 * they are in it. */
void claw_inject_load(const struct claw_fault_options *options,
		      struct claw_fault_plan *ret_plan);
void claw_inject_look(const char *program, struct claw_fault_plan *plan,
		      struct claw_program *ret_program);

/* "1 fault (INJECTED): RULE fired 1 of 4 matches at main (tile.c:88); seed
 * 42"; the caller frees it. */
char *claw_inject_summary(const struct claw_fault_plan *plan,
			  const struct claw_strings *models,
			  const struct claw_evidence *evidence);
/* The diagnosis code of the first fault that fired, where one that only delays
 * counts least; NULL: none did. */
const char *claw_inject_code(const struct claw_fault_plan *plan,
			     const struct claw_evidence *evidence);

#endif
