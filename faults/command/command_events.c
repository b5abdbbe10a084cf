/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Events: which command each is of, and user events, which are gates. An
 * event is known until the program has given up its last reference.
 */
#include "config.h"

#include <string.h>

#include "commands_private.h"

enum { BUCKETS = 4096 };

static struct {
	struct claw_event events[CLAW_EVENTS];
	uint32_t buckets[BUCKETS];
	uint32_t free, fresh;
	uint64_t gates;		/* bits in use */
	bool crowded;		/* there are events that are not known */
} own;

void claw_events_begin(void)
{
	memset(own.buckets, 0, sizeof(own.buckets));
	own.free = own.fresh = 0;
	own.gates = 0;
	own.crowded = false;
}

static uint32_t *bucket_of(uint64_t handle)
{
	return &own.buckets[handle * UINT64_C(0x9e3779b97f4a7c15) >> 52];
}

/* The word that has its number. */
static uint32_t *find_word(uint64_t handle)
{
	uint32_t *word = bucket_of(handle);

	while (*word && own.events[*word - 1].handle != handle)
		word = &own.events[*word - 1].next;
	return word;
}

struct claw_event *claw_event_find(uint64_t handle)
{
	uint32_t index = *find_word(handle);

	return index ? &own.events[index - 1] : NULL;
}

struct claw_event *claw_event_waited(uint64_t handle)
{
	struct claw_event *event = claw_event_find(handle);

	if (!event && own.crowded)
		claw_found_count(CLAW_COUNT_COMMANDS_LOST, 1);
	return event;
}

static void remove_at(uint32_t *word)
{
	uint32_t index = *word;
	struct claw_event *event = &own.events[index - 1];

	*word = event->next;
	event->next = own.free;
	own.free = index;
}

void claw_event_give_gate(struct claw_event *event)
{
	if (event->gate != UINT64_C(1) << CLAW_OTHER_GATES)
		own.gates &= ~event->gate;
	event->gate = 0;
}

void claw_event_forget(uint64_t handle)
{
	uint32_t *word = find_word(handle);

	/* Its gate is not used again: what waits for it waits for ever. */
	if (*word)
		remove_at(word);
}

static struct claw_event *add(uint64_t handle)
{
	uint32_t index, *bucket = bucket_of(handle);
	struct claw_event *event;

	claw_event_forget(handle);
	index = own.free;
	if (index)
		own.free = own.events[index - 1].next;
	else if (own.fresh < CLAW_EVENTS)
		index = ++own.fresh;
	else
		own.crowded = true;
	if (!index)
		return NULL;
	event = &own.events[index - 1];
	*event = (struct claw_event){
		.handle = handle, .next = *bucket,
	};
	*bucket = index;
	return event;
}

void claw_event_add(uint64_t handle, uint32_t index)
{
	struct claw_event *event = add(handle);
	const struct claw_command *command = claw_command_at(index);

	if (!event)
		return;
	event->slot = command->slot;
	event->number = command->number;
	event->sequence = command->sequence;
	event->record = index;
}

void claw_event_add_user(uint64_t handle, uint32_t site)
{
	struct claw_event *event = add(handle);

	if (!event)
		return;
	event->is_user = true;
	event->api = CLAW_API_clCreateUserEvent;
	event->site = site;
}

bool claw_event_released(uint64_t handle, struct claw_event *ret)
{
	uint32_t *word = find_word(handle);

	if (!*word)
		return false;
	*ret = own.events[*word - 1];
	remove_at(word);
	return true;
}

uint64_t claw_event_gate(struct claw_event *event)
{
	if (!event->gate) {
		event->gate = ~own.gates & (own.gates + 1);
		if (!event->gate ||
		    event->gate >= UINT64_C(1) << CLAW_OTHER_GATES)
			event->gate = UINT64_C(1) << CLAW_OTHER_GATES;
		else
			own.gates |= event->gate;
	}
	return event->gate;
}

void claw_event_complete(uint64_t handle)
{
	const struct claw_event *event = claw_event_waited(handle);
	const struct claw_command *command;

	if (!event) {
		claw_order_complete_all();
		return;
	}
	if (event->is_user ||
	    claw_order_is_complete(event->slot, event->number))
		return;
	command = claw_command_at(event->record);
	if (command->sequence == event->sequence)
		claw_order_complete(command);
	else
		claw_order_complete_number(event->slot, event->number);
}
