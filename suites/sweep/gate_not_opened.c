/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A copy waits behind a gate. When what comes after it fails, the function
 * returns before it opens the gate, and the end waits for the queue.
 * EXPECT: hang clEnqueueMarkerWithWaitList oom
 */
#include "sweep.h"

static cl_int copy_gated(const struct setup *cl, cl_mem in, cl_mem out)
{
	cl_int err, opened;
	cl_event gate = clCreateUserEvent(cl->context, &err);

	have(gate, err);
	err = clEnqueueCopyBuffer(cl->queue, in, out, 0, 0, BYTES, 1, &gate,
				  NULL);
	if (err == CL_SUCCESS)
		err = clEnqueueMarkerWithWaitList(cl->queue, 0, NULL, NULL);
#ifdef PLANTED
	/* PLANTED: what waits for the gate waits for ever */
	if (err != CL_SUCCESS)
		return err;
#endif
	/* With the gate shut no clean end is possible. */
	opened = clSetUserEventStatus(gate, CL_COMPLETE);
	if (opened != CL_SUCCESS)
		_Exit(failed("the gate", opened));
	must(clReleaseEvent(gate));
	return err;
}

int main(void)
{
	struct setup cl = open_cl();
	cl_mem in = make_buffer(&cl, BYTES), out = make_buffer(&cl, BYTES);
	cl_int values[ITEMS], back[ITEMS] = { 0 }, err;

	count_up(values);
	write_ints(&cl, in, values);
	err = copy_gated(&cl, in, out);
	must(clFinish(cl.queue));
	if (err != CL_SUCCESS)
		return failed("the copy", err);
	read_ints(&cl, out, back);
	print_result(sum_of(back, ITEMS));
	must(clReleaseMemObject(in));
	must(clReleaseMemObject(out));
	close_cl(&cl);
	return 0;
}
