/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The points of a sweep among results: what is the same mistake, and what is
 * the same fault of the same function.
 */
#ifndef CLAW_REPORT_POINTS_H
#define CLAW_REPORT_POINTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/records/records.h"

/* Is it of a point: "clCreateBuffer oom once at load < main #1"? */
bool claw_report_is_point(const struct claw_result *result);

/* What is the same fault of the same function: "clCreateBuffer oom". */
void claw_report_point_name(const struct claw_result *result, char *name,
			    size_t size);

/* Are two signatures (sweep_signature.h) of the same mistake? */
bool claw_sweep_same_signature(const char *a, const char *b);

/* Points with the same signature. */
struct claw_report_mistake {
	struct claw_result shown;	/* one of them; seen: the signature */
	uint64_t points;
};

struct claw_report_mistakes {
	struct claw_report_mistake *items;
	size_t count;
};

/* A copy of a point that is a finding, or a known one (its verdict is XFAIL);
 * of others nothing is taken. */
void claw_report_mistakes_add(struct claw_report_mistakes *mistakes,
			      const struct claw_result *result);
/* The worst first. */
void claw_report_mistakes_sort(struct claw_report_mistakes *mistakes);
void claw_report_mistakes_release(struct claw_report_mistakes *mistakes);

/*
 * In place of all points with the same function and fault one result
 * ("clCreateBuffer oom"), with the worst verdict, whose detail has a line for
 * each. Other results stay, and come before.
 *
 * results: copies (claw_result_copy()); count changes.
 * ret_first: index of the first that stands for points.
 */
void claw_report_fold_points(struct claw_result *results, size_t *count,
			     size_t *ret_first);

#endif
