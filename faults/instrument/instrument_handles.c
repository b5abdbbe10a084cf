/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables of what is kept of the program's handles: an entry lives as long as
 * the program has references to its handle, or somebody is at it.
 */
#include "config.h"

#include "instrument_private.h"

#include <string.h>

#include "faults/ledger/ledger_turn.h"

enum { ENTRIES_MAX = 1 << 16 };

struct claw_probed_entry **claw_probed_find(struct claw_probed_table *table,
					    const void *handle)
{
	struct claw_probed_entry **link =
		&table->buckets[claw_entry_mix((uintptr_t)handle, 0) >> 32 &
				(CLAW_PROBED_BUCKETS - 1)];

	while (*link && (*link)->handle != handle)
		link = &(*link)->next;
	return link;
}

void claw_probed_leave(struct claw_probed_table *table,
		       struct claw_probed_entry *entry)
{
	bool is_last;

	pthread_mutex_lock(&table->lock);
	is_last = !--entry->users;
	pthread_mutex_unlock(&table->lock);
	if (is_last)
		table->release(entry);
}

struct claw_probed_entry *claw_probed_hold(struct claw_probed_table *table,
					   const void *handle)
{
	struct claw_probed_entry *entry;

	pthread_mutex_lock(&table->lock);
	entry = *claw_probed_find(table, handle);
	if (entry)
		entry->users++;
	pthread_mutex_unlock(&table->lock);
	return entry;
}

/* Under the lock: out of the table; the caller leaves it. */
static struct claw_probed_entry *take_out(struct claw_probed_table *table,
					  const void *handle)
{
	struct claw_probed_entry **link = claw_probed_find(table, handle);
	struct claw_probed_entry *old = *link;

	if (old) {
		*link = old->next;
		table->count--;
	}
	return old;
}

void claw_probed_remove(struct claw_probed_table *table, const void *handle)
{
	struct claw_probed_entry *old;

	pthread_mutex_lock(&table->lock);
	old = take_out(table, handle);
	pthread_mutex_unlock(&table->lock);
	if (old)
		claw_probed_leave(table, old);
}

bool claw_probed_add(struct claw_probed_table *table,
		     struct claw_probed_entry *entry, void *handle)
{
	struct claw_probed_entry **bucket, *old;
	bool has_room;

	entry->handle = handle;
	entry->references = entry->users = 1;
	pthread_mutex_lock(&table->lock);
	old = take_out(table, handle);
	has_room = table->count < ENTRIES_MAX;
	if (has_room) {
		bucket = claw_probed_find(table, handle);
		entry->next = *bucket;
		*bucket = entry;
		table->count++;
	}
	pthread_mutex_unlock(&table->lock);
	if (old)
		claw_probed_leave(table, old);
	return has_room;
}

void claw_probed_retain(struct claw_probed_table *table, const void *handle)
{
	struct claw_probed_entry *entry;

	pthread_mutex_lock(&table->lock);
	entry = *claw_probed_find(table, handle);
	if (entry)
		entry->references++;
	pthread_mutex_unlock(&table->lock);
}

void claw_probed_release(struct claw_probed_table *table, const void *handle)
{
	struct claw_probed_entry *entry;
	bool is_last;

	pthread_mutex_lock(&table->lock);
	entry = *claw_probed_find(table, handle);
	is_last = entry && !--entry->references;
	if (is_last)
		take_out(table, handle);
	pthread_mutex_unlock(&table->lock);
	if (is_last)
		claw_probed_leave(table, entry);
}

void claw_probed_table_begin(struct claw_probed_table *table,
			     void (*release)(struct claw_probed_entry *entry))
{
	pthread_mutex_init(&table->lock, NULL);
	memset(table->buckets, 0, sizeof(table->buckets));
	table->count = 0;
	table->release = release;
}
