/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The run contract of DESIGN section 6: a warm-up that is thrown away, two
 * baselines, the faulted run, and the verdict on it.
 */
#ifndef CLAW_JUDGE_H
#define CLAW_JUDGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../faults/plan.h"
#include "options.h"
#include "program.h"
#include "runner.h"
#include "session.h"
#include "verdict.h"

enum {
	CLAW_JUDGE_TIMEOUT_MS = 60 * 1000,	/* at least, of the faulted run */
	CLAW_JUDGE_BASELINE_TIMEOUT_MS = 600 * 1000,
};

struct claw_judge {
	char *const *argv;
	const struct claw_program *program;
	const struct claw_rule *rules;
	size_t rule_count;
	struct claw_session_config config;	/* seed, record mode ... */
	uint64_t timeout_ms;		/* 0: from the baselines */
	bool leak_check_all;
	const char *stdin_path;		/* or NULL: empty */
	const char *output_filter, *prepare, *cleanup;	/* or NULL */
	struct claw_strings artifacts;
	const char *directory;		/* keeps everything; exists */
	struct claw_runner *runner;
	/* What begins now, for a person; or NULL. */
	void (*progress)(void *user, const char *what);
	void *progress_user;
};

enum claw_judge_end {
	CLAW_JUDGE_DONE,	/* output is set */
	CLAW_JUDGE_UNKNOWN,	/* the program differs by itself: why says how */
	CLAW_JUDGE_INFRA,	/* the harness could not: why */
	CLAW_JUDGE_NO_PROGRAM,	/* exit 127: why */
	CLAW_JUDGE_NOT_EXECUTABLE,	/* exit 126: why */
	CLAW_JUDGE_CANCELLED,
};

struct claw_judgement {
	enum claw_judge_end end;
	char *why;
	struct claw_verdict_output output;
	struct claw_evidence evidence;	/* of the faulted run */
	uint64_t duration_us;
	char *out_text, *err_text;	/* of the faulted run, or NULL */
};

/* Always fills ret_judgement; the caller releases it. */
void claw_judge_run(const struct claw_judge *judge,
		    struct claw_judgement *ret_judgement);
void claw_judgement_release(struct claw_judgement *judgement);

#endif
