/* SPDX-License-Identifier: Apache-2.0 */
/* Why something is not the whole truth: one line, the first reason. */
#ifndef CLAW_GAP_H
#define CLAW_GAP_H

#include <stddef.h>

/* Make *gap this text (malloced) when it is NULL. */
void claw_gap_add(char **gap, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* path could not be read. */
void claw_gap_add_unread(char **gap, const char *path, int error);
/*
 * A journal must have its sibling, "word.<pid>.<n>", among these paths when
 * OpenCL was called; else *gap is before, "process N", after.
 */
void claw_gap_check_sibling(char **gap, const char *journal, const char *word,
			    char *const *siblings, size_t count,
			    const char *before, const char *after);

#endif
