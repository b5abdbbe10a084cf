/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What "openclaw test" is to run: which cases of which suites under which
 * tools.
 */
#ifndef CLAW_TEST_PLAN_H
#define CLAW_TEST_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/base/options.h"
#include "harness/records/past_run.h"
#include "harness/base/shard.h"
#include "run_case.h"

/* What is asked for; everything is borrowed. */
struct claw_test_selection {
	struct claw_strings operands, suites;
	struct claw_strings filters, tags, exclude_tags;
	struct claw_strings under, require, models;
	const char *models_text;	/* of them, for the sessions, or NULL */
	struct claw_shard shard;
	uint64_t timeout_ms;		/* 0: the case's */
	bool has_device;
	uint64_t device;
	const char *icd;		/* or NULL */
	bool guards;			/* guard zones around the buffers of every case */
	struct claw_session_probes probes;	/* of every case; those of tools come to it */
	const char *max_memory;		/* --max-memory as given, or NULL */
	const char *repeat;		/* --repeat as given, or NULL */
	bool verbose;			/* a tool's own reports beside the findings made of them */
	const struct claw_past_run *failed_of;	/* only what failed there, or NULL */
};

/* A case under a tool: one line of the plan. */
struct claw_test_item {
	struct claw_test_case what;
	char *reproduce;
	bool elsewhere;			/* another shard's */
};

struct claw_test_plan {
	struct claw_suite **suites;
	size_t suite_count;
	struct claw_under *unders;	/* rows; not made ready yet */
	size_t under_count;
	struct claw_test_item *items;	/* tool by tool, suite by suite */
	size_t count;
	size_t here;			/* of them, this shard's */
	bool is_named;			/* tools were named: results say which */
	size_t headless;		/* kernel files without a header, left out */
	size_t lost;			/* failed then, and are nowhere now */
	char *lost_example;
};

struct claw_test_problem {
	int status;			/* for exit */
	char message[1024];		/* one line */
};

/*
 * Find the suites and choose. The selection outlives the plan.
 *
 * Returns 0, or a negative error and what to say in problem. A plan without
 * items is no error.
 */
int claw_test_plan_init(struct claw_test_plan *plan,
			const struct claw_test_selection *selection,
			struct claw_test_problem *problem);
void claw_test_plan_release(struct claw_test_plan *plan);

/* For the records. */
struct claw_planned claw_test_item_planned(const struct claw_test_item *item);

/* "--filter h* --tag fast", what narrows the plan; malloced. NULL: nothing
 * does. */
char *claw_test_selection_text(const struct claw_test_selection *selection);

#endif
