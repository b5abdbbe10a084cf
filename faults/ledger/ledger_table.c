/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table of entries: in each shard an array in the file, searched from a
 * place that the handle tells. An array that is too full, or too empty, is
 * copied to a place of the right size, and its old place given back.
 */
#include "config.h"

#include "ledger_private.h"

#include <string.h>

/* A search for what is there meets 2.5 entries at most on average, each 64
 * bytes; after a move an object takes 107 bytes. */
static uint32_t limit_of(uint32_t capacity)
{
	return capacity - capacity / 4;
}

/* With no space for a larger place. */
static uint32_t last_limit_of(uint32_t capacity)
{
	return capacity - capacity / 16;
}

static uint32_t smallest_capacity(void)
{
	return (uint32_t)(claw_space_page_bytes() /
			  sizeof(struct claw_ledger_entry));
}

/* Entries in whole pages, so that used ones are three of five. */
static uint64_t wanted_capacity(uint32_t used)
{
	uint64_t page = smallest_capacity();

	return ((used + 1) * UINT64_C(5) / 3 + page - 1) / page * page;
}

static struct claw_ledger_shard *shard_of(const struct claw_ledger_place *place)
{
	return &claw_own_ledger.header->shards[place - claw_own_ledger.places];
}

/* Tell the readers. */
static void publish(struct claw_ledger_place *place)
{
	struct claw_ledger_shard *shard = shard_of(place);
	uint32_t sequence = shard->sequence;

	__atomic_store_n(&shard->sequence, sequence + 1, __ATOMIC_RELAXED);
	__atomic_thread_fence(__ATOMIC_RELEASE);
	shard->offset = place->offset;
	shard->capacity = place->capacity;
	shard->used = place->used;
	__atomic_store_n(&shard->sequence, sequence + 2, __ATOMIC_RELEASE);
}

static void set_place(struct claw_ledger_place *place, uint64_t offset,
		      uint64_t bytes)
{
	place->offset = offset;
	place->bytes = bytes;
	place->entries = claw_space_at(offset);
	place->capacity = (uint32_t)(bytes / sizeof(*place->entries));
	place->limit = limit_of(place->capacity);
	place->low = place->capacity > smallest_capacity() ?
		place->capacity / 5 : 0;
	place->cleared = 0;
}

static void copy_entries(const struct claw_ledger_place *place,
			 struct claw_ledger_entry *to, uint32_t capacity)
{
	for (uint32_t i = 0; i < place->capacity; i++) {
		const struct claw_ledger_entry *entry = &place->entries[i];
		uint32_t j;

		if (entry->handle <= CLAW_CLEARED)
			continue;
		j = claw_entry_start(claw_entry_mix(entry->handle,
						    entry->object), capacity);
		while (to[j].handle)
			if (++j == capacity)
				j = 0;
		to[j] = *entry;
	}
}

void claw_entry_forget_recent(void)
{
	static struct claw_ledger_entry nobody;

	for (unsigned int i = 0; i < CLAW_LEDGER_RECENT; i++)
		__atomic_store_n(&claw_own_ledger.recent[i], &nobody,
				 __ATOMIC_RELAXED);
}

struct claw_ledger_entry *
claw_entry_meet_slowly(enum claw_turn turn, uint64_t handle, unsigned int object,
		       struct claw_ledger_place **ret_place)
{
	uint64_t mix = claw_entry_mix(handle, object);
	struct claw_ledger_place *place = claw_entry_place(mix);
	struct claw_ledger_entry *entry;

	if (handle <= CLAW_CLEARED || !claw_lock(turn, &place->lock))
		return NULL;
	entry = claw_entry_find(place, mix, handle, object);
	if (!entry)
		claw_unlock(turn, &place->lock);
	else if (turn == CLAW_TURN_ALONE)
		*claw_entry_recent(handle) = entry;
	else
		*ret_place = place;
	return entry;
}

/* To a place of the right size. */
static bool move(struct claw_ledger_place *place)
{
	uint64_t capacity = wanted_capacity(place->used);
	uint64_t bytes = capacity * sizeof(struct claw_ledger_entry);
	uint64_t offset, old_offset = place->offset, old_bytes = place->bytes;
	sigset_t all, before;
	bool taken;

	if (capacity > UINT32_MAX)
		return false;
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	taken = claw_space_take(bytes, &offset);
	if (taken) {
		copy_entries(place, claw_space_at(offset), (uint32_t)capacity);
		set_place(place, offset, bytes);
		publish(place);
		claw_entry_forget_recent();
		claw_space_give(old_offset, old_bytes);
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	return taken;
}

static bool said;

static void say_full(void)
{
	if (!__atomic_exchange_n(&said, true, __ATOMIC_RELAXED))
		claw_say("no space for the ledger to grow: objects beyond that "
			 "are not known, and counted");
}

/* Is there room, after a move if need be? Without space the place fills up
 * some more; then asking the system each time would only take time. */
static bool has_room(struct claw_ledger_place *place)
{
	uint32_t last = last_limit_of(place->capacity);

	if (place->used + place->cleared < place->limit)
		return true;
	if (place->limit < last ||
	    !(__atomic_load_n(&claw_own_ledger.header->dropped,
			      __ATOMIC_RELAXED) & 1023)) {
		if (move(place))
			return true;
		say_full();
		place->limit += (place->capacity + 31) / 32;
		if (place->limit > last)
			place->limit = last;
	}
	return place->used + place->cleared < last;
}

struct claw_ledger_entry *claw_table_add(struct claw_ledger_place *place,
					 uint64_t mix)
{
	bool room = has_room(place);
	uint32_t i = claw_entry_start(mix, place->capacity);
	struct claw_ledger_entry *entry;

	while (place->entries[i].handle > CLAW_CLEARED)
		if (++i == place->capacity)
			i = 0;
	entry = &place->entries[i];
	if (entry->handle == CLAW_CLEARED)
		place->cleared--;
	else if (!room)
		return NULL;
	place->used++;
	shard_of(place)->used = place->used;
	return entry;
}

void claw_table_remove(struct claw_ledger_place *place,
		       struct claw_ledger_entry *entry)
{
	uint32_t last = place->capacity - 1;
	uint32_t i = (uint32_t)(entry - place->entries);
	bool ends = !place->entries[i == last ? 0 : i + 1].handle;

	__atomic_store_n(&entry->handle, ends ? CLAW_FREE : CLAW_CLEARED,
			 __ATOMIC_RELEASE);
	place->cleared += !ends;
	/* What no search has to go on behind is free again. */
	while (ends) {
		i = i ? i - 1 : last;
		ends = place->entries[i].handle == CLAW_CLEARED;
		if (ends) {
			place->entries[i].handle = CLAW_FREE;
			place->cleared--;
		}
	}
	place->used--;
	shard_of(place)->used = place->used;
	if (place->used < place->low && !move(place))
		place->low = 0;
}

bool claw_table_begin(void)
{
	uint64_t bytes = claw_space_page_bytes();
	uint64_t offset;

	said = false;
	claw_entry_forget_recent();
	/* One after the other, had in one piece. */
	if (!claw_space_take(bytes * CLAW_LEDGER_SHARDS, &offset))
		return false;
	for (unsigned int i = 0; i < CLAW_LEDGER_SHARDS; i++) {
		struct claw_ledger_place *place = &claw_own_ledger.places[i];

		memset(place, 0, sizeof(*place));
		set_place(place, offset + i * bytes, bytes);
		publish(place);
	}
	return true;
}
