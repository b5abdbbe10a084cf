/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How often something ran, as a sum of counters: "3+4-5". In hit mode a counter
 * is a bit, and nothing is ever taken away.
 */
#ifndef CLAW_INSTRUMENT_COVERAGE_SUMS_H
#define CLAW_INSTRUMENT_COVERAGE_SUMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct claw_sum_term {
	unsigned int counter;
	int times;
};

/* All zeroes: nothing ever. Terms are in the order of their counters. */
struct claw_sum {
	struct claw_sum_term *terms;
	size_t count;
};

void claw_sum_add_counter(struct claw_sum *sum, unsigned int counter, int times);
void claw_sum_add(struct claw_sum *sum, const struct claw_sum *other, int times);
/* "3+4-5"; as bits: each counter once. */
void claw_sum_write(const struct claw_sum *sum, bool as_bits, FILE *out);
void claw_sum_release(struct claw_sum *sum);

#endif
