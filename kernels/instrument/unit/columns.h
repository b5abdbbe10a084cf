/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Columns of the original text: the preprocessor keeps lines but not what is
 * in them, so the column is where the same tokens are in the original line.
 */
#ifndef CLAW_INSTRUMENT_COLUMNS_H
#define CLAW_INSTRUMENT_COLUMNS_H

#include <stddef.h>

/*
 * The column, from 1, in the original line of what is at [at] of a line of
 * preprocessed text. Both lines end with a newline or NUL. What is behind a
 * macro is found by its name; 1 where it cannot be found.
 */
unsigned int claw_column_find(const char *original, const char *line, size_t at);

#endif
