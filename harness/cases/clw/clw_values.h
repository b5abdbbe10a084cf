/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Values of arguments: from the words of a kernel file's header to elements
 * as they lie in device memory (little endian; a vector of 3 takes 4 places).
 */
#ifndef CLAW_CLW_VALUES_H
#define CLAW_CLW_VALUES_H

#include "clw_private.h"

/* "float3"; false when it is no such type. */
bool claw_clw_type_parse(const char *text, size_t length,
			 struct claw_clw_type *ret_type);
/* The names of all types, NULL-terminated, for "did you mean". */
extern const char *const claw_clw_type_names[];

/* Does the word begin as a number does? "1.5", "-inf", "0x1", "true". */
bool claw_clw_is_number(const struct claw_clw_word *word);

/*
 * Read as many numbers as given says, from the cursor on, into arg's count
 * elements; when they are fewer than its components, they are repeated.
 * Sets arg's data.
 */
int claw_clw_read_values(struct claw_clw_reader *reader,
			 struct claw_clw_cursor from, size_t given,
			 struct claw_clw_arg *arg);

/* IEEE 754 binary16, to nearest even. */
uint16_t claw_half_from_double(double value);
double claw_half_to_double(uint16_t half);

#endif
