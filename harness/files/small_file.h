/* SPDX-License-Identifier: Apache-2.0 */
/* Small files that a kernel makes up as they are read (/proc, /sys). */
#ifndef CLAW_SMALL_FILE_H
#define CLAW_SMALL_FILE_H

#include <stdbool.h>
#include <stddef.h>

/* The begin of a file, ended by a NUL, without a newline at the end; the path
 * is a format. False with errno: it cannot be read. */
bool claw_small_file_read(char *text, size_t size, const char *path, ...)
	__attribute__((format(printf, 3, 4)));

/* The number that such a file begins with, NAN: it has none. */
double claw_small_file_number(const char *path, ...)
	__attribute__((format(printf, 1, 2)));

/* The number behind "KEY:" at the begin of a line, NAN: there is none. */
double claw_small_file_field(const char *text, const char *key);

#endif
