/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The worker says when it is ready; when it cannot be, it ends without a
 * word, and the main thread waits for one.
 * EXPECT: hang clEnqueueWriteBuffer oom
 */
#include <pthread.h>
#include <semaphore.h>

#include "sweep.h"

struct job {
	struct setup cl;
	cl_mem mem;
	sem_t ready;
	cl_int err;
};

static void *work(void *user)
{
	struct job *job = user;
	cl_int values[ITEMS];

	count_up(values);
	job->err = try_write(&job->cl, job->mem, values);
#ifdef PLANTED
	/* PLANTED: nobody posts */
	if (job->err != CL_SUCCESS)
		return NULL;
#endif
	sem_post(&job->ready);
	return NULL;
}

int main(void)
{
	struct job job = { .cl = open_cl() };
	cl_int back[ITEMS] = { 0 };
	pthread_t thread;

	job.mem = make_buffer(&job.cl, BYTES);
	sem_init(&job.ready, 0, 0);
	need(pthread_create(&thread, NULL, work, &job) == 0, "a thread");
	sem_wait(&job.ready);
	pthread_join(thread, NULL);
	must(job.err);
	read_ints(&job.cl, job.mem, back);
	print_result(sum_of(back, ITEMS));
	must(clReleaseMemObject(job.mem));
	close_cl(&job.cl);
	return 0;
}
