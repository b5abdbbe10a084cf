/* SPDX-License-Identifier: Apache-2.0 */
/* The words of a finding, one by one: found_text.c makes sentences of them. */
#ifndef CLAW_FOUND_WORDS_H
#define CLAW_FOUND_WORDS_H

#include "found_groups.h"
#include "harness/records/finding.h"

/* Print what "second" or "value 0 bytes" is of this finding. False: that is
 * not known; something that fits was printed all the same. */
bool claw_found_put_word(FILE *out, const struct claw_found_group *group,
			 const char *word, size_t length);

/* The kind of a test's finding that it is, of a write that of a read. */
enum claw_finding_kind claw_found_kind_finding(enum claw_found_kind kind);

/* Which of a finding's places made the object that it is about, or -1. */
int claw_found_kind_maker(enum claw_found_kind kind);

#endif
