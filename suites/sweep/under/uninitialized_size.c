/* SPDX-License-Identifier: Apache-2.0 */
/*
 * When a result cannot be read, how much of it is there is looked at before
 * anybody has said so; what is freed then is freed rightly.
 * EXPECT: valgrind host-uninitialized clEnqueueReadBuffer oom-host
 */
#include "../sweep.h"

struct answer {
	cl_int *values;
	size_t count;
};

/* No answer is there yet. */
static __attribute__((noinline)) struct answer *new_answer(void)
{
	struct answer *answer = malloc(sizeof(*answer));

	need(answer && (answer->values = calloc(ITEMS, sizeof(cl_int))),
	     "memory");
#ifndef PLANTED
	answer->count = 0;
#endif
	return answer;
}

static int give_up(struct answer *answer, cl_int err)
{
	/* PLANTED: count was never set */
	if (answer->count > 0)
		fprintf(stderr, "a part of the answer is lost\n");
	free(answer->values);
	return failed("reading", err);
}

int main(void)
{
	struct setup cl = open_cl();
	cl_mem mem = make_buffer(&cl, BYTES);
	struct answer *answer = new_answer();
	int status = 0;
	cl_int err;

	count_up(answer->values);
	write_ints(&cl, mem, answer->values);
	err = try_read(&cl, mem, answer->values);
	if (err == CL_SUCCESS) {
		answer->count = ITEMS;
		print_result(sum_of(answer->values, answer->count));
		free(answer->values);
	} else {
		status = give_up(answer, err);
	}
	free(answer);
	must(clReleaseMemObject(mem));
	close_cl(&cl);
	return status;
}
