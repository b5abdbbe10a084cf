/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An earlier run, read whole from its records: to compare with, to run again
 * what failed in it, to merge it with others.
 */
#ifndef CLAW_PAST_RUN_H
#define CLAW_PAST_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "records.h"

/* Where a case belongs; texts are borrowed. */
struct claw_case_key {
	const char *suite, *name, *configuration;
};

/* No configuration is that of native. */
bool claw_case_key_same(struct claw_case_key a, struct claw_case_key b);
/* "kernel_memory/test_alignment [oclgrind]"; malloced. */
char *claw_case_key_text(struct claw_case_key key);

struct claw_past_fact {
	char *configuration, *key, *value;
};

struct claw_past_run {
	char *directory;	/* as it was named */
	char *verb, *command, *started;
	uint64_t planned_number;	/* results that were to come */
	uint64_t seed;
	struct claw_planned *planned;	/* own texts */
	size_t planned_count;
	struct claw_result *results;	/* own texts */
	size_t result_count;
	struct claw_past_fact *facts;
	size_t fact_count;
	char **notes;
	size_t note_count;
	uint64_t segment_count;	/* of a soak; else 0 */
	bool complete, cancelled;
	uint64_t damaged;
};

/*
 * DIRECTORY/records.jsonl; directory may also be that file. error: one line
 * that names it.
 *
 * Returns 0, -CLAW_E_USAGE (there is none), -CLAW_E_IO, -CLAW_E_DAMAGED
 * or -CLAW_E_VERSION.
 */
int claw_past_run_read(const char *directory, struct claw_past_run **ret_run,
		       char *error, size_t error_size);
void claw_past_run_free(struct claw_past_run *run);

struct claw_case_key claw_result_key(const struct claw_result *result);
/* Of the planned case that the result is of. */
struct claw_case_key claw_result_item_key(const struct claw_result *result);
struct claw_case_key claw_planned_key(const struct claw_planned *planned);

const struct claw_result *claw_past_run_find(const struct claw_past_run *run,
					     struct claw_case_key key);
const struct claw_planned *
claw_past_run_find_planned(const struct claw_past_run *run,
			   struct claw_case_key key);
/* Is there a result of the planned case? */
bool claw_past_run_has_result_of(const struct claw_past_run *run,
				 struct claw_case_key item);
/* Did the planned case fail, could nothing be said of it, or did it not come
 * to its end? */
bool claw_past_run_has_failed(const struct claw_past_run *run,
			      struct claw_case_key item);
/* Does it say what was planned? */
bool claw_past_run_has_plan(const struct claw_past_run *run);
/* A fact's value, or NULL. configuration NULL: of the whole run. */
const char *claw_past_run_fact(const struct claw_past_run *run,
			       const char *configuration, const char *key);

#endif
