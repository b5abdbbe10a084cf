/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The sweep: every point is a run of the program with one more fault, judged
 * against the runs without any. Points that a faulted run shows are added;
 * findings with the same signature are one group.
 */
#ifndef CLAW_SWEEP_H
#define CLAW_SWEEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/judge/judge.h"
#include "harness/check/leak_scan.h"
#include "harness/base/shard.h"
#include "sweep_points.h"

enum {
	CLAW_SWEEP_JOBS_MAX = 256,
	CLAW_SWEEP_NO_GROUP = -1,
	CLAW_SWEEP_NO_LOOK = -1,
};

struct claw_sweep_known_finding;	/* sweep_known.h */

/* States of a point. */
enum claw_sweep_state {
	CLAW_SWEEP_WAITING,
	CLAW_SWEEP_RUNNING,
	CLAW_SWEEP_DONE,
	CLAW_SWEEP_ELSEWHERE,	/* another shard's */
};

struct claw_sweep_outcome {
	enum claw_sweep_state state;
	enum claw_verdict verdict;
	int group;		/* or CLAW_SWEEP_NO_GROUP */
	int look;		/* the one that told, or CLAW_SWEEP_NO_LOOK */
	bool benign;		/* another result was allowed */
	size_t recorded;	/* by an earlier part, as its result number this,
				 * from 1: only what it shows counts; else 0 */
	char *first_run;	/* lines (sweep_handlers.h), or NULL */
	char *why;		/* why nothing is known of it, or NULL */
	const struct claw_sweep_known_finding *known;	/* or NULL */
};

/* Findings that are one mistake. */
struct claw_sweep_group {
	enum claw_verdict verdict;
	char *signature;
	size_t first;		/* the point that is shown */
	size_t count;		/* points */
	char *message, *detail;	/* of the first; detail may be NULL */
	char *again;		/* the line to paste, or NULL: not made yet */
	bool checked;		/* that line was run */
	char *not_again;	/* why it did not do the same, or NULL: it did */
	bool hardening;		/* only points of hardening show it */
	/* Borrowed; NULL: there is news in it. */
	const struct claw_sweep_known_finding *known;
};

/* Runs of what was handled, once more, under a tool (sweep_look.h). */
struct claw_sweep_look {
	struct claw_judge judge;	/* the sweep's, with the tool */
	char *directory;		/* for its runs */
	struct claw_judge_baseline baseline;
	struct claw_leak_scan leaks;	/* of the run without faults */
	uint64_t limit_ms;		/* of a run */
};

struct claw_sweep;

/* Passed to the functions that record and print a finished point. Texts live for the
 * call; signature is NULL where it is no finding. */
struct claw_sweep_news {
	size_t point;
	const struct claw_judged_run *run;
	const struct claw_judgement *judgement;
	const char *signature;
	bool new_group;
	const char *first_run;	/* of the outcome */
	bool recorded;		/* not news, but for the points it shows */
	bool is_shared;		/* the run was that of another point */
	size_t revealed_from;	/* points from this on are new */
};

struct claw_sweep_how {
	const struct claw_judge *judge;	/* its directory: for runs */
	/* Tools under which what was handled runs again. */
	const struct claw_judged_tool *again;
	size_t again_count;
	struct claw_sweep_choice choice;
	unsigned int jobs;	/* at least 1 */
	uint64_t timeout_ms;	/* 0: ten baselines and five seconds */
	uint64_t deadline_ms;	/* CLOCK_MONOTONIC; 0: none. No run begins later */
	struct claw_shard shard;
	bool strict;		/* degraded is a finding */
	bool needs_gcov;	/* without such data there is no sweep */
	const char *source_root;	/* paths are shown relative to it, or NULL */
	struct claw_strings models;	/* words of --model */
	struct claw_strings benign;	/* sweep_benign.h */
	const struct claw_sweep_known *known;
	/* 0, or an error that ends the sweep. */
	int (*ended)(struct claw_sweep *sweep,
		     const struct claw_sweep_news *news, void *user);
	void (*tick)(void *user);	/* now and then, or NULL */
	void *user;
};

struct claw_sweep {
	const struct claw_sweep_how *how;
	struct claw_judge_baseline baseline;
	struct claw_leak_scan leaks;	/* of the run without faults */
	struct claw_sweep_look *looks;
	size_t look_count;
	struct claw_sweep_points points;
	size_t first_count;	/* points without those that were revealed */
	struct claw_sweep_outcome *outcomes;	/* one a point */
	size_t outcome_count;
	struct claw_sweep_group *groups;
	size_t group_count;
	size_t done, elsewhere;
	size_t shared;		/* of done: without a run (sweep_same.h) */
	uint64_t counts[CLAW_VERDICT_COUNT];
	uint64_t limit_ms;	/* of a run */
	char *unrun, *unrun_elsewhere;	/* sweep_handlers.h; NULL: not known */
	char *gcov_why;		/* why some or all is not, or NULL */
	bool cancelled, out_of_time;
	int error;		/* -CLAW_E_*, or 0 */
	char *why;		/* of the error, or of the last infra, or NULL */
};

/* Groups that are not of hardening alone. */
size_t claw_sweep_counted_groups(const struct claw_sweep *sweep);
/* Points with that verdict, without those of hardening. */
uint64_t claw_sweep_counted(const struct claw_sweep *sweep,
			    enum claw_verdict verdict);

/* The group of findings with this signature, or NULL. */
struct claw_sweep_group *claw_sweep_find_group(const struct claw_sweep *sweep,
					       const char *signature);
/* Is the verdict a finding here? */
bool claw_sweep_is_finding(const struct claw_sweep_how *how,
			   enum claw_verdict verdict);

/* The time for a run, where nobody says: ten baselines and five seconds. */
uint64_t claw_sweep_limit_ms(const struct claw_judge_baseline *baseline);

/*
 * Make the baselines and the points. Returns 0, or -1: ret_judgement says why
 * not. The caller releases the judgement, and the sweep in both cases.
 */
int claw_sweep_begin(const struct claw_sweep_how *how,
		     struct claw_sweep *ret_sweep,
		     struct claw_judgement *ret_judgement);

/* A point of an earlier part of this sweep: its outcome is known. message and
 * detail may be NULL. */
void claw_sweep_know(struct claw_sweep *sweep, size_t point,
		     enum claw_verdict verdict, const char *signature,
		     const char *message, const char *detail);
/* Set the lines that this point ran first, or NULL; copied. */
void claw_sweep_know_first_run(struct claw_sweep *sweep, size_t point,
			       const char *first_run);
/* Points were added to sweep->points by hand. */
void claw_sweep_make_room(struct claw_sweep *sweep);

/* The first error stays in sweep->error; returns the one that is given. */
int claw_sweep_fail(struct claw_sweep *sweep, int error);

/* Run all points that wait. 0 or what sweep->error says. */
int claw_sweep_run(struct claw_sweep *sweep);
void claw_sweep_release(struct claw_sweep *sweep);

#endif
