/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One array is the source of a write and the destination of the read behind
 * it, in one queue; two queues fill its two halves, by rows; a thread reads
 * into an array of main's frame; its memory is freed after a question that
 * said "complete". All of it in order.
 */
#include <pthread.h>

#include "lifetime.h"

enum { ROWS = 16, ROW = BYTES / ROWS };

static struct setup cl;
static cl_mem mem;

static void *read_all(void *values)
{
	must(clEnqueueReadBuffer(cl.queue, mem, CL_FALSE, 0, BYTES, values, 0,
				 NULL, NULL));
	must(clFlush(cl.queue));
	return NULL;
}

static void read_columns(cl_command_queue queue, size_t column, void *values)
{
	const size_t from[3] = { column, 0, 0 };
	const size_t region[3] = { ROW / 2, ROWS, 1 };

	must(clEnqueueReadBufferRect(queue, mem, CL_FALSE, from, from, region,
				     ROW, 0, ROW, 0, values, 0, NULL, NULL));
}

static void wait_by_asking(cl_event event)
{
	cl_int status = CL_QUEUED;

	while (status > CL_COMPLETE)
		must(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS,
				    sizeof(status), &status, NULL));
}

int main(void)
{
	cl_int *values = malloc(BYTES), in_frame[ITEMS] = { 1 };
	cl_command_queue second;
	pthread_t thread;
	cl_event done;

	if (!values)
		return FAILED;
	cl = open_device();
	second = new_queue(&cl);
	mem = new_ints(&cl);
	expect(pthread_create(&thread, NULL, read_all, in_frame), 0);
	pthread_join(thread, NULL);
	must(clFinish(cl.queue));
	expect(in_frame[0], 0);

	read_columns(cl.queue, 0, values);
	read_columns(second, ROW / 2, values);
	must(clFinish(cl.queue));
	must(clFinish(second));
	expect(values[ITEMS - 1], 0);

	memset(values, 1, BYTES);
	must(clEnqueueWriteBuffer(cl.queue, mem, CL_FALSE, 0, BYTES, values, 0,
				  NULL, NULL));
	must(clEnqueueFillBuffer(cl.queue, mem, &(cl_int){ 7 }, sizeof(cl_int),
				 0, BYTES, 0, NULL, NULL));
	must(clEnqueueReadBuffer(cl.queue, mem, CL_FALSE, 0, BYTES, values, 0,
				 NULL, &done));
	must(clFlush(cl.queue));
	wait_by_asking(done);
	expect(values[0], 7);
	free(values);
	must(clReleaseEvent(done));
	must(clReleaseMemObject(mem));
	must(clReleaseCommandQueue(second));
	close_device(&cl);
	return 0;
}
