/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Suites in the making, their cases, and where their files are.
 */
#include "config.h"

#include "suite_cases.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/base/memory.h"
#include "harness/base/paths.h"
#include "harness/base/text_list.h"

/* ---- suites and cases -------------------------------------------------- */

struct claw_suite *claw_suite_new(const char *file)
{
	struct claw_suite *suite = claw_calloc(1, sizeof(*suite));

	suite->file = claw_strdup(file);
	return suite;
}

struct claw_suite_case *claw_suite_add_case(struct claw_suite *suite,
					    enum claw_case_kind kind,
					    char *name)
{
	struct claw_suite_case *one;

	suite->cases = claw_one_more(suite->cases, suite->case_count,
				     sizeof(*suite->cases));
	claw_name_index_add(&suite->names, name, suite->case_count);
	one = &suite->cases[suite->case_count++];
	*one = (struct claw_suite_case) { .kind = kind, .name = name };
	return one;
}

void claw_suite_drop_case(struct claw_suite *suite)
{
	struct claw_suite_case *last = &suite->cases[--suite->case_count];

	claw_name_index_drop(&suite->names, last->name, suite->case_count);
	claw_suite_case_release(last);
}

void claw_suite_expect_findings(struct claw_case_expect *expect,
				const struct claw_expected_finding *findings,
				size_t count)
{
	if (count == 0)
		return;
	expect->findings = claw_grow(expect->findings,
				     expect->finding_count + count,
				     sizeof(*expect->findings));
	memcpy(expect->findings + expect->finding_count, findings,
	       count * sizeof(*findings));
	expect->finding_count += count;
}

void claw_suite_case_copy(const struct claw_suite_case *from,
			  struct claw_suite_case *to)
{
	to->expect_fail = from->expect_fail;
	to->timeout_ms = from->timeout_ms;
	to->seed = from->seed;
	to->no_opencl = from->no_opencl;
	to->operand = from->operand;
	to->needs.memory_bytes = from->needs.memory_bytes;
	to->expect.has_exit = from->expect.has_exit;
	to->expect.exit_status = from->expect.exit_status;
	to->proves = claw_strdup_or_null(from->proves);
	to->reason = claw_strdup_or_null(from->reason);
	to->fail_driver = claw_strdup_or_null(from->fail_driver);
	to->directory = claw_strdup_or_null(from->directory);
	to->expect.fault = claw_strdup_or_null(from->expect.fault);
	to->needs.device_type = claw_strdup_or_null(from->needs.device_type);
	claw_suite_expect_findings(&to->expect, from->expect.findings,
				   from->expect.finding_count);
	to->only_under = claw_list_copy(from->only_under);
	to->tags = claw_list_copy(from->tags);
	to->words = claw_list_copy(from->words);
	to->faults = claw_list_copy(from->faults);
	to->models = claw_list_copy(from->models);
	to->needs.extensions = claw_list_copy(from->needs.extensions);
	to->needs.programs = claw_list_copy(from->needs.programs);
}

void claw_suite_case_release(struct claw_suite_case *one)
{
	char **lists[] = {
		one->only_under, one->tags, one->words, one->faults, one->models,
		one->needs.extensions, one->needs.programs,
	};
	char *texts[] = {
		one->name, one->proves, one->reason, one->file, one->test,
		one->source, one->problem, one->fail_driver,
		one->directory, one->needs.device_type, one->expect.fault,
	};

	for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++)
		claw_list_free(lists[i]);
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		free(texts[i]);
	free(one->expect.findings);
	memset(one, 0, sizeof(*one));
}

const struct claw_suite_case *
claw_suite_find_case(const struct claw_suite *suite, const char *name)
{
	size_t number;

	return claw_name_index_find(&suite->names, name, &number) ?
		&suite->cases[number] : NULL;
}

char *claw_suite_fit_name(const char *text)
{
	char *name = claw_strdup(*text ? text : "_");

	for (char *c = name; *c; c++)
		if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUV"
			    "WXYZ0123456789_-.", *c) ||
		    (c == name && (*c == '.' || *c == '-')))
			*c = '_';
	return name;
}

/* ---- places ------------------------------------------------------------ */

char *claw_suite_path_beside(const char *file, const char *path)
{
	const char *slash = strrchr(file, '/');

	if (*path == '/')
		return claw_strdup(path);
	return slash ? claw_format("%.*s/%s", (int)(slash - file), file, path) :
		       claw_format("./%s", path);
}

char *claw_suite_find_program(const char *file, const char *name)
{
	char own[PATH_MAX], path[5][2 * PATH_MAX], *beside;
	char *found = NULL;

	claw_own_directory(own, sizeof(own));
	beside = claw_suite_path_beside(file, name);
	snprintf(path[0], sizeof(path[0]), "%s", beside);
	free(beside);
	snprintf(path[1], sizeof(path[1]), "%s/suites/%s", own, name);
	snprintf(path[2], sizeof(path[2]), "%s/%s", own, name);
	snprintf(path[3], sizeof(path[3]), "%s/../libexec/openclaw/suites/%s",
		 own, name);
	snprintf(path[4], sizeof(path[4]), "%s/suites/%s", CLAW_PKGLIBEXECDIR,
		 name);
	for (size_t i = 0; i < (strchr(name, '/') ? 1 : 5) && !found; i++) {
		struct stat status;

		/* It may be started in another directory. */
		if (access(path[i], X_OK) == 0 && stat(path[i], &status) == 0 &&
		    S_ISREG(status.st_mode))
			found = realpath(path[i], NULL);
	}
	return found;
}
