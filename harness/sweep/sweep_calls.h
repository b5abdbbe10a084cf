/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The calls of one run, in order, each with the numbers that a rule can name
 * it by.
 */
#ifndef CLAW_SWEEP_CALLS_H
#define CLAW_SWEEP_CALLS_H

#include <stdbool.h>
#include <stdint.h>

#include "faults/shared/api.h"
#include "harness/evidence/evidence.h"

struct claw_sweep_call {
	const struct claw_journal *journal;
	const struct claw_journal_record *record;
	const struct claw_journal_site *site;
	const char *exe;	/* base name of its program; NULL: all are one */
	enum claw_api api;
	uint64_t at_site;	/* which of the function's calls there, from 1 */
	uint64_t of_api;	/* which of all its calls in the process, from 1 */
	bool threaded;		/* the function was called by another thread, too */
	bool after;		/* the last rule has fired before in the process */
	uint32_t *mark;		/* the caller's, 0 at first: one for each site
				 * of a function in a process */
};

/* Calls with a known site, process by process. */
typedef void claw_sweep_visit(const struct claw_sweep_call *call, void *user);
void claw_sweep_walk(const struct claw_evidence *evidence,
		     claw_sweep_visit *visit, void *user);

#endif
