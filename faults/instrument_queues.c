/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The program's queues: whose device, in which order, and when the program
 * gives one up. What a driver says of references has its own in it.
 */
#include "config.h"

#include "instrument_private.h"

#include <string.h>

enum { QUEUES = 256 };

static struct claw_probed_queue queues[QUEUES];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Under the lock; NULL finds a place that is free. */
static struct claw_probed_queue *find(cl_command_queue handle)
{
	for (unsigned int i = 0; i < QUEUES; i++)
		if (queues[i].handle == handle)
			return &queues[i];
	return NULL;
}

static void look(cl_command_queue handle, struct claw_probed_queue *ret_queue)
{
	*ret_queue = (struct claw_probed_queue){
		.handle = handle, .references = 1,
		.in_order = !claw_device_is_out_of_order(handle),
	};
	claw_next.clGetCommandQueueInfo(handle, CL_QUEUE_DEVICE,
					sizeof(ret_queue->device),
					&ret_queue->device, NULL);
}

void claw_probed_queue_made(cl_command_queue handle)
{
	struct claw_probed_queue queue, *place;

	look(handle, &queue);
	pthread_mutex_lock(&lock);
	place = find(handle);
	if (!place)
		place = find(NULL);
	if (place)
		*place = queue;
	pthread_mutex_unlock(&lock);
}

void claw_probed_queue_retained(cl_command_queue handle)
{
	struct claw_probed_queue *queue;

	pthread_mutex_lock(&lock);
	queue = find(handle);
	if (queue)
		queue->references++;
	pthread_mutex_unlock(&lock);
}

bool claw_probed_queue_goes(cl_command_queue handle)
{
	struct claw_probed_queue *queue;
	bool goes;

	pthread_mutex_lock(&lock);
	queue = find(handle);
	goes = !queue || !--queue->references;
	if (queue && goes)
		queue->handle = NULL;
	pthread_mutex_unlock(&lock);
	return goes;
}

void claw_probed_queue_get(cl_command_queue handle,
			   struct claw_probed_queue *ret_queue)
{
	const struct claw_probed_queue *queue;

	pthread_mutex_lock(&lock);
	queue = find(handle);
	if (queue)
		*ret_queue = *queue;
	pthread_mutex_unlock(&lock);
	if (!queue)
		look(handle, ret_queue);
}

void claw_probed_queues_begin(void)
{
	pthread_mutex_init(&lock, NULL);
	memset(queues, 0, sizeof(queues));
}
