/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Place the objects of a ledger first-fit, and see what is left between them.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "profile_fragments.h"

enum { UNIT = 256 };	/* bytes that a place is a multiple of */

struct claw_fragment {
	uint64_t serial, start, bytes;
};

void claw_fragments_init(struct claw_fragments *fragments,
			 uint64_t device_bytes)
{
	*fragments = (struct claw_fragments){ .device_bytes = device_bytes };
}

void claw_fragments_release(struct claw_fragments *fragments)
{
	free(fragments->placed);
	fragments->placed = NULL;
	fragments->count = fragments->capacity = 0;
}

double claw_fragments_part(const struct claw_fragments_moment *moment)
{
	return moment->free_bytes ? 1 - (double)moment->largest_bytes /
		(double)moment->free_bytes : 0;
}

/* ---- places ------------------------------------------------------------ */

static bool takes_memory(const struct claw_ledger_entry *entry)
{
	return (entry->object == CLAW_OBJ_MEM ||
		entry->object == CLAW_OBJ_SVM) && entry->bytes &&
	       !(entry->flags & (CLAW_LEDGER_SUB | CLAW_LEDGER_HOST_PTR));
}

/* The entry with a serial, by which entries are in order; or -1. */
static long find_entry(const struct claw_ledger *ledger, uint64_t serial)
{
	size_t low = 0, high = ledger->count;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (ledger->entries[middle].serial < serial)
			low = middle + 1;
		else
			high = middle;
	}
	return low < ledger->count && ledger->entries[low].serial == serial ?
		(long)low : -1;
}

/* Which entries have a place already; for free(). */
static bool *remove_dead(struct claw_fragments *fragments,
			 const struct claw_ledger *ledger)
{
	bool *has_place = claw_calloc(ledger->count + 1, sizeof(*has_place));
	size_t kept = 0;

	for (size_t i = 0; i < fragments->count; i++) {
		long entry = find_entry(ledger, fragments->placed[i].serial);

		if (entry < 0)
			continue;
		has_place[entry] = true;
		fragments->placed[kept++] = fragments->placed[i];
	}
	fragments->count = kept;
	return has_place;
}

static uint64_t end_of(const struct claw_fragment *placed)
{
	return placed->start + placed->bytes;
}

/* The first gap that it fits in: the index to put it at, or -1. */
static long find_gap(const struct claw_fragments *fragments, uint64_t bytes,
		     uint64_t *ret_start)
{
	uint64_t start = 0;

	for (size_t i = 0; i < fragments->count; i++) {
		if (fragments->placed[i].start - start >= bytes) {
			*ret_start = start;
			return (long)i;
		}
		start = end_of(&fragments->placed[i]);
	}
	*ret_start = start;
	return fragments->device_bytes - start >= bytes ?
		(long)fragments->count : -1;
}

static void make_room(struct claw_fragments *fragments)
{
	size_t capacity = fragments->capacity ? 2 * fragments->capacity : 64;

	if (fragments->count < fragments->capacity)
		return;
	fragments->placed = claw_grow(fragments->placed, capacity,
				      sizeof(*fragments->placed));
	fragments->capacity = capacity;
}

static void place(struct claw_fragments *fragments,
		  const struct claw_ledger_entry *entry)
{
	uint64_t bytes = entry->bytes, start;
	long at = -1;

	if (bytes <= fragments->device_bytes) {
		bytes = (bytes + UNIT - 1) / UNIT * UNIT;
		at = find_gap(fragments, bytes, &start);
	}
	if (at < 0 || fragments->count == CLAW_FRAGMENTS_MAX) {
		fragments->overflowed = true;
		return;
	}
	make_room(fragments);
	memmove(&fragments->placed[at + 1], &fragments->placed[at],
		(fragments->count - (size_t)at) * sizeof(*fragments->placed));
	fragments->placed[at] = (struct claw_fragment){
		.serial = entry->serial, .start = start, .bytes = bytes,
	};
	fragments->count++;
}

/* ---- a look ------------------------------------------------------------ */

static void measure(struct claw_fragments *fragments)
{
	struct claw_fragments_moment now = { .used_bytes = 0 };
	uint64_t start = 0, gap;

	for (size_t i = 0; i < fragments->count; i++) {
		gap = fragments->placed[i].start - start;
		if (gap > now.largest_bytes)
			now.largest_bytes = gap;
		now.used_bytes += fragments->placed[i].bytes;
		start = end_of(&fragments->placed[i]);
	}
	gap = fragments->device_bytes - start;
	if (gap > now.largest_bytes)
		now.largest_bytes = gap;
	now.free_bytes = fragments->device_bytes - now.used_bytes;
	if (!fragments->looks || claw_fragments_part(&now) >
	    claw_fragments_part(&fragments->worst))
		fragments->worst = now;
	if (!fragments->looks || now.used_bytes > fragments->peak.used_bytes)
		fragments->peak = now;
	fragments->looks++;
}

void claw_fragments_look(struct claw_fragments *fragments,
			 const struct claw_ledger *ledger)
{
	bool *has_place;

	if (fragments->overflowed)
		return;
	if (ledger->count > CLAW_FRAGMENTS_MAX) {
		fragments->overflowed = true;
		return;
	}
	has_place = remove_dead(fragments, ledger);
	/* In the order in which they were made. A ledger is read shard by shard
	 * while its program goes on: an entry can be there that was made after
	 * one that only the next look sees. */
	for (size_t i = 0; i < ledger->count; i++)
		if (!has_place[i] && takes_memory(&ledger->entries[i]))
			place(fragments, &ledger->entries[i]);
	free(has_place);
	if (!fragments->overflowed)
		measure(fragments);
}
