/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The program's queues: whose device, in which order, and when the program
 * gives one up. What a driver says of references has its own in it.
 */
#include "config.h"

#include "instrument_private.h"

#include <string.h>

enum {
	QUEUES = 256,
	OWN = 64,
};

static struct claw_probed_queue queues[QUEUES];
static struct own_queue {
	cl_command_queue handle;
	cl_context context;
	cl_device_id device;
	uint32_t users;
} own[OWN];
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

/* ---- ours */

/* Under the lock. */
static cl_command_queue find_own(cl_context context, cl_device_id device)
{
	for (unsigned int i = 0; i < OWN; i++)
		if (own[i].users && own[i].context == context &&
		    own[i].device == device) {
			own[i].users++;
			return own[i].handle;
		}
	return NULL;
}

static bool add_own(const struct own_queue *made)
{
	unsigned int i = 0;

	pthread_mutex_lock(&lock);
	while (i < OWN && own[i].users)
		i++;
	if (i < OWN)
		own[i] = *made;
	pthread_mutex_unlock(&lock);
	return i < OWN;
}

cl_command_queue claw_own_queue_get(cl_context context, cl_device_id device)
{
	struct own_queue made = {
		.context = context, .device = device, .users = 1,
	};

	pthread_mutex_lock(&lock);
	made.handle = find_own(context, device);
	pthread_mutex_unlock(&lock);
	if (made.handle)
		return made.handle;
	made.handle = claw_own_queue_make(context, device);
	if (made.handle && !add_own(&made)) {
		claw_next.clReleaseCommandQueue(made.handle);
		made.handle = NULL;
	}
	return made.handle;
}

void claw_own_queue_put(cl_command_queue queue)
{
	bool goes = false;

	pthread_mutex_lock(&lock);
	for (unsigned int i = 0; i < OWN; i++)
		if (own[i].users && own[i].handle == queue) {
			goes = !--own[i].users;
			break;
		}
	pthread_mutex_unlock(&lock);
	if (goes)
		claw_next.clReleaseCommandQueue(queue);
}

cl_uint claw_own_queues(cl_context context)
{
	cl_uint count = 0;

	pthread_mutex_lock(&lock);
	for (unsigned int i = 0; i < OWN; i++)
		count += own[i].users && own[i].context == context;
	pthread_mutex_unlock(&lock);
	return count;
}

void claw_probed_queues_begin(void)
{
	memset(own, 0, sizeof(own));
	pthread_mutex_init(&lock, NULL);
	memset(queues, 0, sizeof(queues));
}
