/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a sweep leaves on disk: a record for each point that has ended, and a
 * folder for each signature with the evidence of its first and its newest run.
 */
#ifndef CLAW_SWEEP_KEEP_H
#define CLAW_SWEEP_KEEP_H

#include <stddef.h>

#include "harness/records/records.h"
#include "sweep.h"

enum {
	CLAW_SWEEP_KEPT_GROUPS = 200,		/* with evidence */
	CLAW_SWEEP_KEPT_BYTES = 1 << 20,	/* of each output */
};

/* Say that there is that point. 0 or what the records return. */
int claw_sweep_keep_planned(struct claw_records *records,
			    const struct claw_sweep *sweep, size_t point);

/* Say which functions the program calls without faults (sweep_shown.h). 0 or
 * what the records return. */
int claw_sweep_keep_called(struct claw_records *records,
			   const struct claw_sweep *sweep);

/* Say how many runs there are at a time. 0 or what the records return. */
int claw_sweep_keep_jobs(struct claw_records *records,
			 const struct claw_sweep *sweep);

/* Say what the program produces without faults: the hashes of its output and
 * artifacts. 0 or what the records return. */
int claw_sweep_keep_outputs(struct claw_records *records,
			    const struct claw_sweep *sweep);

/* Say which lines no run without faults has executed, where that is known. 0
 * or what the records return. */
int claw_sweep_keep_unrun(struct claw_records *records,
			  const struct claw_sweep *sweep);

/* One result. again: the line to paste, or NULL; spent_ms: by the whole sweep.
 * What is known is XFAIL, and expects says its verdict. */
int claw_sweep_keep_result(struct claw_records *records,
			   const struct claw_sweep *sweep,
			   const struct claw_sweep_news *news,
			   const char *again, uint64_t spent_ms);

/* Move the run's directory to DIRECTORY/signatures/<group>/first or newest.
 * What cannot be kept is not kept. */
void claw_sweep_keep_evidence(const char *directory,
			      const struct claw_sweep_news *news, int group);

#endif
