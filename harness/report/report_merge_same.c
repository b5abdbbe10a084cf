/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Are soaks that are to be merged soaks of one thing? What they are of is in
 * their records: what was run, beneath which faults, on which device.
 */
#include "config.h"

#include "report_merge.h"

#include <string.h>

#include "harness/base/errors.h"
#include "harness/records/records_soak.h"

static const struct {
	const char *key, *what;
} facts[] = {
	{ CLAW_FACT_WORKLOAD, "workload" },
	{ CLAW_FACT_FAULTS, "plan of faults" },
	{ CLAW_FACT_MODEL, "device model" },
	{ "device", "device" }, { "platform", "platform" },
};

/* What follows "--" in the command, or NULL. */
static const char *program_of(const struct claw_past_run *run)
{
	const char *words = run->command ? strstr(run->command, " -- ") : NULL;

	return words ? words + 4 : NULL;
}

/* NULL: the run does not say. */
static const char *value_of(const struct claw_past_run *run, const char *key)
{
	const char *value = claw_past_run_fact(run, "native", key);

	return value || strcmp(key, CLAW_FACT_WORKLOAD) != 0 ? value :
	       program_of(run);
}

static void check_one(const struct claw_past_run *first,
		      const struct claw_past_run *run)
{
	for (size_t i = 0; i < sizeof(facts) / sizeof(*facts); i++) {
		const char *one = value_of(first, facts[i].key);
		const char *other = value_of(run, facts[i].key);

		if (one && other && strcmp(one, other) != 0)
			claw_die(CLAW_EXIT_USAGE, "report merge: expected "
				 "soaks of one %s, found \"%s\" in %s and "
				 "\"%s\" in %s", facts[i].what, one,
				 first->directory, other, run->directory);
	}
}

void claw_merge_check_same(struct claw_past_run *const *runs, size_t run_count)
{
	for (size_t i = 0; i < run_count; i++)
		for (size_t j = i + 1; j < run_count; j++)
			check_one(runs[i], runs[j]);
}
