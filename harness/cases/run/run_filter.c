/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Match the patterns of --filter.
 */
#include "config.h"

#include "run_filter.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "faults/shared/plan.h"

enum { NAME_MAX_BYTES = 4096 };

/* NAME or SUITE/NAME; test: "" or ".TEST". */
static bool matches(const char *filter, const struct claw_suite *suite,
		    const struct claw_suite_case *one, const char *test)
{
	char path[NAME_MAX_BYTES];
	int before = snprintf(path, sizeof(path), "%s/", suite->name);

	if (before < 0 || before >= (int)sizeof(path))
		return false;
	snprintf(path + before, sizeof(path) - (size_t)before, "%s%s%s",
		 one->name, *test ? "." : "", test);
	return claw_glob_match(filter, path + before) ||
	       (strchr(filter, '/') && claw_glob_match(filter, path));
}

/* What stands behind PROGRAM and a dot, at the first dot where PROGRAM is
 * this case's; NULL: there is none. */
static const char *test_part(const char *filter,
			     const struct claw_suite *suite,
			     const struct claw_suite_case *one)
{
	char program[NAME_MAX_BYTES];

	for (const char *dot = strchr(filter, '.'); dot && dot[1];
	     dot = strchr(dot + 1, '.')) {
		if ((size_t)(dot - filter) >= sizeof(program))
			return NULL;
		snprintf(program, sizeof(program), "%.*s", (int)(dot - filter),
			 filter);
		if (matches(program, suite, one, ""))
			return dot + 1;
	}
	return NULL;
}

enum claw_filter_answer
claw_filter_case(const struct claw_strings *filters,
		 const struct claw_suite *suite,
		 const struct claw_suite_case *one)
{
	enum claw_filter_answer answer = CLAW_FILTER_NOT;

	for (size_t i = 0; i < filters->count; i++) {
		if (matches(filters->items[i], suite, one, ""))
			return CLAW_FILTER_ALL;
		if (one->kind == CLAW_CASE_LIBCHECK &&
		    test_part(filters->items[i], suite, one))
			answer = CLAW_FILTER_TESTS;
	}
	return filters->count == 0 ? CLAW_FILTER_ALL : answer;
}

bool claw_filter_has_test(const struct claw_strings *filters,
			  const struct claw_suite *suite,
			  const struct claw_suite_case *one, const char *test)
{
	char all[NAME_MAX_BYTES], *dot;

	if (claw_filter_case(filters, suite, one) == CLAW_FILTER_ALL)
		return true;
	/* Without the number: every iteration of a loop. */
	snprintf(all, sizeof(all), "%s", test);
	dot = strrchr(all, '.');
	if (dot && dot[1] >= '0' && dot[1] <= '9')
		*dot = '\0';
	for (size_t i = 0; i < filters->count; i++)
		if (matches(filters->items[i], suite, one, test) ||
		    matches(filters->items[i], suite, one, all))
			return true;
	return false;
}

/* "TCASE" of "TCASE.TEST[.N]"; malloced, NULL where it is none or a
 * pattern. */
static char *tcase_of(const char *part)
{
	char *tcase = claw_strdup(part),
	     *dot = tcase ? strrchr(tcase, '.') : NULL;

	if (dot && dot[1] >= '0' && dot[1] <= '9') {
		*dot = '\0';
		dot = strrchr(tcase, '.');
	}
	if (dot)
		*dot = '\0';
	/* ':' stands behind a suite's title, '?' for a control character. */
	if (!dot || !*tcase || strpbrk(tcase, "*?:")) {
		free(tcase);
		return NULL;
	}
	return tcase;
}

char *claw_filter_tcase(const struct claw_strings *filters,
			const struct claw_suite *suite,
			const struct claw_suite_case *one)
{
	char *only = NULL;

	for (size_t i = 0; i < filters->count; i++) {
		const char *part = test_part(filters->items[i], suite, one);
		char *tcase = part ? tcase_of(part) : NULL;
		bool is_only = tcase && (!only || strcmp(only, tcase) == 0);

		if (!part)
			continue;
		free(only);
		only = tcase;
		if (!is_only) {
			free(only);
			return NULL;
		}
	}
	return only;
}
