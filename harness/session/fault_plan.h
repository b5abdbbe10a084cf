/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The faults that a command line asks for: --fault and --plan, the seed, and
 * at= resolved against the program.
 */
#ifndef CLAW_FAULT_PLAN_H
#define CLAW_FAULT_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/base/options.h"
#include "plan_yaml.h"
#include "program.h"

/* What the options say; the text of a number is parsed here. */
struct claw_fault_options {
	struct claw_strings faults, plans;
	const char *seed;	/* or NULL: OPENCLAW_SEED, the plan's, random */
	bool allow_illegal;
};

struct claw_fault_plan {
	struct claw_plan_yaml rules;	/* as the guest is given them */
	char **given;			/* as a person would write them again */
	uint64_t seed;
};

/*
 * Parse everything. Plans first (files, or "preset:NAME", preset.h), then
 * --fault, in their order.
 *
 * error: one line.
 *
 * Returns 0, -CLAW_E_SYNTAX (also a bad seed), -CLAW_E_NOT_FOUND, -CLAW_E_IO
 * or -CLAW_E_LIMIT.
 */
int claw_fault_plan_load(const struct claw_fault_options *options,
			 struct claw_fault_plan *ret_plan, char *error,
			 size_t error_size);
/* Resolve at= of every rule. As claw_at_resolve(). */
int claw_fault_plan_resolve(struct claw_fault_plan *plan,
			    const struct claw_program *program, char *error,
			    size_t error_size);
void claw_fault_plan_release(struct claw_fault_plan *plan);

/* The rules' texts, an array of rules.count that borrows them; the caller
 * frees the array. */
char **claw_fault_plan_texts(const struct claw_fault_plan *plan);

/* The word as a shell reads it: quoted where it must be. malloced. */
char *claw_shell_quote(const char *word);

/* The same for a line that a person reads and pastes: a word with control
 * characters, or not UTF-8, as "$(printf '\033[0m')". */
char *claw_shell_quote_printable(const char *word);

#endif
