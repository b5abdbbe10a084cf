/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The next frame is written into the array that the upload of this one still
 * reads. No error, now and then a frame with parts of two, on every driver.
 */
#include "lifetime.h"

int main(void)
{
	struct setup cl = open_device();
	cl_event gate = new_gate(&cl);
	cl_mem mem = new_ints(&cl);
	cl_int frame[ITEMS] = { 1 }, got = 0;

	/* PLANTED: late write of what is changed */
	must(clEnqueueWriteBuffer(cl.queue, mem, CL_FALSE, 0, BYTES, frame, 1,
				  &gate, NULL));
#ifdef PLANTED
	/* HOST: changed */
	frame[0] = 2;
	open_gate(gate);
	must(clFinish(cl.queue));
#else
	open_gate(gate);
	must(clFinish(cl.queue));
	frame[0] = 2;
#endif
	must(clEnqueueReadBuffer(cl.queue, mem, CL_TRUE, 0, sizeof(got), &got,
				 0, NULL, NULL));
#ifndef PLANTED
	expect(got, 1);
#endif
	must(clReleaseMemObject(mem));
	close_device(&cl);
	return 0;
}
