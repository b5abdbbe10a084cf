/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A file that is there whole or not at all. It is written under a name that
 * nobody can foresee and takes its place at the end: a link that somebody has
 * planted there is replaced, not followed. Only what is named and is no file
 * (/dev/stdout, /dev/fd/3, a FIFO with a reader) is written to as it is.
 */
#ifndef CLAW_NEW_FILE_H
#define CLAW_NEW_FILE_H

#include <stdbool.h>
#include <stdio.h>

struct claw_new_file {
	FILE *out;
	char *path, *fresh;		/* fresh: NULL where path is no file */
	struct claw_new_file *next;	/* for itself: another that is written */
};

/* NULL with errno; then there is nothing to end. */
FILE *claw_new_file_begin(struct claw_new_file *file, const char *path);
/* Close it; kept or not. 0, or -CLAW_E_IO (errno set; it is not there). */
int claw_new_file_end(struct claw_new_file *file, bool is_kept);

#endif
