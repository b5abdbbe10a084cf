/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A worker compares its half on the device; when it cannot, it says so to the
 * main thread, which does it on the host.
 * EXPECT: leak clEnqueueReadBuffer oom
 */
#include <pthread.h>

#include "sweep.h"

struct job {
	struct setup cl;
	cl_int values[ITEMS];
	int sum;
	bool failed;
};

static void *work(void *user)
{
	struct job *job = user;
	cl_int back[ITEMS];
	cl_mem mem = make_buffer(&job->cl, BYTES);

	write_ints(&job->cl, mem, job->values);
	job->failed = try_read(&job->cl, mem, back) != CL_SUCCESS;
	if (job->failed) {
#ifndef PLANTED
		must(clReleaseMemObject(mem));
#endif
		/* PLANTED: the thread ends, its buffer does not */
		return NULL;
	}
	job->sum = sum_of(back, ITEMS);
	must(clReleaseMemObject(mem));
	return NULL;
}

int main(void)
{
	struct job job = { .cl = open_cl() };
	pthread_t thread;

	count_up(job.values);
	need(pthread_create(&thread, NULL, work, &job) == 0, "a thread");
	pthread_join(thread, NULL);
	if (job.failed)
		job.sum = sum_of(job.values, ITEMS);
	print_result(job.sum);
	close_cl(&job.cl);
	return 0;
}
