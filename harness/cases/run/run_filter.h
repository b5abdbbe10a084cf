/* SPDX-License-Identifier: Apache-2.0 */
/*
 * --filter: which cases, and which tests of a libcheck program, a pattern
 * chooses. One that a case's NAME or SUITE/NAME matches chooses all of it;
 * "PROGRAM.TEST", whose PROGRAM matches a libcheck case so, chooses tests of
 * it by name.
 */
#ifndef CLAW_TEST_FILTER_H
#define CLAW_TEST_FILTER_H

#include <stdbool.h>

#include "harness/base/options.h"
#include "harness/cases/suite/suite.h"

enum claw_filter_answer {
	CLAW_FILTER_NOT,
	CLAW_FILTER_TESTS,	/* of a libcheck program, some, if it has them */
	CLAW_FILTER_ALL,
};

/* No filter at all chooses everything. */
enum claw_filter_answer
claw_filter_case(const struct claw_strings *filters,
		 const struct claw_suite *suite,
		 const struct claw_suite_case *one);

/* test: its name in the program's log (libcheck_xml.h). */
bool claw_filter_has_test(const struct claw_strings *filters,
			  const struct claw_suite *suite,
			  const struct claw_suite_case *one, const char *test);

/* The only TCase that has the tests which are chosen, for CK_RUN_CASE; NULL:
 * it is not known, or there are several. malloced. */
char *claw_filter_tcase(const struct claw_strings *filters,
			const struct claw_suite *suite,
			const struct claw_suite_case *one);

#endif
