/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The callback of a finished read makes the buffer for the next frame, and the
 * one before it is not released. It is made on a thread of the driver's, so
 * the stack shows nothing of main.
 */
#include <semaphore.h>

#include "lifetime.h"

static struct setup cl;
static cl_mem next;
static sem_t called;

static void CL_CALLBACK prepare_next(cl_event event, cl_int status,
				     void *nothing)
{
	cl_mem old = next;
	cl_int err;

	(void)event, (void)status, (void)nothing;
	/* PLANTED: leak buffer */
	next = clCreateBuffer(cl.context, CL_MEM_READ_WRITE, BYTES, NULL,
			      &err);
	must(err);
#ifdef PLANTED
	(void)old;
#else
	if (old)
		must(clReleaseMemObject(old));
#endif
	sem_post(&called);
}

static void read_frame(cl_mem mem)
{
	cl_event gate = new_gate(&cl), done;
	cl_int values[ITEMS];

	must(clEnqueueReadBuffer(cl.queue, mem, CL_FALSE, 0, BYTES, values, 1,
				 &gate, &done));
	/* Not yet complete, or it would be called here. */
	must(clSetEventCallback(done, CL_COMPLETE, prepare_next, NULL));
	open_gate(gate);
	must(clFinish(cl.queue));
	sem_wait(&called);
	must(clReleaseEvent(done));
}

int main(void)
{
	cl_mem mem;

	cl = open_device();
	mem = new_ints(&cl);
	sem_init(&called, 0, 0);
	for (int frame = 0; frame < ROUNDS; frame++)
		read_frame(mem);
	must(clReleaseMemObject(next));
	must(clReleaseMemObject(mem));
	close_device(&cl);
	return 0;
}
