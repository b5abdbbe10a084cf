/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What "gcov --json-format --stdout" prints: one JSON document a data file.
 */
#ifndef CLAW_GCOV_READ_H
#define CLAW_GCOV_READ_H

#include "code_lines.h"

/*
 * One document: the data file as it was named, the version of the gcc that
 * gcov belongs to ("12.2.0"), the lines of code in it, but those of the
 * system's headers; sorted, files by their whole paths. The lines live for
 * the call. 0, or what ends the reading.
 */
typedef int claw_gcov_document(void *user, const char *data_file,
			       const char *version,
			       const struct claw_code_lines *lines);

/* 0, -CLAW_E_IO (errno set), -CLAW_E_SYNTAX (not what gcov prints) or what a
 * document gave. */
int claw_gcov_read(const char *path, claw_gcov_document *document, void *user);

#endif
