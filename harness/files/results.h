/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compare what two runs of a program produced.
 */
#ifndef CLAW_RESULTS_H
#define CLAW_RESULTS_H

#include <stdbool.h>
#include <stddef.h>

/*
 * The first difference of two files, in words ("standard output, line 3:
 * \"a\" and \"b\""); of files that are no text their sizes, the first byte that
 * differs, and their hashes. A file that is missing differs from one that is
 * there.
 *
 * what: what to call the file.
 * ret_difference: malloced, or NULL when they are the same.
 *
 * Returns 0 or -CLAW_E_IO (errno set).
 */
int claw_results_compare(const char *first, const char *second,
			 const char *what, char **ret_difference);

/* What one run printed: paths of files. */
struct claw_results_output {
	const char *out, *err;
};

/*
 * A line by which the run says that something went wrong, malloced; NULL when
 * there is none. On standard error that is any line that no
 * known run has; on standard output one that complains in words or names a
 * function of OpenCL, or one more line than any known run has; on both a
 * complaint that every known run has less often. Numbers are not compared (timings and results are not something a program says), lines of
 * openclaw's own are left out.
 */
char *claw_results_said(const struct claw_results_output *run,
			const struct claw_results_output *known,
			size_t known_count);

/* The last line of a file that says something, for people; malloced, or NULL. */
char *claw_results_last_line(const char *path);

/* Copy a file. is_input: it is a program's standard input (CLAW_OUTSIDE_INPUT).
 * 0 (also when there is none), or -CLAW_E_IO. */
int claw_results_keep(const char *from, bool is_input, const char *to);

#endif
