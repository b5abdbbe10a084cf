/* SPDX-License-Identifier: Apache-2.0 */
/* The captured failures as a fault plan (plan_yaml.h), for the program. */
#ifndef CLAW_EMIT_PLAN_H
#define CLAW_EMIT_PLAN_H

#include "harness/crash/facts/crash.h"

/*
 * name: of the dump's file, for people. ret_count: of rules.
 *
 * Returns 0, -CLAW_E_NOT_FOUND (there is none: nothing is written) or
 * -CLAW_E_IO (errno set; the file was there already, too).
 */
int claw_emit_plan(const struct claw_dump *dump, const struct claw_crash *crash,
		   const char *name, const char *path, size_t *ret_count);

#endif
