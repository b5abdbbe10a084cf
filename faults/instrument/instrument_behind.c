/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Launches of which there is no copy yet: how many, and in which of the
 * program's queues.
 */
#include "config.h"

#include "instrument_private.h"

enum { OTHERS = CLAW_WORDS_QUEUES };	/* the last slot: of no queue */

/* Of all slots; short, and no driver is called under it. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* ---- under the lock */

static unsigned int slot_of(const struct claw_words *words,
			    cl_command_queue queue)
{
	unsigned int i = 0;

	while (i < OTHERS && words->slots[i].queue != queue)
		i++;
	return i;
}

static unsigned int take_slot(struct claw_words *words,
			      const struct claw_probed_queue *queue)
{
	unsigned int i = slot_of(words, queue->handle);

	for (unsigned int j = 0; i == OTHERS && j < OTHERS; j++)
		if (!words->slots[j].behind) {
			i = j;
			words->slots[i].queue = queue->handle;
			words->slots[i].in_order = queue->in_order;
		}
	return i;
}

/* ---- what is behind */

void claw_words_launched(struct claw_words *words,
			 const struct claw_probed_queue *queue)
{
	pthread_mutex_lock(&lock);
	words->slots[take_slot(words, queue)].behind++;
	words->last_queue = queue->handle;
	words->file->launches++;
	words->file->pending++;
	words->behind++;
	pthread_mutex_unlock(&lock);
}

void claw_words_launched_plain(struct claw_words *words)
{
	pthread_mutex_lock(&lock);
	words->file->launches++;
	words->file->complete++;
	pthread_mutex_unlock(&lock);
}

bool claw_behind_find(const struct claw_words *words, cl_command_queue queue,
		      struct claw_words_slot *ret_slot)
{
	bool found = false;

	pthread_mutex_lock(&lock);
	for (unsigned int i = 0; i < OTHERS && !found; i++) {
		*ret_slot = words->slots[i];
		found = ret_slot->behind && ret_slot->queue &&
			(!queue || ret_slot->queue == queue);
	}
	pthread_mutex_unlock(&lock);
	return found;
}

void claw_behind_give_up(struct claw_words *words, cl_command_queue queue)
{
	unsigned int i;

	pthread_mutex_lock(&lock);
	i = slot_of(words, queue);
	if (i < OTHERS) {
		words->slots[OTHERS].behind += words->slots[i].behind;
		words->slots[i] = (struct claw_words_slot){ .queue = NULL };
	}
	pthread_mutex_unlock(&lock);
}

void claw_behind_cover(struct claw_words *words, cl_command_queue queue)
{
	struct claw_words_slot *slot;

	pthread_mutex_lock(&lock);
	slot = &words->slots[queue ? slot_of(words, queue) : OTHERS];
	words->copying += slot->behind;
	slot->behind = 0;
	pthread_mutex_unlock(&lock);
}

void claw_behind_uncover(struct claw_words *words)
{
	pthread_mutex_lock(&lock);
	words->slots[OTHERS].behind += words->copying;
	words->copying = 0;
	pthread_mutex_unlock(&lock);
}

void claw_behind_copied(struct claw_words *words)
{
	pthread_mutex_lock(&lock);
	words->file->copies++;
	words->file->pending -= words->copying;
	words->behind -= words->copying;
	words->copying = 0;
	pthread_mutex_unlock(&lock);
}

void claw_behind_last(struct claw_words *words, cl_command_queue queue)
{
	pthread_mutex_lock(&lock);
	words->last_queue = queue;
	pthread_mutex_unlock(&lock);
}

void claw_copies_reset(void)
{
	pthread_mutex_init(&lock, NULL);
}
