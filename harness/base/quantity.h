/* SPDX-License-Identifier: Apache-2.0 */
/* Sizes, as options, suites and device models have them. */
#ifndef CLAW_QUANTITY_H
#define CLAW_QUANTITY_H

#include <stdbool.h>
#include <stdint.h>

/* A number that is not negative, and what is behind it. 0 or
 * -CLAW_E_SYNTAX. */
int claw_quantity_number(const char *text, double *ret_number,
			 const char **ret_unit);

/*
 * A size (units.h) of whole bytes, at most 2^53. bare: a number alone is bytes.
 * Returns 0 or -CLAW_E_SYNTAX.
 */
int claw_size_parse(const char *text, bool bare, uint64_t *ret_bytes);

#endif
