/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The memory of a pending read is used by later commands of the same queue: as
 * the source of a write, as the destination of reads of all of it, of a part,
 * of more than it. The program waits once, for all. Its neighbours in the same
 * pages it may use at any time.
 * Options: --early-loads
 */
#include "lifetime.h"

enum { HALF = LARGE / 2, INTS = LARGE / sizeof(cl_int) };

static cl_event new_event_gate(const struct setup *cl, bool is_held)
{
	return is_held ? new_gate(cl) : NULL;
}

static void run(const struct setup *cl, bool is_held)
{
	cl_mem ones = new_large(cl, 1), twos = new_large(cl, 2);
	cl_event gate = new_event_gate(cl, is_held);
	cl_int *memory = (cl_int *)calloc(1, 3 * LARGE);
	cl_int *values, back[4];

	need(memory != NULL, "memory");
	values = memory + 1;		/* not where a page begins */
	must(clEnqueueReadBuffer(cl->queue, ones, CL_FALSE, 0, LARGE, values,
				 gate ? 1 : 0, gate ? &gate : NULL, NULL));
	/* It goes on where the read is done: 1 in the second half of twos. */
	must(clEnqueueWriteBuffer(cl->queue, twos, CL_FALSE, HALF, HALF,
				  values, 0, NULL, NULL));
	must(clEnqueueReadBuffer(cl->queue, twos, CL_FALSE, 0, LARGE, values,
				 0, NULL, NULL));
	must(clEnqueueReadBuffer(cl->queue, ones, CL_FALSE, 0, HALF,
				 values + INTS / 4, 0, NULL, NULL));
	must(clEnqueueReadBuffer(cl->queue, twos, CL_FALSE, 0, LARGE,
				 values + INTS / 2, 0, NULL, NULL));
	memory[0] = 7;
	memory[1 + INTS + INTS / 2] = 8;
	if (gate)
		open_gate(gate);
	must(clFinish(cl->queue));
	expect(memory[0], 7);
	expect(memory[1 + INTS + INTS / 2], 8);
	for (size_t i = 0; i < INTS + INTS / 2; i++)
		expect(values[i], i < INTS / 4 ? 2 : i < INTS / 2 ? 1 :
		       i < INTS ? 2 : 1);
	must(clEnqueueReadBuffer(cl->queue, twos, CL_TRUE, HALF, sizeof(back),
				 back, 0, NULL, NULL));
	expect(back[3], 1);
	free(memory);
	must(clReleaseMemObject(ones));
	must(clReleaseMemObject(twos));
}

int main(void)
{
	struct setup cl = open_device();

	run(&cl, true);
	for (int i = 0; i < ROUNDS; i++)
		run(&cl, false);
	close_device(&cl);
	return 0;
}
