/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The line that a person pastes to see a result again.
 */
#ifndef CLAW_TEST_REPRODUCE_H
#define CLAW_TEST_REPRODUCE_H

#include "run_case.h"

/* test: one of a libcheck program, by its name in the log (libcheck_xml.h);
 * NULL: the whole case. malloced. */
char *claw_test_reproduce(const struct claw_test_case *what, const char *test);

#endif
