/* SPDX-License-Identifier: Apache-2.0 */
/* The coverage of a suite: that of its cases. */
#include "config.h"

#include "run_coverage.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/memory.h"
#include "harness/base/paths.h"

uint32_t claw_test_coverage_mode(const char *word)
{
	if (!*word || strcmp(word, "hit") == 0)
		return CLAW_PROBE_HIT;
	return strcmp(word, "count") == 0 ? CLAW_PROBE_COUNT : 0;
}

/* Of our own suites. */
static void add_kernels(struct claw_coverage *coverage)
{
	const char *named = getenv("OPENCLAW_KERNELS");
	char *kernels = named ? claw_strdup(named) : claw_data_path("kernels");

	if (kernels)
		claw_source_finder_add(coverage->finder, kernels);
	free(kernels);
}

/* Beside its suite's description there may be its kernels. */
static void add_folder_of(struct claw_coverage *coverage, const char *file)
{
	char *folder = claw_strdup(file), *slash = strrchr(folder, '/');

	if (slash && slash > folder) {
		*slash = '\0';
		claw_source_finder_add(coverage->finder, folder);
	}
	free(folder);
}

void claw_test_coverage_init(struct claw_coverage *coverage,
			     const char *directory, const char *root)
{
	char here[PATH_MAX];

	claw_coverage_init(coverage, directory);
	if (getcwd(here, sizeof(here)))
		claw_source_finder_add(coverage->finder, here);
	if (root)
		claw_source_finder_add(coverage->finder, root);
	add_kernels(coverage);
}

int claw_test_coverage_add(struct claw_coverage *coverage,
			   const struct claw_test_try *try)
{
	const struct claw_suite_case *about = try->what->about;
	const struct claw_suite *suite = try->what->suite;

	if (!try->session)
		return 0;
	/* Its kernels are those of its own file. */
	if (about->kind == CLAW_CASE_CLW && about->source)
		claw_source_finder_add(coverage->finder, about->source);
	if (about->kind == CLAW_CASE_CLW)
		claw_source_finder_add(coverage->finder, about->file);
	else if (suite->file)
		add_folder_of(coverage, suite->file);
	return claw_coverage_add(coverage, try->session);
}
