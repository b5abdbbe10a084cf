/* SPDX-License-Identifier: Apache-2.0 */
/* The end of main() of a libcheck program. */
#ifndef CLAW_RUN_SUITE_H
#define CLAW_RUN_SUITE_H

#include <check.h>
#include <stdlib.h>

/* As CK_FORK, CK_VERBOSITY and the like say. Returns the exit status. */
static inline int run_suite(Suite *suite)
{
	SRunner *runner = srunner_create(suite);
	int failed;

	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

#endif
