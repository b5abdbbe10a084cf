/* SPDX-License-Identifier: Apache-2.0 */
/* Sums of counters: see coverage_private.h. */
#include "config.h"

#include "coverage_private.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"

static void insert(struct claw_sum *sum, size_t at, unsigned int counter,
		   int times)
{
	struct claw_sum_term *grown = claw_grow(sum->terms, sum->count + 1,
						sizeof(*grown));
	sum->terms = grown;
	memmove(&grown[at + 1], &grown[at], (sum->count - at) * sizeof(*grown));
	grown[at].counter = counter;
	grown[at].times = times;
	sum->count++;
}

static void take_out(struct claw_sum *sum, size_t at)
{
	sum->count--;
	memmove(&sum->terms[at], &sum->terms[at + 1],
		(sum->count - at) * sizeof(*sum->terms));
}

void claw_sum_add_counter(struct claw_sum *sum, unsigned int counter, int times)
{
	size_t low = 0, high = sum->count;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (sum->terms[middle].counter < counter)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == sum->count || sum->terms[low].counter != counter) {
		insert(sum, low, counter, times);
		return;
	}
	sum->terms[low].times += times;
	if (sum->terms[low].times == 0)
		take_out(sum, low);
}

void claw_sum_add(struct claw_sum *sum, const struct claw_sum *other, int times)
{
	for (size_t i = 0; i < other->count; i++)
		claw_sum_add_counter(sum, other->terms[i].counter,
				     other->terms[i].times * times);
}

/* All that are added, then all that are taken away. */
static bool write_sign(const struct claw_sum *sum, int sign, bool as_bits,
		       bool first, FILE *out)
{
	for (size_t i = 0; i < sum->count; i++) {
		int times = sum->terms[i].times * sign;

		for (; times > 0; times = as_bits ? 0 : times - 1) {
			fprintf(out, "%s%u", sign < 0 ? "-" : first ? "" : "+",
				sum->terms[i].counter);
			first = false;
		}
	}
	return first;
}

void claw_sum_write(const struct claw_sum *sum, bool as_bits, FILE *out)
{
	if (write_sign(sum, 1, as_bits, true, out))
		fputs("0-0", out);
	if (!as_bits)
		write_sign(sum, -1, false, false, out);
}

void claw_sum_release(struct claw_sum *sum)
{
	free(sum->terms);
	memset(sum, 0, sizeof(*sum));
}
