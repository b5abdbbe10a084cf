/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A callback at CL_RUNNING is taken for the end: the read has only begun when
 * its memory is uploaded by another queue.
 * Needs: a driver that calls back at CL_RUNNING and says so
 */
#include <semaphore.h>

#include "lifetime.h"

static sem_t called;
static cl_int told;

static void CL_CALLBACK tell(cl_event event, cl_int status, void *nothing)
{
	(void)event;
	(void)nothing;
	told = status;
	sem_post(&called);
}

int main(void)
{
	struct setup cl = open_device();
	cl_command_queue second = new_queue(&cl);
	cl_mem from = new_ints(&cl), to = new_ints(&cl);
	cl_int values[ITEMS] = { 0 };
	cl_event gate = new_gate(&cl), done;
#ifdef PLANTED
	const cl_int status = CL_RUNNING;
#else
	const cl_int status = CL_COMPLETE;
#endif

	sem_init(&called, 0, 0);
	/* SECOND: the read */
	must(clEnqueueReadBuffer(cl.queue, from, CL_FALSE, 0, BYTES, values, 1,
				 &gate, &done));
	must(clSetEventCallback(done, status, tell, NULL));
	open_gate(gate);
	must(clFlush(cl.queue));
	sem_wait(&called);
	need(told == status, "a callback at CL_RUNNING");
	/* PLANTED: late wait for a read */
	must(clEnqueueWriteBuffer(second, to, CL_TRUE, 0, BYTES, values, 0,
				  NULL, NULL));
	must(clFinish(cl.queue));
	must(clReleaseEvent(done));
	must(clReleaseMemObject(from));
	must(clReleaseMemObject(to));
	must(clReleaseCommandQueue(second));
	close_device(&cl);
	return 0;
}
