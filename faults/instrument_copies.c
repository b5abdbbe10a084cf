/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Copies of what kernels wrote, from the device to the file. One is put into
 * the program's queue just before the program waits for that queue, so that
 * nobody waits for it, too; and once more at the end, in a queue of ours where
 * the program's is gone. A copy has what was launched before it in its own
 * queue; the file says of how many launches there is none yet.
 */
#include "config.h"

#include "instrument_private.h"

#include <string.h>

enum {
	OTHERS = CLAW_WORDS_QUEUES,	/* the last slot: of no queue */
	TRIES = 1000,
	AGAIN_NS = 20000000,		/* between two copies of counters */
	PATIENCE_NS = 2000000000,	/* for the last ones, all together */
	LOOK_NS = 50000,
};

/* Of all slots; short, and no driver is called under it. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static bool enter(struct claw_words *words)
{
	return !__atomic_exchange_n(&words->busy, 1, __ATOMIC_ACQUIRE);
}

static void leave(struct claw_words *words)
{
	__atomic_store_n(&words->busy, 0, __ATOMIC_RELEASE);
}

static bool is_behind(const struct claw_words *words)
{
	return __atomic_load_n(&words->behind, __ATOMIC_RELAXED) != 0;
}

cl_command_queue claw_own_queue_make(cl_context context, cl_device_id device)
{
	cl_int err;

	if (claw_next.clCreateCommandQueue)
		return claw_next.clCreateCommandQueue(context, device, 0, &err);
	return claw_next.clCreateCommandQueueWithProperties ?
		claw_next.clCreateCommandQueueWithProperties(context, device,
							     NULL, &err) :
		NULL;
}

/* ---- slots: one a queue that has launched; under the lock */

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

void claw_words_launched(struct claw_words *words,
			 const struct claw_probed_queue *queue)
{
	pthread_mutex_lock(&lock);
	words->slots[take_slot(words, queue)].behind++;
	words->file->launches++;
	words->file->pending++;
	words->behind++;
	pthread_mutex_unlock(&lock);
}

/* What is there to copy of that queue (NULL: of any)? False: nothing. */
static bool find_slot(const struct claw_words *words, cl_command_queue queue,
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

/* The queue is gone: what it launched is nobody's. */
static void give_up_slot(struct claw_words *words, cl_command_queue queue)
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

/* ---- one copy; the words are entered */

/* All that is launched in that queue will be in it; NULL: of all that are
 * gone. */
static void cover(struct claw_words *words, cl_command_queue queue)
{
	struct claw_words_slot *slot;

	pthread_mutex_lock(&lock);
	slot = &words->slots[queue ? slot_of(words, queue) : OTHERS];
	words->copying = slot->behind;
	slot->behind = 0;
	pthread_mutex_unlock(&lock);
}

/* Nothing came of it: somebody else's, if its queue is gone by then. */
static void uncover(struct claw_words *words)
{
	pthread_mutex_lock(&lock);
	words->slots[OTHERS].behind += words->copying;
	pthread_mutex_unlock(&lock);
}

/* Is the copy under way done? Then it is the file's. */
static void look(struct claw_words *words)
{
	cl_int status = CL_QUEUED;

	if (!words->copy)
		return;
	if (claw_next.clGetEventInfo(words->copy,
				     CL_EVENT_COMMAND_EXECUTION_STATUS,
				     sizeof(status), &status, NULL))
		status = CL_OUT_OF_RESOURCES;
	if (status > CL_COMPLETE)
		return;
	claw_next.clReleaseEvent(words->copy);
	words->copy = NULL;
	if (status < 0) {
		uncover(words);
		return;
	}
	pthread_mutex_lock(&lock);
	words->file->copies++;
	words->file->pending -= words->copying;
	words->behind -= words->copying;
	pthread_mutex_unlock(&lock);
	claw_probe_found_look(words);
}

/* whose: what it covers (cover()). Of two, the earlier might be the later to
 * write. */
static void begin(struct claw_words *words, cl_command_queue queue,
		  cl_command_queue whose)
{
	cl_event event = NULL;

	look(words);
	if (words->copy)
		return;
	cover(words, whose);
	if (claw_next.clEnqueueReadBuffer(queue, words->buffer, CL_FALSE, 0,
					  words->file->words * 4, words->words,
					  0, NULL, &event)) {
		uncover(words);
		return;
	}
	words->copy = event;
	words->copied_ns = claw_now_ns();
}

/* Nobody is going to launch any more, and all is copied, or never will be. */
static void settle(struct claw_words *words, bool give_up)
{
	look(words);
	if (!__atomic_load_n(&words->is_dying, __ATOMIC_ACQUIRE) ||
	    words->copy || (is_behind(words) && !give_up))
		return;
	if (words->buffer)
		claw_next.clReleaseMemObject(words->buffer);
	words->buffer = NULL;
	words->is_dying = false;
	words->is_idle = true;
}

void claw_words_drop(struct claw_words *words)
{
	__atomic_store_n(&words->is_dying, true, __ATOMIC_RELEASE);
	/* Whoever is at it, or comes next, does it else. */
	if (enter(words)) {
		settle(words, false);
		leave(words);
	}
}

/* ---- the program waits */

static bool is_too_soon(const struct claw_words *words)
{
	return words->copied_ns && claw_now_ns() - words->copied_ns < AGAIN_NS;
}

static bool finds(void)
{
	return claw_instrument_config.modes & CLAW_PROBE_ASAN;
}

/* Counters can wait, what is found is to be said. */
void claw_copies_begin(cl_command_queue queue, bool may_rest)
{
	struct claw_words_slot slot;

	may_rest = may_rest || !finds();
	for (struct claw_words *at = claw_words_first(); at; at = at->next) {
		if (!is_behind(at) || (may_rest && is_too_soon(at)) ||
		    !find_slot(at, queue, &slot) || !slot.in_order ||
		    !enter(at))
			continue;
		if (at->buffer)
			begin(at, slot.queue, slot.queue);
		leave(at);
	}
}

/* Only now it is known that all are done that the queue has had. */
static void end_finished(struct claw_words *words, cl_command_queue queue)
{
	struct claw_words_slot slot;

	if (words->buffer && (finds() || !is_too_soon(words)) &&
	    find_slot(words, queue, &slot))
		begin(words, queue, queue);
}

void claw_copies_end(cl_command_queue queue, bool has_finished)
{
	for (struct claw_words *at = claw_words_first(); at; at = at->next) {
		if ((!at->copy && !at->is_dying && !is_behind(at)) ||
		    !enter(at))
			continue;
		settle(at, false);
		if (has_finished)
			end_finished(at, queue);
		leave(at);
	}
}

/* It is behind all that the queue has. */
static void begin_last(struct claw_words *words,
		       const struct claw_words_slot *slot)
{
	if (!slot->in_order && claw_next.clEnqueueBarrierWithWaitList)
		claw_next.clEnqueueBarrierWithWaitList(slot->queue, 0, NULL,
						       NULL);
	begin(words, slot->queue, slot->queue);
}

void claw_copies_queue_goes(cl_command_queue queue)
{
	struct claw_words_slot slot;

	if (!claw_probed_queue_goes(queue))
		return;
	for (struct claw_words *at = claw_words_first(); at; at = at->next) {
		if (find_slot(at, queue, &slot) && enter(at)) {
			if (at->buffer)
				begin_last(at, &slot);
			leave(at);
		}
		give_up_slot(at, queue);
	}
}

/* ---- the end */

static bool wait_for_copy(struct claw_words *words, uint64_t end_ns)
{
	look(words);
	while (words->copy && claw_now_ns() < end_ns) {
		claw_sleep_ns(LOOK_NS);
		look(words);
	}
	return !words->copy;
}

/* Of queues that are gone, in one of ours. */
static void copy_others(struct claw_words *words, uint64_t end_ns)
{
	cl_command_queue queue = claw_own_queue_make(words->context,
						     words->device);

	if (!queue)
		return;
	begin(words, queue, NULL);
	claw_next.clFlush(queue);
	wait_for_copy(words, end_ns);
	claw_next.clReleaseCommandQueue(queue);
}

static void copy_rest(struct claw_words *words, uint64_t end_ns)
{
	struct claw_words_slot slot;

	for (int i = 0; i <= OTHERS && wait_for_copy(words, end_ns) &&
	     find_slot(words, NULL, &slot); i++) {
		begin_last(words, &slot);
		claw_next.clFlush(slot.queue);
	}
	if (wait_for_copy(words, end_ns) && is_behind(words) &&
	    words->slots[OTHERS].behind)
		copy_others(words, end_ns);
}

static bool enter_soon(struct claw_words *words)
{
	bool entered = enter(words);

	for (int i = 0; i < TRIES && !entered; i++) {
		claw_sleep_ns(LOOK_NS);
		entered = enter(words);
	}
	return entered;
}

/* With a context: what the program has given up all of. */
static bool is_of(const struct claw_words *words, cl_context context)
{
	struct claw_words_slot slot;

	return words->buffer &&
	       (!context || (words->context == context && words->is_dying &&
			     !find_slot(words, NULL, &slot)));
}

void claw_copies_finish(cl_context context)
{
	uint64_t end_ns = claw_now_ns() + PATIENCE_NS;

	for (struct claw_words *at = claw_words_first(); at; at = at->next) {
		if (!is_of(at, context))
			continue;
		if (!enter_soon(at))
			continue;
		if (at->buffer)
			copy_rest(at, end_ns);
		settle(at, true);
		leave(at);
	}
}

void claw_copies_reset(void)
{
	pthread_mutex_init(&lock, NULL);
}
