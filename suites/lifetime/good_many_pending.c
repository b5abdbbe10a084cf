/* SPDX-License-Identifier: Apache-2.0 */
/*
 * More commands and callbacks under way than any tool keeps: all wait for one
 * event, and are right. Then more queues than that, one after another.
 */
#include <semaphore.h>

#include "lifetime.h"

enum { QUEUES = 60, COMMANDS = 200, CALLBACKS = 5000, SHORT_LIVED = 100 };

static sem_t told;

static void CL_CALLBACK tell(cl_event event, cl_int status, void *nothing)
{
	(void)event;
	(void)status;
	(void)nothing;
	sem_post(&told);
}

/* Behind many callbacks that do not come yet, one that says that a read is
 * done. */
static void use_callbacks(const struct setup *cl)
{
	cl_command_queue queue = new_queue(cl);
	cl_event gate = new_gate(cl), later, done;
	cl_int *values = malloc(BYTES);
	cl_mem mem = new_ints(cl);

	if (!values)
		exit(FAILED);
	must(clEnqueueMarkerWithWaitList(queue, 1, &gate, &later));
	for (int i = 0; i < CALLBACKS; i++)
		must(clSetEventCallback(later, CL_COMPLETE, tell, NULL));
	must(clEnqueueReadBuffer(cl->queue, mem, CL_FALSE, 0, BYTES, values, 0,
				 NULL, &done));
	must(clSetEventCallback(done, CL_COMPLETE, tell, NULL));
	must(clFlush(cl->queue));
	sem_wait(&told);
	free(values);
	open_gate(gate);
	must(clFinish(queue));
	for (int i = 0; i < CALLBACKS; i++)
		sem_wait(&told);
	must(clReleaseEvent(later));
	must(clReleaseEvent(done));
	must(clReleaseMemObject(mem));
	must(clReleaseCommandQueue(queue));
}

/* Each writes behind the one before, which is released already. */
static void use_short_lived(const struct setup *cl)
{
	cl_mem mem = new_ints(cl);
	cl_event last = new_gate(cl), next;
	cl_int got = 0;

	must(clSetUserEventStatus(last, CL_COMPLETE));
	for (cl_int i = 0; i < SHORT_LIVED; i++) {
		cl_command_queue queue = new_queue(cl);

		must(clEnqueueFillBuffer(queue, mem, &i, sizeof(i), 0, BYTES, 1,
					 &last, &next));
		must(clReleaseEvent(last));
		last = next;
		must(clReleaseCommandQueue(queue));
	}
	must(clEnqueueReadBuffer(cl->queue, mem, CL_TRUE, 0, sizeof(got), &got,
				 1, &last, NULL));
	expect(got, SHORT_LIVED - 1);
	must(clReleaseEvent(last));
	must(clReleaseMemObject(mem));
}

int main(void)
{
	struct setup cl = open_device();
	cl_event gate = new_gate(&cl), last[QUEUES];
	cl_command_queue queues[QUEUES];
	cl_int *values = calloc(QUEUES, BYTES);
	cl_mem mems[QUEUES];

	if (!values)
		return FAILED;
	sem_init(&told, 0, 0);
	for (int i = 0; i < QUEUES; i++) {
		queues[i] = new_queue(&cl);
		mems[i] = new_ints(&cl);
		must(clEnqueueMarkerWithWaitList(queues[i], 1, &gate, NULL));
		for (cl_int j = 0; j < COMMANDS; j++)
			must(clEnqueueFillBuffer(queues[i], mems[i], &j,
						 sizeof(j), 0, BYTES, 0, NULL,
						 NULL));
		must(clEnqueueReadBuffer(queues[i], mems[i], CL_FALSE, 0, BYTES,
					 values + i * ITEMS, i ? 1 : 0,
					 i ? &last[i - 1] : NULL, &last[i]));
	}
	open_gate(gate);
	use_callbacks(&cl);
	for (int i = 0; i < QUEUES; i++)
		must(clFinish(queues[i]));
	for (int i = 0; i < QUEUES; i++) {
		expect(values[i * ITEMS], COMMANDS - 1);
		must(clReleaseEvent(last[i]));
		must(clReleaseMemObject(mems[i]));
	}
	free(values);
	for (int i = 0; i < QUEUES; i++)
		must(clReleaseCommandQueue(queues[i]));
	use_short_lived(&cl);
	close_device(&cl);
	return 0;
}
