/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The build options of clBuildProgram as words (blanks part them, quotes and
 * backslashes keep them together), and which of them are the preprocessor's.
 */
#ifndef CLAW_INSTRUMENT_OPTIONS_H
#define CLAW_INSTRUMENT_OPTIONS_H

#include <stddef.h>

struct claw_build_options {
	char **words;		/* all, NULL behind the last */
	size_t count;
	const char *standard;	/* "CL1.2" of -cl-std=, or NULL */
};

int claw_build_options_parse(const char *text, struct claw_build_options *options);
void claw_build_options_release(struct claw_build_options *options);
/* How many words from index on are one of the preprocessor's (-D X, -DX, -I, -U,
 * -include): 0, 1, 2. */
size_t claw_build_options_preprocessor(const struct claw_build_options *options,
				       size_t index);

#endif
