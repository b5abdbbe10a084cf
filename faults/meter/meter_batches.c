/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Launches that nobody has waited for yet: a place for each queue, with the
 * begins of the latest ones. Which of them a wait for an event covers is told
 * by serials of the ledger: an event is younger than what was enqueued before
 * its command.
 */
#include "config.h"

#include "meter_batches.h"

#include <string.h>

#include "faults/ledger/ledger.h"
#include "meter.h"

enum {
	QUEUES = 64,
	PROBES = 4,		/* places that a queue may be in */
	PENDING = 64,		/* launches of a queue; more go with the last */
	TRIES = 1000,		/* at a lock */
};

struct pending {
	uint64_t ticks, created;	/* of the first */
	uint64_t count;
	const void *event;		/* of the only one, or NULL */
};

static struct place {
	uint32_t lock;
	bool in_order;
	uint64_t queue;			/* 0: free */
	uint32_t first, count;		/* of the ring */
	struct pending ring[PENDING];
} places[QUEUES];

void claw_meter_batches_begin(void)
{
	for (unsigned int i = 0; i < QUEUES; i++) {
		places[i].lock = 0;
		places[i].queue = 0;
		places[i].count = 0;
	}
}

/* Who cannot have it at once, nearly, does without: a handler of a signal may
 * have interrupted the owner. */
static bool lock(struct place *place)
{
	for (unsigned int i = 0; i < TRIES; i++)
		if (!__atomic_exchange_n(&place->lock, 1, __ATOMIC_ACQUIRE))
			return true;
	return false;
}

static void unlock(struct place *place)
{
	__atomic_store_n(&place->lock, 0, __ATOMIC_RELEASE);
}

static unsigned int start_of(uint64_t queue)
{
	return (unsigned int)(queue * UINT64_C(0x9e3779b97f4a7c15) >> 58);
}

static uint64_t queue_of(const struct place *place)
{
	return __atomic_load_n(&place->queue, __ATOMIC_RELAXED);
}

/* Its place, locked, or NULL. */
static struct place *find(uint64_t queue)
{
	unsigned int start = start_of(queue);

	for (unsigned int i = 0; i < PROBES; i++) {
		struct place *place = &places[(start + i) % QUEUES];

		if (queue_of(place) != queue || !lock(place))
			continue;
		if (place->queue == queue)
			return place;
		unlock(place);
	}
	return NULL;
}

/* A free one, or one where nothing waits, is the queue's now; or NULL. */
static struct place *take(uint64_t queue)
{
	bool out_of_order;
	unsigned int start = start_of(queue);

	claw_ours_begin();
	out_of_order = claw_device_is_out_of_order(
		(cl_command_queue)(uintptr_t)queue);
	claw_ours_end();
	for (unsigned int i = 0; i < 2 * PROBES; i++) {
		struct place *place = &places[(start + i % PROBES) % QUEUES];

		if ((i < PROBES && queue_of(place)) || !lock(place))
			continue;
		if (!place->queue || (i >= PROBES && !place->count)) {
			place->in_order = !out_of_order;
			place->count = place->first = 0;
			__atomic_store_n(&place->queue, queue,
					 __ATOMIC_RELAXED);
			return place;
		}
		unlock(place);
	}
	return NULL;
}

/* ---- launches */

static struct pending *at(struct place *place, uint32_t i)
{
	return &place->ring[(place->first + i) % PENDING];
}

/* Without a free place the last one has one more; out of order, where each is
 * by itself, the first one goes. */
static void push(struct place *place, const struct pending *new)
{
	struct pending *last;

	if (place->count == PENDING && !place->in_order) {
		place->first = (place->first + 1) % PENDING;
		place->count--;
	}
	if (place->count == PENDING) {
		last = at(place, PENDING - 1);
		last->count++;
		last->event = NULL;
		return;
	}
	*at(place, place->count++) = *new;
}

void claw_meter_launched(const struct claw_call *call)
{
	uint64_t queue = (uintptr_t)CLAW_ARG(call, clEnqueueNDRangeKernel,
					     command_queue);
	const cl_event *event = claw_arg_pointer(call, CLAW_P_EVENT_OUT);
	struct pending new = {
		.ticks = call->meter.ticks, .created = call->meter.created,
		.count = 1, .event = event ? *event : NULL,
	};
	struct place *place = find(queue);

	if (!place)
		place = take(queue);
	if (!place)
		return;
	push(place, &new);
	unlock(place);
}

/* ---- waits */

struct batch {
	uint64_t ticks, count;
};

/* Those that began before that object was made; of a queue out of order, only
 * the one with this event is waited for, the others are not known of. */
static struct batch pop(struct place *place, uint64_t serial, const void *event)
{
	struct batch batch = { 0, 0 };

	for (; place->count && at(place, 0)->created < serial; place->count--) {
		const struct pending *first = at(place, 0);

		if (place->in_order || !event || first->event == event) {
			if (!batch.count)
				batch.ticks = first->ticks;
			batch.count += first->count;
		}
		place->first = (place->first + 1) % PENDING;
	}
	return batch;
}

static void end_batch(uint64_t queue, uint64_t serial, const void *event,
		      uint64_t ticks, bool worked)
{
	struct place *place = find(queue);
	struct batch batch;

	if (!place)
		return;
	batch = pop(place, serial, event);
	unlock(place);
	if (batch.count && worked)
		claw_meter_add_time(CLAW_METER_LAUNCH,
				    (ticks - batch.ticks) / batch.count,
				    batch.count, 0);
}

void claw_meter_waited(cl_command_queue queue, uint64_t ticks, bool worked)
{
	end_batch((uintptr_t)queue, UINT64_MAX, NULL, ticks, worked);
}

void claw_meter_waited_event(cl_event event, uint64_t ticks, bool worked)
{
	struct claw_ledger_entry entry;

	if (claw_ledger_copy(CLAW_OBJ_EVENT, event, &entry) &&
	    entry.object == CLAW_OBJ_EVENT)
		end_batch(entry.parent, entry.serial, event, ticks, worked);
}

bool claw_meter_is_in_order(cl_command_queue queue)
{
	struct place *place = find((uintptr_t)queue);
	bool in_order = place && place->in_order;

	if (place)
		unlock(place);
	return in_order;
}

void claw_meter_queue_gone(uint64_t handle)
{
	struct place *place = find(handle);

	if (!place)
		return;
	place->count = 0;
	__atomic_store_n(&place->queue, 0, __ATOMIC_RELAXED);
	unlock(place);
}
