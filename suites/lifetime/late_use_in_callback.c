/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A callback is given a buffer that it uses when the read is done; main
 * releases the buffer once it has enqueued the read. The read itself is fine:
 * the driver holds its buffers. The callback's copy is too late.
 * Undefined: oclgrind crashes, pocl does it
 */
#include <semaphore.h>

#include "lifetime.h"

static struct setup cl;
static sem_t called;

static void CL_CALLBACK copy_on(cl_event event, cl_int status, void *mem)
{
	const cl_int value = 7;

	(void)event, (void)status;
	/* PLANTED: late use of a released buffer */
	clEnqueueFillBuffer(cl.queue, (cl_mem)mem, &value, sizeof(value), 0,
			    BYTES, 0, NULL, NULL);
	sem_post(&called);
}

int main(void)
{
	cl_int values[ITEMS];
	cl_event done, gate;
	cl_mem mem;

	cl = open_device();
	mem = new_ints(&cl);
	gate = new_gate(&cl);
	sem_init(&called, 0, 0);
	must(clEnqueueReadBuffer(cl.queue, mem, CL_FALSE, 0, BYTES, values, 1,
				 &gate, &done));
	must(clSetEventCallback(done, CL_COMPLETE, copy_on, mem));
#ifdef PLANTED
	/* SECOND: the release */
	must(clReleaseMemObject(mem));
#endif
	open_gate(gate);
	must(clFinish(cl.queue));
	sem_wait(&called);
#ifndef PLANTED
	must(clReleaseMemObject(mem));
#endif
	must(clReleaseEvent(done));
	close_device(&cl);
	return 0;
}
