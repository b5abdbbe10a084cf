/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a program prints to the standard error that it has of us, where that is
 * a file: read in that file, so that nothing changes for the program. Of a pipe
 * or a terminal nothing can be read without standing in between, which the
 * program, and what it leaves behind when we are gone, would notice.
 */
#ifndef CLAW_ERROR_FILE_H
#define CLAW_ERROR_FILE_H

#include <stdbool.h>
#include <stdint.h>

enum { CLAW_ERROR_FILE_BYTES = 64 << 10 };	/* the last of it */

struct claw_error_file {
	int fd;				/* -1: it is no file */
	bool appends;
	uint64_t start;			/* offset of what comes now */
};

/* Before the program starts. */
void claw_error_file_open(struct claw_error_file *ret_file);
/* What is in it since then, without NUL; malloced, NULL: nothing, or no
 * memory. */
char *claw_error_file_text(const struct claw_error_file *file);
void claw_error_file_close(struct claw_error_file *file);

#endif
