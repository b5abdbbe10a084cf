/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The clang program that kernels are preprocessed with, and the headers of the
 * libclang that parses them. openclaw doctor asks here, too.
 */
#ifndef CLAW_INSTRUMENT_CLANG_H
#define CLAW_INSTRUMENT_CLANG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* The program, and the directory of libclang's headers; NULL: there is none. */
const char *claw_clang_program(void);
const char *claw_clang_resources(void);
/* One of both is missing: error says which, and the package that has it. */
bool claw_clang_missing(char *error, size_t error_size);
/*
 * A line for libclang and one for clang, for openclaw doctor, with tabs between
 * the words: "ok", name, file, version; or "missing", name, Debian package.
 * -1: one is missing.
 */
int claw_clang_tell(void);
/*
 * What a program prints, malloc'ed; NULL: it failed or could not be run. It
 * reads input and runs in directory; what it says to stderr goes to err, a
 * file of its own.
 */
char *claw_clang_run(char **words, const char *input, FILE *err,
		     const char *directory);

#endif
