/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Main starts each read and forgets it; the callback of its event releases the
 * buffer, the event and the memory. Nothing is released on the thread that
 * made it.
 */
#include <semaphore.h>

#include "lifetime.h"

struct job {
	cl_mem mem;
	cl_int values[ITEMS];
};

static sem_t ended;

static void CL_CALLBACK end_job(cl_event event, cl_int status, void *data)
{
	struct job *job = (struct job *)data;

	must(status);
	must(clReleaseMemObject(job->mem));
	must(clReleaseEvent(event));
	free(job);
	sem_post(&ended);
}

int main(void)
{
	struct setup cl = open_device();

	sem_init(&ended, 0, 0);
	for (int i = 0; i < ROUNDS; i++) {
		struct job *job = malloc(sizeof(*job));
		cl_event done;

		if (!job)
			return FAILED;
		job->mem = new_ints(&cl);
		must(clEnqueueReadBuffer(cl.queue, job->mem, CL_FALSE, 0,
					 BYTES, job->values, 0, NULL, &done));
		must(clSetEventCallback(done, CL_COMPLETE, end_job, job));
	}
	must(clFinish(cl.queue));
	for (int i = 0; i < ROUNDS; i++)
		sem_wait(&ended);
	close_device(&cl);
	return 0;
}
