/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The way out of an error forgets the lock; the second try waits for it.
 * EXPECT: hang clEnqueueWriteBuffer oom
 */
#include <pthread.h>

#include "sweep.h"

static pthread_mutex_t queue_lock = PTHREAD_MUTEX_INITIALIZER;

static cl_int upload(const struct setup *cl, cl_mem mem, const cl_int *values)
{
	cl_int err;

	pthread_mutex_lock(&queue_lock);
	err = try_write(cl, mem, values);
	if (err != CL_SUCCESS) {
		/* PLANTED: with the lock in hand */
#ifndef PLANTED
		pthread_mutex_unlock(&queue_lock);
#endif
		return err;
	}
	pthread_mutex_unlock(&queue_lock);
	return CL_SUCCESS;
}

int main(void)
{
	struct setup cl = open_cl();
	cl_mem mem = make_buffer(&cl, BYTES);
	cl_int values[ITEMS], back[ITEMS] = { 0 };

	count_up(values);
	if (upload(&cl, mem, values) != CL_SUCCESS)
		must(upload(&cl, mem, values));
	read_ints(&cl, mem, back);
	print_result(sum_of(back, ITEMS));
	must(clReleaseMemObject(mem));
	close_cl(&cl);
	return 0;
}
