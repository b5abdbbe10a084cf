/* SPDX-License-Identifier: Apache-2.0 */
/* The clang program that belongs to the libclang we are linked with. */
#ifndef CLAW_INSTRUMENT_CLANG_H
#define CLAW_INSTRUMENT_CLANG_H

#include <stdio.h>

/* The program, and the directory of its own headers; NULL: there is none. */
const char *claw_clang_program(void);
const char *claw_clang_resources(void);
/* Two lines for openclaw doctor, the program and its version; -1: there is
 * none, in one line. */
int claw_clang_tell(void);
/*
 * What a program prints, malloc'ed; NULL: it failed or could not be run. It
 * reads input and runs in directory; what it says to stderr goes to err, a
 * file of its own.
 */
char *claw_clang_run(char **words, const char *input, FILE *err,
		     const char *directory);

#endif
