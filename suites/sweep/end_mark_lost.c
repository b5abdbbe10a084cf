/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A producer hands parts to a consumer through a list and ends with a mark.
 * When it cannot go on, it sends no mark.
 * EXPECT: hang clEnqueueReadBuffer oom
 */
#include <pthread.h>

#include "sweep.h"

enum { PARTS = 4, PART_ITEMS = ITEMS / PARTS, END = -1, BROKEN = -2 };

struct list {
	struct setup cl;
	cl_mem mem;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	int sums[PARTS + 1];
	int count;
};

static void put(struct list *list, int sum)
{
	pthread_mutex_lock(&list->lock);
	list->sums[list->count++] = sum;
	pthread_cond_signal(&list->changed);
	pthread_mutex_unlock(&list->lock);
}

static void *produce(void *user)
{
	struct list *list = user;

	for (size_t i = 0; i < PARTS; i++) {
		cl_int part[PART_ITEMS];

		if (clEnqueueReadBuffer(list->cl.queue, list->mem, CL_TRUE,
					i * sizeof(part), sizeof(part), part,
					0, NULL, NULL) != CL_SUCCESS) {
			/* PLANTED: and the consumer? */
#ifndef PLANTED
			put(list, BROKEN);
#endif
			return NULL;
		}
		put(list, sum_of(part, PART_ITEMS));
	}
	put(list, END);
	return NULL;
}

static int take(struct list *list, int index)
{
	int sum;

	pthread_mutex_lock(&list->lock);
	while (list->count <= index)
		pthread_cond_wait(&list->changed, &list->lock);
	sum = list->sums[index];
	pthread_mutex_unlock(&list->lock);
	return sum;
}

int main(void)
{
	struct list list = {
		.cl = open_cl(),
		.lock = PTHREAD_MUTEX_INITIALIZER,
		.changed = PTHREAD_COND_INITIALIZER,
	};
	int result = 0, sum, i = 0;
	cl_int values[ITEMS];
	pthread_t thread;

	list.mem = make_buffer(&list.cl, BYTES);
	count_up(values);
	write_ints(&list.cl, list.mem, values);
	need(pthread_create(&thread, NULL, produce, &list) == 0, "a thread");
	while ((sum = take(&list, i++)) >= 0)
		result += sum;
	pthread_join(thread, NULL);
	if (sum == BROKEN)
		return failed("the producer", CL_OUT_OF_RESOURCES);
	print_result(result);
	must(clReleaseMemObject(list.mem));
	close_cl(&list.cl);
	return 0;
}
