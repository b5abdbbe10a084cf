/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which commands are before which, and which of them the program knows to be
 * complete: numbers in each queue, a clock a command.
 */
#include "config.h"

#include <string.h>

#include "commands_private.h"

static struct queue {
	uint64_t handle;	/* 0: of none any more */
	uint64_t last;		/* number of the last command */
	uint64_t done;		/* up to that one all are complete */
	uint64_t gates;		/* that its last command waits for */
	uint64_t clock[CLAW_QUEUES];	/* of the last command, and itself */
	uint32_t oldest, newest;	/* pending: index + 1 */
	uint32_t pending;
	bool released;		/* by the program, as far as we know */
} queues[CLAW_QUEUES];
static unsigned int slots;	/* in use or used once */
static uint64_t busy;		/* bits of those with pending commands */
static uint32_t finished;	/* completed, their source not looked at */
static bool learning;		/* the program learns of it just now */

void claw_order_begin(void)
{
	memset(queues, 0, sizeof(queues));
	slots = 0;
	busy = 0;
	finished = 0;
	learning = false;
}

uint64_t claw_order_busy(void)
{
	return busy;
}

uint32_t claw_order_oldest(unsigned int slot)
{
	return queues[slot].oldest;
}

/* ---- completion */

static uint32_t take_oldest(unsigned int slot)
{
	struct queue *queue = &queues[slot];
	uint32_t index = queue->oldest;

	queue->oldest = claw_command_at(index)->next;
	if (!queue->oldest) {
		queue->newest = 0;
		busy &= ~(UINT64_C(1) << slot);
	}
	queue->pending--;
	return index;
}

static void retire(uint32_t index)
{
	struct claw_command *command = claw_command_at(index);

	if (!learning || !command->source.bytes || command->no_source) {
		claw_command_free(index);
		return;
	}
	claw_command_drop_accesses(command);
	command->next = finished;
	finished = index;
}

static void raise_done(unsigned int slot, uint64_t number)
{
	struct queue *queue = &queues[slot];

	if (number > queue->last)
		number = queue->last;
	if (number <= queue->done)
		return;
	queue->done = number;
	while (queue->oldest &&
	       claw_command_at(queue->oldest)->number <= number)
		retire(take_oldest(slot));
	if (queue->done == queue->last)
		queue->gates = 0;
}

static void raise_all(const uint64_t *clock)
{
	for (unsigned int i = 0; i < slots; i++)
		raise_done(i, clock[i]);
}

void claw_order_complete(const struct claw_command *command)
{
	uint64_t number = command->number;
	unsigned int slot = command->slot;

	raise_all(command->clock);
	raise_done(slot, number);
}

void claw_order_complete_before(const struct claw_command *command)
{
	unsigned int slot = command->slot;
	uint64_t number = command->number;

	raise_all(command->clock);
	raise_done(slot, number - 1);
}

/* Its record is gone, and its clock: the queue's is none that is too low. */
void claw_order_complete_number(unsigned int slot, uint64_t number)
{
	for (unsigned int i = 0; i < slots; i++)
		if (i != slot)
			raise_done(i, queues[slot].clock[i]);
	raise_done(slot, number);
}

bool claw_order_is_complete(unsigned int slot, uint64_t number)
{
	return number <= queues[slot].done;
}

void claw_order_complete_all(void)
{
	for (unsigned int i = 0; i < slots; i++)
		raise_done(i, queues[i].last);
}

void claw_order_learn(void)
{
	learning = true;
}

uint32_t claw_order_take_finished(void)
{
	uint32_t chain = finished;

	learning = false;
	finished = 0;
	return chain;
}

/* ---- queues */

static int find_slot(const void *handle)
{
	for (unsigned int i = 0; i < slots; i++)
		if (queues[i].handle == claw_number(handle))
			return (int)i;
	return -1;
}

/* One whose queue is gone: best with nothing pending. Its numbers go on, and
 * whatever was in it is taken to be complete. */
static int reuse_slot(void)
{
	int best = -1;

	for (unsigned int i = 0; i < slots; i++)
		if ((!queues[i].handle || queues[i].released) &&
		    (best < 0 || queues[i].pending < queues[best].pending))
			best = (int)i;
	if (best >= 0)
		raise_done((unsigned int)best, queues[best].last);
	return best;
}

static int get_slot(const void *handle)
{
	int slot = find_slot(handle);

	if (slot >= 0 || !handle)
		return slot;
	slot = slots < CLAW_QUEUES ? (int)slots++ : reuse_slot();
	if (slot >= 0) {
		queues[slot].handle = claw_number(handle);
		queues[slot].released = false;
	}
	return slot;
}

void claw_order_complete_queue(const void *handle)
{
	int slot = find_slot(handle);

	/* One that is not followed may have waited for anything. */
	if (slot < 0) {
		if (slots == CLAW_QUEUES)
			claw_order_complete_all();
		return;
	}
	raise_all(queues[slot].clock);
}

void claw_order_queue_released(const void *handle)
{
	int slot = find_slot(handle);

	if (slot >= 0)
		queues[slot].released = true;
}

void claw_order_queue_made(const void *handle)
{
	int slot = find_slot(handle);

	if (slot >= 0)
		queues[slot].handle = 0;
}

/* ---- new commands */

/* Does a later command of the same queue touch all that this one does? Then
 * whoever is behind that is behind this, and whoever is not meets that. */
static bool is_covered(const struct claw_command *command)
{
	for (uint32_t at = command->accesses; at;
	     at = claw_access_at(at)->next)
		if (!claw_access_is_covered(claw_access_at(at)))
			return false;
	return true;
}

bool claw_order_make_room(uint32_t keep)
{
	unsigned int most = 0;
	uint32_t oldest;

	for (unsigned int i = 1; i < slots; i++)
		if (queues[i].pending > queues[most].pending)
			most = i;
	oldest = queues[most].oldest;
	if (!oldest || oldest == keep)
		return false;
	if (!is_covered(claw_command_at(oldest)))
		claw_found_count(CLAW_COUNT_COMMANDS_LOST, 1);
	claw_command_free(take_oldest(most));
	return true;
}

static void merge(uint64_t *clock, const uint64_t *other)
{
	for (unsigned int i = 0; i < slots; i++)
		if (other[i] > clock[i])
			clock[i] = other[i];
}

uint32_t claw_order_add(const void *handle)
{
	int slot = get_slot(handle);
	struct claw_command *command;
	struct queue *queue;
	uint32_t index;

	if (slot < 0)
		return 0;
	index = claw_command_take();
	if (!index && claw_order_make_room(0))
		index = claw_command_take();
	if (!index)
		return 0;
	queue = &queues[slot];
	command = claw_command_at(index);
	command->slot = (uint8_t)slot;
	command->gates = queue->gates;
	/* What is known to be complete is in no list: no clock needs it. */
	memcpy(command->clock, queue->clock, sizeof(command->clock));
	command->number = ++queue->last;
	if (queue->newest)
		claw_command_at(queue->newest)->next = index;
	else
		queue->oldest = index;
	queue->newest = index;
	queue->pending++;
	busy |= UINT64_C(1) << slot;
	return index;
}

void claw_order_inert(uint32_t index)
{
	struct claw_command *command = claw_command_at(index);

	claw_command_drop_accesses(command);
	command->no_source = true;
}

/* Behind everything there is, and perhaps behind a gate that nobody knows. */
static void wait_for_all(struct claw_command *command)
{
	for (unsigned int i = 0; i < slots; i++)
		command->clock[i] = i == command->slot ?
			command->number - 1 : queues[i].last;
	command->gates |= UINT64_C(1) << CLAW_OTHER_GATES;
}

void claw_order_wait(struct claw_command *command, uint64_t handle)
{
	struct claw_event *event = claw_event_find(handle);
	const struct claw_command *other;

	if (!event) {
		wait_for_all(command);
		return;
	}
	if (event->is_user) {
		if (!event->is_set) {
			command->gates |= claw_event_gate(event);
			command->direct_gate = true;
		}
		return;
	}
	if (claw_order_is_complete(event->slot, event->number))
		return;
	other = claw_command_at(event->record);
	if (other->sequence != event->sequence) {
		/* Its record is gone: as late as any in its queue. */
		merge(command->clock, queues[event->slot].clock);
		if (event->slot == command->slot)
			command->clock[event->slot] = command->number - 1;
		command->gates |= UINT64_C(1) << CLAW_OTHER_GATES;
		return;
	}
	merge(command->clock, other->clock);
	if (other->number > command->clock[other->slot])
		command->clock[other->slot] = other->number;
	command->gates |= other->gates;
}

void claw_order_settle(struct claw_command *command)
{
	struct queue *queue = &queues[command->slot];

	merge(queue->clock, command->clock);
	if (command->number > queue->clock[command->slot])
		queue->clock[command->slot] = command->number;
	queue->gates |= command->gates;
}

bool claw_order_is_before(const struct claw_command *first,
			  const struct claw_command *then)
{
	return first->slot == then->slot ? first->number < then->number :
		first->number <= then->clock[first->slot];
}

void claw_order_open_gate(uint64_t bit)
{
	for (unsigned int i = 0; i < slots; i++)
		queues[i].gates &= ~bit;
}
