/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Each step hands its event to the next. A command that was not taken has
 * none, and the variable still has that of the step before.
 * EXPECT: swallowed clEnqueueCopyBuffer oom
 */
#include "sweep.h"

int main(void)
{
	struct setup cl = open_cl();
	cl_mem in = make_buffer(&cl, BYTES), out = make_buffer(&cl, BYTES);
	cl_int values[ITEMS], back[ITEMS] = { 0 }, err;
	cl_event written, event;

	count_up(values);
	write_ints(&cl, out, back);
	must(clEnqueueWriteBuffer(cl.queue, in, CL_TRUE, 0, BYTES, values, 0,
				  NULL, &written));
	event = written;
	err = clEnqueueCopyBuffer(cl.queue, in, out, 0, 0, BYTES, 1, &written,
				  &event);
	/* PLANTED: the wait below is to find it out */
#ifndef PLANTED
	must(err);
#endif
	(void)err;
	must(clWaitForEvents(1, &event));
	read_ints(&cl, out, back);
	print_result(sum_of(back, ITEMS));
	if (event != written)
		must(clReleaseEvent(event));
	must(clReleaseEvent(written));
	must(clReleaseMemObject(in));
	must(clReleaseMemObject(out));
	close_cl(&cl);
	return 0;
}
