/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files that others name or write: a program, a record, a dump, a kernel's
 * #line. Opening one never blocks, and only a regular file of a limited size
 * is read: no FIFO, device, socket or directory (/dev/null is an empty file).
 * No other code of the host opens a file for reading
 * (suites/self/unit/check_outside.c).
 *
 * Failures set errno: EISDIR, EINVAL (no regular file), EFBIG (larger than the
 * limit), ELOOP (CLAW_OUTSIDE_OWN), and what open() and read() set.
 */
#ifndef CLAW_OUTSIDE_FILE_H
#define CLAW_OUTSIDE_FILE_H

#include <stdint.h>
#include <stdio.h>

enum {
	CLAW_OUTSIDE_OWN = 1,		/* a symbolic link is refused */
	/* The command line names it: "-", /dev/stdin and /dev/fd/N (what a
	 * shell makes of "<(command)") may be anything. */
	CLAW_OUTSIDE_GIVEN = 2,
	/* It is for a program's standard input: a device may be, and a FIFO
	 * into which somebody writes soon (else ETIMEDOUT). */
	CLAW_OUTSIDE_INPUT = 4,
};

/* The limit of texts; files that are only streamed have another one. */
#define CLAW_OUTSIDE_TEXT_MAX (UINT64_C(1) << 28)
#define CLAW_OUTSIDE_STREAM_MAX (UINT64_C(4) << 30)

/* A descriptor, or -1. */
int claw_outside_open(const char *path, int flags, uint64_t bytes_max);

/* After a failure, for people: what path is where it is no regular file, else
 * strerror(). */
const char *claw_outside_why(const char *path);

/* A stream of at most CLAW_OUTSIDE_TEXT_MAX bytes, or NULL. */
FILE *claw_outside_fopen(const char *path);
/* The same of CLAW_OUTSIDE_STREAM_MAX, for readers of one block at a time. */
FILE *claw_outside_stream(const char *path);
/* The same of CLAW_OUTSIDE_INPUT. */
FILE *claw_outside_input(const char *path);

/* All of a file with a NUL behind it, malloced. 0, -CLAW_E_IO or
 * -CLAW_E_LIMIT (more than bytes_max). */
int claw_outside_read(const char *path, int flags, size_t bytes_max,
		      char **ret_bytes, size_t *ret_size);

/* As getline(), but a line of more bytes than most is most + 1 bytes long,
 * without the others of it. */
ssize_t claw_outside_line(FILE *in, char **line, size_t *room, size_t most);

#endif
