/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The file in which a case's program says what it did (doc/records.md, "Case
 * results"). Every line is written out at once: what comes next may crash.
 */
#ifndef CLAW_CASE_RESULT_H
#define CLAW_CASE_RESULT_H

/* The file that OPENCLAW_CASE_RESULT names; none is fine. 0, or -1 when it
 * cannot be made, which is said on stderr. */
int claw_case_result_open(void);
/* Words, ended by NULL; nothing is done when there is no file. */
void claw_case_result_line(const char *word, ...) __attribute__((sentinel));
/* Also on stderr when there is no file: the host says it once for all. */
void claw_case_result_fact(const char *key, const char *value);
/* 0, or -1: not all of it could be written. */
int claw_case_result_close(void);

#endif
