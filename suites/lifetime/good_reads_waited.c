/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every way to know that a non-blocking read is done, each before its first
 * use: a finish, an event, a status that is asked for again and again, times
 * of an event, a blocking command behind it, a callback, a marker, another
 * queue that waited.
 * Options: --early-loads
 */
#include "lifetime.h"

#include <pthread.h>

static struct {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	const cl_int *values;
	cl_int seen;
	bool is_called;
} told = { .lock = PTHREAD_MUTEX_INITIALIZER,
	   .changed = PTHREAD_COND_INITIALIZER };

/* The bytes are there when it is called. */
static void CL_CALLBACK on_read(cl_event event, cl_int status, void *user)
{
	(void)event;
	(void)user;
	pthread_mutex_lock(&told.lock);
	told.seen = status == CL_COMPLETE ? told.values[LARGE / 8] : -1;
	told.is_called = true;
	pthread_cond_signal(&told.changed);
	pthread_mutex_unlock(&told.lock);
}

static cl_int *values;

static cl_event read_values(cl_command_queue queue, cl_mem mem)
{
	cl_event done;

	/* All of it was looked at and waited for: it may be written to. */
	memset(values, 0, LARGE);
	must(clEnqueueReadBuffer(queue, mem, CL_FALSE, 0, LARGE, values, 0,
				 NULL, &done));
	return done;
}

/* From the first byte to the last. */
static void end_reading(cl_event done, cl_int value)
{
	for (size_t i = 0; i < LARGE / sizeof(value); i++)
		expect(values[i], value);
	must(clReleaseEvent(done));
}

static void poll(cl_event done)
{
	cl_int status = CL_QUEUED;

	while (status > CL_COMPLETE)
		must(clGetEventInfo(done, CL_EVENT_COMMAND_EXECUTION_STATUS,
				    sizeof(status), &status, NULL));
	expect(status, CL_COMPLETE);
}

static void call_back(cl_command_queue queue, cl_event done)
{
	told.values = values;
	must(clSetEventCallback(done, CL_COMPLETE, on_read, NULL));
	must(clFlush(queue));
	pthread_mutex_lock(&told.lock);
	while (!told.is_called)
		pthread_cond_wait(&told.changed, &told.lock);
	pthread_mutex_unlock(&told.lock);
}

int main(void)
{
	struct setup cl = open_device();
	cl_command_queue other = new_queue(&cl);
	cl_mem mem = new_large(&cl, 5);
	cl_event done, marker;
	cl_int one;

	values = (cl_int *)malloc(LARGE);
	need(values != NULL, "memory");
	done = read_values(cl.queue, mem);
	must(clFinish(cl.queue));
	end_reading(done, 5);
	done = read_values(cl.queue, mem);
	must(clWaitForEvents(1, &done));
	end_reading(done, 5);
	done = read_values(cl.queue, mem);
	must(clFlush(cl.queue));
	poll(done);
	end_reading(done, 5);
	done = read_values(cl.queue, mem);
	must(clEnqueueReadBuffer(cl.queue, mem, CL_TRUE, 0, sizeof(one), &one,
				 0, NULL, NULL));
	end_reading(done, 5);
	done = read_values(cl.queue, mem);
	call_back(cl.queue, done);
	expect(told.seen, 5);
	end_reading(done, 5);
	done = read_values(cl.queue, mem);
	must(clEnqueueMarkerWithWaitList(other, 1, &done, &marker));
	must(clFlush(cl.queue));
	must(clFinish(other));
	must(clReleaseEvent(marker));
	end_reading(done, 5);
	must(clReleaseCommandQueue(other));
	must(clReleaseMemObject(mem));
	free(values);
	close_device(&cl);
	return 0;
}
