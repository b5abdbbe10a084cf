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
	OTHERS = CLAW_WORDS_QUEUES,
	TRIES = 1000,
	AGAIN_NS = 20000000,		/* between two copies of counters */
	EARLY = 8,			/* launches, and then twice as many */
	PATIENCE_NS = 2000000000,	/* for the last ones, all together */
	MOMENT_NS = 200000000,
	LOOK_NS = 50000,
};

static bool enter(struct claw_words *words)
{
	return !__atomic_exchange_n(&words->busy, 1, __ATOMIC_ACQUIRE);
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

/* ---- one copy; the words are entered */

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
		claw_behind_uncover(words);
		return;
	}
	claw_behind_copied(words);
	claw_probe_found_look(words);
}

static bool enqueue(struct claw_words *words, cl_command_queue queue,
		    cl_uint count, const cl_event *after)
{
	cl_event event = NULL;

	if (claw_next.clEnqueueReadBuffer(queue, words->buffer, CL_FALSE, 0,
					  words->file->words * 4, words->words,
					  count, count ? after : NULL, &event))
		return false;
	if (words->copy)
		claw_next.clReleaseEvent(words->copy);
	words->copy = event;
	words->copy_queue = queue;
	words->copied_ns = claw_now_ns();
	claw_behind_last(words, queue);
	return true;
}

/* whose: what it covers (claw_behind_cover()). Of two in two queues the earlier
 * might be the later to write; one behind another in its queue takes its
 * place. */
static void begin(struct claw_words *words, cl_command_queue queue,
		  cl_command_queue whose)
{
	look(words);
	if (words->copy && words->copy_queue != queue)
		return;
	claw_behind_cover(words, whose);
	if (!enqueue(words, queue, 0, NULL))
		claw_behind_uncover(words);
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
	claw_shadow_leave(words, NULL);
	if (words->own)
		claw_own_queue_put(words->own);
	words->own = NULL;
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
	return claw_instrument_config.modes & CLAW_PROBE_CHECKS;
}

/* Counters can wait, what is found is to be said. */
void claw_copies_begin(cl_command_queue queue, bool may_rest)
{
	struct claw_words_slot slot;

	may_rest = may_rest || !finds();
	for (struct claw_words *at = claw_words_first(); at; at = at->next) {
		if (!is_behind(at) || (may_rest && is_too_soon(at)) ||
		    !claw_behind_find(at, queue, &slot) || !slot.in_order ||
		    !enter(at))
			continue;
		if (at->buffer)
			begin(at, slot.queue, slot.queue);
		leave(at);
	}
}

void claw_copies_early(struct claw_words *words,
		       const struct claw_probed_queue *queue,
		       const cl_event *launch)
{
	uint64_t behind = __atomic_load_n(&words->behind, __ATOMIC_RELAXED);

	if (claw_instrument_config.modes != CLAW_PROBE_HIT || behind < EARLY ||
	    behind < words->early || is_too_soon(words) ||
	    (!queue->in_order && !launch) || !enter(words))
		return;
	look(words);
	if (words->buffer && !words->copy) {
		words->early = 2 * behind;
		if (queue->in_order)
			begin(words, queue->handle, queue->handle);
		else
			enqueue(words, queue->handle, 1, launch);
	}
	leave(words);
}

/* Only now it is known that all are done that the queue has had. */
static void end_finished(struct claw_words *words, cl_command_queue queue)
{
	struct claw_words_slot slot;

	if (words->buffer && (finds() || !is_too_soon(words)) &&
	    claw_behind_find(words, queue, &slot))
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

static cl_command_queue own_queue(struct claw_words *words)
{
	if (!words->own)
		words->own = claw_own_queue_get(words->context, words->device);
	return words->own;
}

/* When all is done that the queue has; NULL: it does not say. */
static cl_event mark(cl_command_queue queue)
{
	cl_event event = NULL;

	if (claw_next.clEnqueueMarkerWithWaitList)
		claw_next.clEnqueueMarkerWithWaitList(queue, 0, NULL, &event);
	return event;
}

/* A buffer may keep the queue of its last command, and that its context (pocl):
 * the last one is in one of ours, behind all that this one has. */
static bool move_away(struct claw_words *words, cl_command_queue queue)
{
	cl_event after[2] = { NULL };
	bool done;

	if (!own_queue(words) || !(after[0] = mark(queue)))
		return false;
	claw_next.clFlush(queue);
	look(words);
	after[1] = words->copy;
	claw_behind_cover(words, queue);
	done = enqueue(words, words->own, after[1] ? 2 : 1, after);
	if (!done)
		claw_behind_uncover(words);
	claw_next.clReleaseEvent(after[0]);
	claw_next.clFlush(words->own);
	return done;
}

static void leave_queue(struct claw_words *words, cl_command_queue queue)
{
	struct claw_words_slot slot;
	bool is_behind = claw_behind_find(words, queue, &slot);

	if (words->buffer && (is_behind || words->last_queue == queue) &&
	    !move_away(words, queue) && is_behind)
		begin_last(words, &slot);
	/* Another may get its handle. */
	if (words->copy_queue == queue)
		words->copy_queue = NULL;
	if (words->last_queue == queue)
		words->last_queue = NULL;
}

static bool wait_for_copy(struct claw_words *words, uint64_t end_ns)
{
	look(words);
	while (words->copy && claw_now_ns() < end_ns) {
		claw_sleep_ns(LOOK_NS);
		look(words);
	}
	return !words->copy;
}

void claw_copies_leave(cl_command_queue queue)
{
	uint64_t end_ns = claw_now_ns() + MOMENT_NS;

	for (struct claw_words *at = claw_words_first(); at; at = at->next) {
		if (at->last_queue != queue || !enter_soon(at))
			continue;
		leave_queue(at, queue);
		wait_for_copy(at, end_ns);
		leave(at);
	}
}

void claw_copies_queue_goes(cl_command_queue queue)
{
	if (!claw_probed_queue_goes(queue))
		return;
	for (struct claw_words *at = claw_words_first(); at; at = at->next) {
		if (at->words && enter_soon(at)) {
			leave_queue(at, queue);
			leave(at);
		}
		claw_behind_give_up(at, queue);
		claw_shadow_leave(at, queue);
	}
}

/* ---- the end */

/* Of queues that are gone, in one of ours. */
static void copy_others(struct claw_words *words, uint64_t end_ns)
{
	if (!own_queue(words))
		return;
	begin(words, words->own, NULL);
	claw_next.clFlush(words->own);
	wait_for_copy(words, end_ns);
}

static void copy_rest(struct claw_words *words, uint64_t end_ns)
{
	struct claw_words_slot slot;

	for (int i = 0; i <= OTHERS && wait_for_copy(words, end_ns) &&
	     claw_behind_find(words, NULL, &slot); i++) {
		begin_last(words, &slot);
		claw_next.clFlush(slot.queue);
	}
	if (wait_for_copy(words, end_ns) && is_behind(words) &&
	    words->slots[OTHERS].behind)
		copy_others(words, end_ns);
}

/* With a context: what the program has given up all of. */
static bool is_of(const struct claw_words *words, cl_context context)
{
	struct claw_words_slot slot;

	return words->buffer &&
	       (!context || (words->context == context && words->is_dying &&
			     !claw_behind_find(words, NULL, &slot)));
}

void claw_copies_wait(cl_context context)
{
	uint64_t end_ns = claw_now_ns() + MOMENT_NS;

	for (struct claw_words *at = claw_words_first(); at; at = at->next) {
		if (at->context != context || !at->own || !at->copy ||
		    !enter(at))
			continue;
		if (at->own && at->copy_queue == at->own)
			wait_for_copy(at, end_ns);
		leave(at);
	}
}

bool claw_copies_are_behind(void)
{
	for (struct claw_words *at = claw_words_first(); at; at = at->next)
		if (at->buffer && is_behind(at))
			return true;
	return false;
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
