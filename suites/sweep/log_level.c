/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What fails is logged and gone on from; the log is off where it matters.
 * EXPECT: swallowed clEnqueueCopyBuffer oom
 */
#include "sweep.h"

enum level { QUIET, ERRORS, DEBUG };

static enum level level = QUIET;
static int errors;

static void log_error(const char *what, cl_int err)
{
	if (err == CL_SUCCESS)
		return;
	if (level >= ERRORS)
		fprintf(stderr, "%s: %d\n", what, err);
	errors++;
}

int main(void)
{
	struct setup cl = open_cl();
	cl_mem in = make_buffer(&cl, BYTES), out = make_buffer(&cl, BYTES);
	cl_int values[ITEMS], back[ITEMS] = { 0 };

	if (getenv("SWEEP_DEBUG"))
		level = DEBUG;
	count_up(values);
	write_ints(&cl, out, back);
	write_ints(&cl, in, values);
	log_error("copy", clEnqueueCopyBuffer(cl.queue, in, out, 0, 0, BYTES,
					      0, NULL, NULL));
	read_ints(&cl, out, back);
	/* PLANTED: the errors are counted, and nobody reads the count */
#ifndef PLANTED
	if (errors)
		return failed("something", errors);
#endif
	print_result(sum_of(back, ITEMS));
	must(clReleaseMemObject(in));
	must(clReleaseMemObject(out));
	close_cl(&cl);
	return 0;
}
