/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The worker returns what went wrong, and nobody asks for what it returned.
 * EXPECT: swallowed clEnqueueReadBuffer oom
 */
#include <pthread.h>

#include "sweep.h"

struct job {
	struct setup cl;
	int sum;
	cl_int err;
};

static void *work(void *user)
{
	struct job *job = user;
	cl_mem mem = make_buffer(&job->cl, BYTES);
	cl_int values[ITEMS], back[ITEMS];

	count_up(values);
	write_ints(&job->cl, mem, values);
	job->err = try_read(&job->cl, mem, back);
	if (job->err == CL_SUCCESS)
		job->sum = sum_of(back, ITEMS);
	must(clReleaseMemObject(mem));
	return &job->err;
}

int main(void)
{
	struct job job = { .cl = open_cl() };
	pthread_t thread;
	void *result = NULL;

	need(pthread_create(&thread, NULL, work, &job) == 0, "a thread");
#ifdef PLANTED
	/* PLANTED: it has an answer, which is not asked for */
	pthread_join(thread, NULL);
#else
	pthread_join(thread, &result);
	must(*(cl_int *)result);
#endif
	(void)result;
	print_result(job.sum);
	close_cl(&job.cl);
	return 0;
}
