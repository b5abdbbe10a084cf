/* SPDX-License-Identifier: Apache-2.0 */
/* What a captured program printed. For crash*.c alone. */
#ifndef CLAW_CRASH_OUTPUT_H
#define CLAW_CRASH_OUTPUT_H

#include "harness/crash/dump/dump.h"

/* The first line, of standard error and then of standard output, that has one
 * of the words (NULL-terminated), malloced and fit to be printed; NULL:
 * none. */
char *claw_crash_said(const struct claw_dump *dump, const char *const *words);

#endif
