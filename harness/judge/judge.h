/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How runs are compared: a warm-up that is thrown away, two
 * baselines, the faulted run, and the verdict on it.
 */
#ifndef CLAW_JUDGE_H
#define CLAW_JUDGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "faults/shared/plan.h"
#include "compared.h"
#include "judged_run.h"
#include "harness/base/options.h"
#include "harness/session/session.h"
#include "harness/files/unstable.h"
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
	const char *artifact_filter;	/* or NULL */
	struct claw_strings artifacts;
	const char *directory;		/* keeps everything; exists */
	struct claw_runner *runner;
	/* Lines that differ between two runs without faults make the program
	 * inconclusive; else they are not compared. */
	bool strict_output;
	/* An equal exit status is an equal result where there is no other. */
	bool trust_status;
	/* All run under it, or NULL; the warm-up and the second baseline only
	 * on its driver. */
	const struct claw_judged_tool *tool;
	bool own_directory;		/* of each run; also where a word says so */
	struct claw_symbolizer *symbolizer;	/* for all runs, or NULL */
	struct claw_gcov *gcov;		/* of all runs, or NULL */
	/* What begins now, for a person; or NULL. */
	void (*progress)(void *user, const char *what);
	void *progress_user;
	/* claw_judge_notes(), when they are known; or NULL. */
	void (*notes)(const char *lines);
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
	struct claw_findings found;	/* by the tool, and not without faults */
	uint64_t duration_us;
	char *out_text, *err_text;	/* of the faulted run, or NULL */
};

/* The program without faults: what every faulted run is compared with. */
struct claw_judge_baseline {
	const struct claw_judge *judge;
	struct claw_judged_setup setup;	/* of every run */
	struct claw_judged_setup beside;	/* of those without the tool */
	struct claw_judged_run runs[2];
	uint64_t limit_ms;		/* for a faulted run: ten times, at least
					 * CLAW_JUDGE_TIMEOUT_MS, or as asked */
	char *stdin_copy, *cache;
	char *reference;		/* directory of the first */
	bool is_lent;			/* the cache: it stays */
	struct claw_unstable unstable;	/* what is set aside */
	struct claw_compared compared;	/* how much is not */
	char *failure;			/* "exit status 1: \"no file\"" of the runs
					 * without faults, or NULL: 0 */
};

/* Always fills ret_judgement; the caller releases it. */
void claw_judge_run(const struct claw_judge *judge,
		    struct claw_judgement *ret_judgement);

/*
 * The same in parts. The warm-up and both baselines; ret_judgement->end is
 * CLAW_JUDGE_DONE, and its verdict NOT_INJECTED when there can be no other.
 *
 * Returns 0: faulted runs may be made, or -1: ret_judgement says why not. The
 * baseline is released in both cases.
 */
int claw_judge_begin(const struct claw_judge *judge,
		     struct claw_judge_baseline *ret_baseline,
		     struct claw_judgement *ret_judgement);
/*
 * Run it without faults, `count` times beside each other in one directory, and
 * compare each run with the baseline.
 *
 * Returns what is different then, malloced, or NULL: nothing.
 */
char *claw_judge_beside(const struct claw_judge_baseline *baseline,
			unsigned int count);
/* A run with those rules has ended: judge it. Fills ret_judgement but its
 * evidence, which stays the run's. */
void claw_judge_decide(const struct claw_judge_baseline *baseline,
		       const struct claw_judged_run *faulted,
		       const struct claw_rule *rules,
		       struct claw_judgement *ret_judgement);
/* Notes on the fault-free runs, one per line: ignored output, how they end;
 * malloced, NULL: none. */
char *claw_judge_notes(const struct claw_judge_baseline *baseline);
/* The exit status of a command whose judging ended so; UNKNOWN for DONE. */
int claw_judge_status(enum claw_judge_end end);
void claw_judge_end(struct claw_judge_baseline *baseline);
void claw_judgement_release(struct claw_judgement *judgement);

#endif
