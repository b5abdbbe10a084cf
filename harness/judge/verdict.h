/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The verdict on one faulted run: a function of what was
 * seen, without any input or output.
 */
#ifndef CLAW_VERDICT_H
#define CLAW_VERDICT_H

#include <stdbool.h>

#include "faults/shared/plan.h"
#include "harness/evidence/evidence.h"
#include "harness/records/records.h"
#include "harness/process/runner.h"

/* The place, in a signature, of a crash in code that no function is known of. */
#define CLAW_VERDICT_UNKNOWN "unknown"

struct claw_verdict_input {
	const struct claw_run_result *run, *baseline_run;
	const struct claw_evidence *evidence, *baseline;
	const struct claw_rule *rules;	/* rule_count is the evidence's */
	const char *difference;	/* of the results, or NULL: the same */
	const char *said;	/* a line that no baseline had, or NULL */
	const char *gap;	/* claw_evidence_gap(), or NULL: all is known */
	const char *unseen;	/* calls of its programs that nobody saw, or NULL */
	const char *why_not;	/* reason when there is no handshake, or NULL */
	const char *compared;	/* claw_compared_text(), or NULL: not known */
	const char *nothing;	/* why only the exit status was, or NULL */
	bool leak_check_all;
	/* What guard zones found that no run without faults has: lines, and the
	 * chain of the first (claw_found_chain()); or NULL. */
	const char *found, *found_chain;
};

struct claw_verdict_output {
	enum claw_verdict verdict;
	char *message;		/* one line */
	char *detail;		/* lines, or NULL */
	char *signature;	/* of a crash or hang, stable, or NULL */
};

void claw_verdict_decide(const struct claw_verdict_input *input,
			 struct claw_verdict_output *ret_output);
void claw_verdict_release(struct claw_verdict_output *output);

#endif
