/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Resolve at=FUNCTION and at=FILE:LINE of a rule: find the code in the
 * program or its libraries and append it as pc= conditions, which the guest
 * compares without knowing a name.
 */
#ifndef CLAW_AT_H
#define CLAW_AT_H

#include <stddef.h>

#include "faults/shared/plan.h"
#include "program.h"

/*
 * rule:  without at= it is left alone; otherwise it gets its places and a new
 *        text. A rule for a Python program or a script stays as it is: the
 *        guest compares the Python frames' names itself.
 * error: one line on failure.
 *
 * Returns 0, -CLAW_E_NOT_FOUND (no such place) or -CLAW_E_LIMIT (too many).
 */
int claw_at_resolve(struct claw_rule *rule, const struct claw_program *program,
		    char *error, size_t error_size);

#endif
