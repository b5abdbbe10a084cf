/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A plan in the making: what run_plan.c and run_suites.c share.
 */
#ifndef CLAW_TEST_PLANNING_H
#define CLAW_TEST_PLANNING_H

#include "run_plan.h"

struct claw_planning {
	struct claw_test_plan *plan;
	const struct claw_test_selection *selection;
	struct claw_test_problem *problem;
	struct claw_name_index files;	/* of one tool's items: the first */
};

/* Say what is wrong and return -CLAW_E_USAGE. */
int claw_planning_fail(struct claw_planning *planning, int status,
		       const char *format, ...)
	__attribute__((format(printf, 3, 4)));

bool claw_planning_has_word(const struct claw_strings *words,
			    const char *word);

/* Find and read the suites that the selection names, each once. 0 or a
 * negative error that the problem tells. */
int claw_planning_add_suites(struct claw_planning *planning);

#endif
