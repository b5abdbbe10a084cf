/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a run's coverage becomes in its output directory: coverage.info,
 * cobertura.xml, with lcov's programs the host program's coverage and a page.
 */
#ifndef CLAW_COVERAGE_OUTPUT_H
#define CLAW_COVERAGE_OUTPUT_H

#include "coverage.h"

#define CLAW_COVERAGE_TRACEFILE "coverage.info"
#define CLAW_COVERAGE_COBERTURA "cobertura.xml"
#define CLAW_COVERAGE_HOST "coverage-host.info"
#define CLAW_COVERAGE_PAGE "coverage-html"	/* a folder */

struct claw_coverage_output {
	const char *directory;		/* absolute */
	const char *root;		/* --source-root, absolute, or NULL */
	const char *test_name;		/* lcov's, one word */
	const char *cobertura;		/* a copy goes there, or NULL */
	bool has_host;			/* coverage-host.info is there: it is added */
};

/*
 * Write the files.
 *
 * Returns 0 or -CLAW_E_IO (errno set); what could not be written in
 * reterr_path, malloced.
 */
int claw_coverage_output_write(const struct claw_coverage *coverage,
			       const struct claw_coverage_output *output,
			       char **reterr_path);

/*
 * The host program's coverage: what gcc --coverage left below folder becomes
 * DIRECTORY/coverage-host.info.
 *
 * is_own: folder is what GCOV_PREFIX was; the notes are elsewhere.
 *
 * Returns why there is none, one line, malloced, or NULL: there is.
 */
char *claw_coverage_capture_host(const char *folder, bool is_own,
				 const char *directory);

/* genhtml: DIRECTORY/coverage-html/index.html; baseline: a tracefile, or NULL.
 * Returns as above. */
char *claw_coverage_make_page(const char *directory, const char *baseline,
			      const char *title);

#endif
