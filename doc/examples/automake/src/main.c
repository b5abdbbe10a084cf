/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vadd [N]: adds the vectors 0, 1, 2 ... N-1 and 0, 2, 4 ..., and prints the
 * last element of the sum.
 */
#include "vadd.h"

#include <stdio.h>
#include <stdlib.h>

static int print_sum(const float *a, const float *b, float *sum, size_t count)
{
	struct vadd *vadd;
	enum vadd_status status = vadd_open(&vadd);

	if (status == VADD_OK) {
		status = vadd_run(vadd, a, b, sum, count);
		if (status == VADD_OK && vadd_piece(vadd) < count)
			fprintf(stderr, "vadd: little memory: in pieces of "
				"%zu\n", vadd_piece(vadd));
		vadd_close(vadd);
	}
	if (status != VADD_OK) {
		fprintf(stderr, "vadd: %s\n", vadd_status_text(status));
		return 1;
	}
	printf("%.1f\n", sum[count - 1]);
	return 0;
}

int main(int argc, char **argv)
{
	size_t count = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000;
	float *a = calloc(count, sizeof(*a));
	float *b = calloc(count, sizeof(*b));
	float *sum = calloc(count, sizeof(*sum));
	int status = 1;

	if (!count || !a || !b || !sum) {
		fprintf(stderr, "vadd: expected a number of elements from 1 "
			"to what fits into memory\n");
	} else {
		for (size_t i = 0; i < count; i++) {
			a[i] = (float)i;
			b[i] = (float)(2 * i);
		}
		status = print_sum(a, b, sum, count);
	}
	free(a);
	free(b);
	free(sum);
	return status;
}
