/* SPDX-License-Identifier: Apache-2.0 */
/* Why something is not the whole truth: one line, the first reason. */
#ifndef CLAW_GAP_H
#define CLAW_GAP_H

/* Make *gap this text (malloced) when it is NULL. 0 or -CLAW_E_NO_MEMORY. */
int claw_gap_add(char **gap, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif
