/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A worker ends the event that others wait for, with an error if it must; the
 * one who polls knows only one way for it to end.
 * EXPECT: hang clEnqueueWriteBuffer oom
 */
#include <pthread.h>
#include <time.h>

#include "sweep.h"

struct job {
	struct setup cl;
	cl_mem mem;
	cl_event ready;
};

static void *work(void *user)
{
	struct job *job = user;
	cl_int values[ITEMS], err, set;

	count_up(values);
	err = try_write(&job->cl, job->mem, values);
	set = clSetUserEventStatus(job->ready,
				   err == CL_SUCCESS ? CL_COMPLETE : err);
	if (set != CL_SUCCESS)		/* nobody would ever know */
		_Exit(failed("to tell", set));
	return NULL;
}

static cl_int poll_for(cl_event event)
{
	const struct timespec pause = { .tv_nsec = 20000 };
	cl_int status = CL_SUBMITTED;

	while (status != CL_COMPLETE) {
		nanosleep(&pause, NULL);
		must(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS,
				    sizeof(status), &status, NULL));
		/* PLANTED: a status below 0 is an end, too */
#ifndef PLANTED
		if (status < 0)
			return status;
#endif
	}
	return CL_SUCCESS;
}

int main(void)
{
	struct job job = { .cl = open_cl() };
	cl_int back[ITEMS] = { 0 }, err;
	pthread_t thread;

	job.mem = make_buffer(&job.cl, BYTES);
	job.ready = clCreateUserEvent(job.cl.context, &err);
	have(job.ready, err);
	need(pthread_create(&thread, NULL, work, &job) == 0, "a thread");
	err = poll_for(job.ready);
	pthread_join(thread, NULL);
	if (err != CL_SUCCESS)
		return failed("the worker", err);
	read_ints(&job.cl, job.mem, back);
	print_result(sum_of(back, ITEMS));
	must(clReleaseEvent(job.ready));
	must(clReleaseMemObject(job.mem));
	close_cl(&job.cl);
	return 0;
}
