/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compare what was found in a case with what the case says must be found.
 */
#ifndef CLAW_TEST_EXPECT_H
#define CLAW_TEST_EXPECT_H

#include <stdbool.h>
#include <stdint.h>

#include "harness/records/finding.h"
#include "harness/cases/suite/suite.h"

enum claw_expect_answer {
	CLAW_EXPECT_NOTHING,	/* nothing is expected, nothing was found */
	CLAW_EXPECT_MET,	/* all that is expected, and nothing else */
	CLAW_EXPECT_MISSED,	/* the tool looks for it and did not find it */
	CLAW_EXPECT_ANOTHER,	/* something was found that is not expected */
	CLAW_EXPECT_UNCHECKED,	/* the tool does not look for it: nothing can be said */
};

struct claw_expect_input {
	const struct claw_case_expect *expect;
	const struct claw_findings *findings;
	const char *file;	/* that the lines of expect are in, or NULL: any */
	const char *tool;
	uint32_t checks;	/* kinds that it looks for, as bits */
	const char *outcome;	/* "it ended by SIGSEGV", "wrong result"; NULL: it held */
};

struct claw_expect_output {
	enum claw_expect_answer answer;
	const struct claw_finding *first;	/* unexpected, or NULL */
	char message[768];	/* one line, "" when there is nothing to say */
};

/* A wrong result is no finding of its own where a finding is expected: it is
 * how the expected bug shows. */
void claw_expect_compare(const struct claw_expect_input *input,
			 struct claw_expect_output *ret_output);

/* Must anything be found? */
bool claw_expect_has_findings(const struct claw_case_expect *expect);

/* "invalid-write global 12, race", malloced; NULL where nothing is expected. */
char *claw_expect_text(const struct claw_case_expect *expect);

/* "invalid-write, race" or the word for how it ended; as above. */
char *claw_expect_seen(const struct claw_findings *findings,
		       const char *outcome);

#endif
