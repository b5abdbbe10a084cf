/* SPDX-License-Identifier: Apache-2.0 */
/* Sizes and durations, as options, suites and device models have them. */
#ifndef CLAW_QUANTITY_H
#define CLAW_QUANTITY_H

#include <stdint.h>

/* Each returns 0 or -CLAW_E_SYNTAX; the units are those of units.h. */

/* Digits and a point, and what is behind them. */
int claw_quantity_number(const char *text, double *ret_number,
			 const char **ret_unit);

/* Whole bytes, at most 2^53, with a unit: "2GiB". */
int claw_size_parse(const char *text, uint64_t *ret_bytes);

/* "500ms", "1.5s", "24h", or seconds: "30"; parts of a ms count as one. At most
 * 285,000 years. */
int claw_duration_parse(const char *text, uint64_t *ret_ms);

/* With a unit: "250us". */
int claw_duration_ns_parse(const char *text, uint64_t *ret_ns);

#endif
