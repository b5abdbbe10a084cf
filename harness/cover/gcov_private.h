/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the two halves of gcov.h share: runs without faults (gcov.c), and each
 * run with some (gcov_job.c).
 */
#ifndef CLAW_GCOV_PRIVATE_H
#define CLAW_GCOV_PRIVATE_H

#include "gcov.h"

/* What a data file says: the lines that no run without faults has run. */
struct claw_gcov_seen {
	char *key;		/* its hash and its path below the directory */
	char *lines;
};

struct claw_gcov {
	char *directory, *wanted;	/* wanted: program, or NULL */
	char *program;
	char **files;		/* of the runs without faults, that can be read,
				 * their paths below the directory */
	struct claw_code_lines lines;
	unsigned int major;	/* of the gcc that built the program */
	size_t left_out;
	bool needs_all;
	char *why;		/* the first reason why something is left out */
	void *seen;		/* tsearch() */
	size_t seen_count;
};

/* gcov's own words before the files' names, added to argv (text_list.h). */
void claw_gcov_begin_argv(const struct claw_gcov *gcov, char ***argv);
void claw_gcov_seen_free(void *seen);

#endif
