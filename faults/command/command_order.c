/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which commands are before which, and which of them the program knows to be
 * complete. Commands of a queue that are each behind the one before make a
 * lane, and have numbers in it. A queue in order is one lane; of one out of
 * order a command goes into a lane whose last one it is behind, or begins
 * another. Without room for that it counts as in order.
 */
#include "config.h"

#include <string.h>

#include "commands_private.h"

enum {
	SPARE_LANES = 16,	/* kept for queues to come */
	PREFETCHED = 2,		/* accesses of a command: most are one by one */
};

static struct lane {
	uint64_t last;		/* number of the last command */
	uint64_t done;		/* up to that one all are complete */
	uint32_t oldest, newest;	/* pending: index + 1 */
	uint32_t pending;
	uint8_t queue;		/* the last that used it */
} lanes[CLAW_LANES];

/* What a command of a queue is behind. */
struct behind {
	uint64_t clock[CLAW_LANES];
	uint64_t gates;
};

static struct queue {
	uint64_t handle;	/* 0: of none any more */
	struct behind next;	/* the next command, whatever it waits for */
	struct behind all;	/* what waits for all that is in it */
	bool out_of_order;
	bool lost;		/* commands of it are in no lane */
	bool released;		/* by the program, as far as we know */
} queues[CLAW_QUEUES];
static unsigned int slots, queue_count;	/* in use or used once */
static bool crowded;		/* there are queues that are not followed */
static uint64_t busy;		/* bits of lanes with pending commands */
static uint32_t finished;	/* completed, their source not looked at */
static bool learning;		/* the program learns of it just now */

void claw_order_begin(void)
{
	memset(lanes, 0, sizeof(lanes));
	memset(queues, 0, sizeof(queues));
	slots = queue_count = 0;
	crowded = false;
	busy = 0;
	finished = 0;
	learning = false;
}

uint64_t claw_order_busy(void)
{
	return __atomic_load_n(&busy, __ATOMIC_RELAXED);
}

uint32_t claw_order_oldest(unsigned int slot)
{
	return lanes[slot].oldest;
}

/* Of lanes from 0 to before command->lanes. */
static const uint64_t *clock_at(const struct claw_command *command)
{
	return command->lanes <= CLAW_FEW_LANES ? command->few :
	       claw_own_rests[command - claw_own_commands].clock;
}

static uint64_t *own_clock(struct claw_command *command)
{
	return (uint64_t *)(uintptr_t)clock_at(command);
}

/* ---- completion */

static uint32_t take_oldest(unsigned int slot)
{
	struct lane *lane = &lanes[slot];
	uint32_t index = lane->oldest;

	lane->oldest = claw_command_at(index)->next;
	if (!lane->oldest) {
		lane->newest = 0;
		busy &= ~(UINT64_C(1) << slot);
	}
	lane->pending--;
	return index;
}

static void retire(uint32_t index)
{
	struct claw_command *command = claw_command_at(index);

	if (!learning || !command->has_source || command->no_source) {
		claw_command_free(index);
		return;
	}
	claw_command_drop_accesses(command);
	command->next = finished;
	finished = index;
}

static bool is_empty(unsigned int slot)
{
	return lanes[slot].done == lanes[slot].last;
}

/* Nothing of it waits any more. */
static void end_gates(unsigned int number)
{
	for (unsigned int i = 0; i < slots; i++)
		if (lanes[i].queue == number && !is_empty(i))
			return;
	queues[number].next.gates = queues[number].all.gates = 0;
}

static void raise_done(unsigned int slot, uint64_t number)
{
	struct lane *lane = &lanes[slot];

	if (number > lane->last)
		number = lane->last;
	if (number <= lane->done)
		return;
	lane->done = number;
	while (lane->oldest && claw_command_at(lane->oldest)->number <= number)
		retire(take_oldest(slot));
	if (is_empty(slot))
		end_gates(lane->queue);
}

static void raise_all(const uint64_t *clock, unsigned int count)
{
	for (unsigned int i = 0; i < count; i++)
		raise_done(i, clock[i]);
}

void claw_order_complete(const struct claw_command *command)
{
	uint64_t number = command->number;
	unsigned int slot = command->slot;

	raise_all(clock_at(command), command->lanes);
	raise_done(slot, number);
}

void claw_order_complete_before(const struct claw_command *command)
{
	unsigned int slot = command->slot;
	uint64_t number = command->number;

	raise_all(clock_at(command), command->lanes);
	raise_done(slot, number - 1);
}

/* Its record is gone, and its clock: the queue's is none that is too low. */
void claw_order_complete_number(unsigned int slot, uint64_t number)
{
	const uint64_t *clock = queues[lanes[slot].queue].all.clock;

	for (unsigned int i = 0; i < slots; i++)
		if (i != slot)
			raise_done(i, clock[i]);
	raise_done(slot, number);
}

bool claw_order_is_complete(unsigned int slot, uint64_t number)
{
	return number <= lanes[slot].done;
}

void claw_order_complete_all(void)
{
	for (unsigned int i = 0; i < slots; i++)
		raise_done(i, lanes[i].last);
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

static int find_queue(const void *handle)
{
	for (unsigned int i = 0; handle && i < queue_count; i++)
		if (queues[i].handle == claw_number(handle))
			return (int)i;
	return -1;
}

static bool is_gone(const struct queue *queue)
{
	return !queue->handle || queue->released;
}

/* One in order in which all is complete is as a new one. */
static bool is_forgettable(const struct queue *queue, bool works)
{
	return is_gone(queue) ||
	       (!works && !queue->out_of_order && !queue->lost);
}

/* One that is gone or idle: best with nothing pending. Whatever was in it is
 * taken to be complete, and what that waited for. */
static int reuse_queue(void)
{
	uint32_t count, least = UINT32_MAX, pending[CLAW_QUEUES] = { 0 };
	bool works[CLAW_QUEUES] = { false };
	int best = -1;

	for (unsigned int i = 0; i < slots; i++) {
		pending[lanes[i].queue] += lanes[i].pending;
		works[lanes[i].queue] |= !is_empty(i);
	}
	for (unsigned int i = 0; i < queue_count; i++) {
		count = is_forgettable(&queues[i], works[i]) ? pending[i] :
			UINT32_MAX;
		if (count < least) {
			least = count;
			best = (int)i;
		}
	}
	if (best >= 0)
		raise_all(queues[best].all.clock, slots);
	return best;
}

static int get_queue(const void *handle)
{
	int number = find_queue(handle);

	if (number >= 0 || !handle)
		return number;
	number = queue_count < CLAW_QUEUES ? (int)queue_count++ : reuse_queue();
	if (number >= 0) {
		memset(&queues[number], 0, sizeof(queues[number]));
		queues[number].handle = claw_number(handle);
	} else {
		crowded = true;
	}
	return number;
}

void claw_order_complete_queue(const void *handle)
{
	int number = find_queue(handle);

	/* What is not followed may have waited for anything. */
	if (number < 0 ? crowded : queues[number].lost)
		claw_order_complete_all();
	else if (number >= 0)
		raise_all(queues[number].all.clock, slots);
}

void claw_order_queue_released(const void *handle)
{
	int number = find_queue(handle);

	if (number >= 0)
		queues[number].released = true;
}

void claw_order_queue_made(const void *handle, bool out_of_order)
{
	int number = find_queue(handle);

	if (number >= 0)
		queues[number].handle = 0;
	if (!out_of_order)
		return;
	number = get_queue(handle);
	if (number >= 0)
		queues[number].out_of_order = true;
}

void claw_order_queue_changed(const void *handle)
{
	int number = find_queue(handle);

	if (number >= 0)
		queues[number].out_of_order = false;
}

/* ---- lanes */

static uint64_t clock_of(const struct claw_command *command, unsigned int slot)
{
	return slot < command->lanes ? clock_at(command)[slot] : 0;
}

/* One of its queue: the command is behind all that is in there. */
static int lane_before(const struct claw_command *command)
{
	for (unsigned int i = 0; i < slots; i++)
		if (lanes[i].queue == command->queue &&
		    (is_empty(i) || clock_of(command, i) >= lanes[i].last))
			return (int)i;
	return -1;
}

/* A queue in order keeps its lane. */
static bool is_kept(unsigned int slot)
{
	const struct queue *queue = &queues[lanes[slot].queue];

	return !is_gone(queue) && !queue->out_of_order;
}

/* Its numbers go on. */
static int take_lane(unsigned int number, unsigned int most)
{
	unsigned int i = 0;

	while (i < slots && (!is_empty(i) || is_kept(i)))
		i++;
	if (i >= most)
		return -1;
	if (i == slots)
		slots++;
	lanes[i].queue = (uint8_t)number;
	return (int)i;
}

static bool has_lane(unsigned int number)
{
	for (unsigned int i = 0; i < slots; i++)
		if (lanes[i].queue == number)
			return true;
	return false;
}

/* Of a queue that is gone, though commands are in it. */
static int reuse_lane(unsigned int number)
{
	for (unsigned int i = 0; i < slots; i++)
		if (is_gone(&queues[lanes[i].queue])) {
			raise_all(queues[lanes[i].queue].all.clock, slots);
			lanes[i].queue = (uint8_t)number;
			return (int)i;
		}
	return -1;
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

/* It is the next to go, and the one behind it: these are far apart. */
static void prefetch(uint32_t index)
{
	const struct claw_command *command;

	if (!index)
		return;
	command = claw_command_at(index);
	if (command->next)
		__builtin_prefetch(claw_command_at(command->next));
	for (uint32_t at = command->accesses, i = 0; at && i < PREFETCHED; i++) {
		__builtin_prefetch(claw_access_at(at) + 1);
		__builtin_prefetch(claw_access_at(at));
		at = at > 1 ? at - 1 : 0;
	}
}

bool claw_order_make_room(uint32_t keep)
{
	unsigned int most = 0;
	uint32_t oldest;

	for (unsigned int i = 1; i < slots; i++)
		if (lanes[i].pending > lanes[most].pending)
			most = i;
	oldest = lanes[most].oldest;
	if (!oldest || oldest == keep)
		return false;
	if (!is_covered(claw_command_at(oldest)))
		claw_found_count(CLAW_COUNT_COMMANDS_LOST, 1);
	claw_command_free(take_oldest(most));
	prefetch(lanes[most].oldest);
	return true;
}

static void merge(uint64_t *clock, const uint64_t *other, unsigned int count)
{
	for (unsigned int i = 0; i < count; i++)
		if (other[i] > clock[i])
			clock[i] = other[i];
}

static void go_behind(struct claw_command *command, const struct behind *behind)
{
	merge(own_clock(command), behind->clock, command->lanes);
	command->gates |= behind->gates;
}

uint32_t claw_order_add(const void *handle, bool joins, bool holds)
{
	int number = get_queue(handle);
	struct claw_command *command;
	const struct queue *queue;
	uint32_t index;

	if (number < 0)
		return 0;
	index = claw_command_take();
	if (!index && claw_order_make_room(0))
		index = claw_command_take();
	if (!index)
		return 0;
	queue = &queues[number];
	command = claw_command_at(index);
	command->queue = (uint8_t)number;
	command->holds = holds || !queue->out_of_order;
	/* What is known to be complete is in no list: no clock needs it. */
	command->lanes = (uint8_t)slots;
	/* No memset(): ThreadSanitizer sees those of the program's process. */
	for (unsigned int i = 0; i < slots; i++)
		__atomic_store_n(&own_clock(command)[i], 0, __ATOMIC_RELAXED);
	go_behind(command, joins || !queue->out_of_order ? &queue->all :
		  &queue->next);
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
	for (unsigned int i = 0; i < command->lanes; i++)
		own_clock(command)[i] = lanes[i].last;
	command->gates |= UINT64_C(1) << CLAW_OTHER_GATES;
}

void claw_order_wait(struct claw_command *command, uint64_t handle)
{
	struct claw_event *event = claw_event_waited(handle);
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
		go_behind(command, &queues[lanes[event->slot].queue].all);
		command->gates |= UINT64_C(1) << CLAW_OTHER_GATES;
		return;
	}
	merge(own_clock(command), clock_at(other), other->lanes);
	if (other->number > clock_of(command, other->slot))
		own_clock(command)[other->slot] = other->number;
	command->gates |= other->gates;
}

static int choose_lane(struct claw_command *command)
{
	unsigned int number = command->queue;
	int slot = lane_before(command);

	if (slot < 0 && !has_lane(number)) {
		slot = take_lane(number, CLAW_LANES);
		return slot < 0 ? reuse_lane(number) : slot;
	}
	if (slot < 0)
		slot = take_lane(number, CLAW_LANES - SPARE_LANES);
	if (slot < 0) {
		go_behind(command, &queues[number].all);
		slot = lane_before(command);
	}
	return slot;
}

static void put_into(struct lane *lane, uint32_t index)
{
	claw_command_at(index)->number = ++lane->last;
	if (lane->newest)
		claw_command_at(lane->newest)->next = index;
	else
		lane->oldest = index;
	lane->newest = index;
	lane->pending++;
	busy |= UINT64_C(1) << (lane - lanes);
}

static void put_behind(struct behind *behind,
		       const struct claw_command *command)
{
	merge(behind->clock, clock_at(command), command->lanes);
	behind->clock[command->slot] = command->number;
	behind->gates |= command->gates;
}

bool claw_order_settle(uint32_t index)
{
	struct claw_command *command = claw_command_at(index);
	struct queue *queue = &queues[command->queue];
	int slot = choose_lane(command);

	if (slot < 0) {
		queue->lost = true;
		claw_command_free(index);
		return false;
	}
	command->slot = (uint8_t)slot;
	put_into(&lanes[slot], index);
	put_behind(&queue->all, command);
	/* In order nobody asks. */
	if (command->holds && queue->out_of_order)
		put_behind(&queue->next, command);
	return true;
}

bool claw_order_is_before(const struct claw_command *first,
			  const struct claw_command *then)
{
	return first->slot == then->slot ? first->number < then->number :
		first->number <= clock_of(then, first->slot);
}

void claw_order_open_gate(uint64_t bit)
{
	for (unsigned int i = 0; i < queue_count; i++) {
		queues[i].next.gates &= ~bit;
		queues[i].all.gates &= ~bit;
	}
}
