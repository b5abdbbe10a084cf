/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Nothing but an event's callback says that the reads are done: main waits for
 * its semaphore, uses what was read, and another queue writes the buffer.
 */
#include <semaphore.h>

#include "lifetime.h"

static sem_t done;

static void CL_CALLBACK tell(cl_event event, cl_int status, void *nothing)
{
	(void)event;
	(void)nothing;
	must(status);
	sem_post(&done);
}

int main(void)
{
	struct setup cl = open_device();
	cl_command_queue second = new_queue(&cl);
	cl_mem mem = new_ints(&cl);

	sem_init(&done, 0, 0);
	for (cl_int i = 1; i <= ROUNDS; i++) {
		cl_int *values = malloc(BYTES);
		cl_event event;

		if (!values)
			return FAILED;
		must(clEnqueueReadBuffer(cl.queue, mem, CL_FALSE, 0, BYTES,
					 values, 0, NULL, &event));
		must(clSetEventCallback(event, CL_COMPLETE, tell, NULL));
		must(clReleaseEvent(event));
		must(clFlush(cl.queue));
		sem_wait(&done);
		expect(values[0], i - 1);
		free(values);
		must(clEnqueueFillBuffer(second, mem, &i, sizeof(i), 0, BYTES,
					 0, NULL, &event));
		must(clSetEventCallback(event, CL_COMPLETE, tell, NULL));
		must(clReleaseEvent(event));
		must(clFlush(second));
		sem_wait(&done);
	}
	must(clReleaseMemObject(mem));
	must(clReleaseCommandQueue(second));
	close_device(&cl);
	return 0;
}
