/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fault plans in YAML:
 *
 *	seed: 42			# optional
 *	faults:
 *	  - clCreateBuffer:oom:when=3
 *	  - rule: "@alloc:delay=1s..3s:p=10%"
 *
 * Nothing else is accepted, so that a misspelt word is never a fault that
 * silently does not happen.
 */
#ifndef CLAW_PLAN_YAML_H
#define CLAW_PLAN_YAML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "faults/shared/plan.h"

enum { CLAW_PLAN_BYTES_MAX = 4 << 20 };

struct claw_plan_yaml {
	struct claw_rule *rules;
	size_t count;
	bool has_seed;
	uint64_t seed;
};

/*
 * Read a plan; "-" is standard input.
 *
 * plan:  rules are appended to it; zeroed by the caller before the first.
 *        What a failed call appended is not taken away again.
 * error: one line, "FILE:LINE:COLUMN: expected ..." or "FILE: why not".
 *
 * Returns 0, -CLAW_E_IO, -CLAW_E_SYNTAX or -CLAW_E_LIMIT.
 */
int claw_plan_yaml_read(const char *path, bool allow_illegal,
			struct claw_plan_yaml *plan, char *error,
			size_t error_size);

/* The same from memory; name stands for the file in errors. */
int claw_plan_yaml_parse(const char *name, const char *bytes, size_t size,
			 bool allow_illegal, struct claw_plan_yaml *plan,
			 char *error, size_t error_size);

/* Append one rule. 0 or -CLAW_E_LIMIT. */
int claw_plan_yaml_add(struct claw_plan_yaml *plan,
		       const struct claw_rule *rule);
void claw_plan_yaml_release(struct claw_plan_yaml *plan);

#endif
