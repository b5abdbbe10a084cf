/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes as the numbers of a kernel file's type, short where they repeat. */
#ifndef CLAW_EMIT_CLW_VALUES_H
#define CLAW_EMIT_CLW_VALUES_H

#include <stdio.h>

#include "harness/cases/clw/clw.h"

enum { CLAW_EMIT_VALUES = 65536 };	/* numbers that are written at most */

/* The type that a buffer's bytes are written in, where its kernel says: every
 * byte of them has to be in a number. bytes has to be a multiple of it. */
struct claw_clw_type claw_emit_values_type(struct claw_clw_type type,
					   uint64_t bytes);

/* " 1 2 3", or " repeat 1": lines are continued. The line is column characters
 * long so far. False: neither short nor regular; nothing is written. */
bool claw_emit_values(FILE *out, struct claw_clw_type type, const void *bytes,
		      uint64_t size, unsigned int column);

#endif
