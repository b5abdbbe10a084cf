/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Read a ledger that nothing is known of: its process may be changing it at
 * this moment, may have been killed in the middle, or the file may be made to
 * harm. Nothing in it is believed: what lies outside of the file, what cannot
 * be an object and what is there twice is counted as damaged and left out.
 */
#include "config.h"

#include "ledger_reader.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "harness/files/byte_source.h"
#include "harness/base/errors.h"
#include "harness/base/memory.h"

enum {
	GROWN_ENTRY_FACTOR = 4,	/* a later version's entries */
	CHUNK_BYTES = 256 * 1024,
	/* A shard that moves is there again in microseconds. Of all shards
	 * together, because a process that was killed never finishes. */
	RETRIES = 100,
	RETRY_NS = 1000000,
	CALLS_UNDER_WAY = 4096,	/* creations not counted yet */
};

_Static_assert(CHUNK_BYTES >= GROWN_ENTRY_FACTOR *
	       (int)sizeof(struct claw_ledger_entry), "an entry fits");

/* Where entries are gathered; the array is larger than its count. */
struct reading {
	struct claw_source *source;
	unsigned int retries;	/* left; none for bytes: they do not change */
	struct claw_ledger_header header;
	struct claw_ledger *ledger;
	size_t room;
	unsigned char *chunk;	/* CHUNK_BYTES */
	uint64_t claimed_bytes;	/* of the file, by shards */
};

static uint64_t smaller(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Give the process time to finish what it is at. */
static bool try_again(struct reading *reading)
{
	if (reading->retries == 0)
		return false;
	reading->retries--;
	nanosleep(&(struct timespec) { .tv_nsec = RETRY_NS }, NULL);
	claw_source_look(reading->source);
	return true;
}

/* ---- entries */

static bool is_object(const struct claw_ledger_entry *entry)
{
	return entry->serial != 0 && entry->object > CLAW_OBJ_NONE &&
		entry->object < CLAW_OBJ_COUNT &&
		entry->references <= INT32_MAX;
}

static void add_entry(struct reading *reading,
		      const struct claw_ledger_entry *entry)
{
	struct claw_ledger *ledger = reading->ledger;

	if (ledger->count == reading->room) {
		size_t room = reading->room ? reading->room * 2 : 256;
		struct claw_ledger_entry *larger =
			claw_grow(ledger->entries, room, sizeof(*larger));

		ledger->entries = larger;
		reading->room = room;
	}
	ledger->entries[ledger->count++] = *entry;
}

/* The entries at this place; *ret_damaged are left out. */
static void read_entries(struct reading *reading, uint64_t offset,
			 uint64_t count, uint64_t *ret_damaged)
{
	size_t stride = reading->header.entry_bytes;
	uint64_t done = 0;

	while (done < count) {
		uint64_t at_once = smaller(CHUNK_BYTES / stride, count - done);
		size_t got = claw_source_read(reading->source, offset + done * stride,
				     reading->chunk, at_once * stride) / stride;

		for (size_t i = 0; i < got; i++) {
			struct claw_ledger_entry entry;

			memcpy(&entry, reading->chunk + i * stride,
			       sizeof(entry));
			if (entry.handle <= 1)
				continue;
			if (!is_object(&entry))
				++*ret_damaged;
			else add_entry(reading, &entry);
		}
		done += got;
		if (got < at_once)
			break;		/* it became shorter meanwhile */
	}
	*ret_damaged += done < count;
}

/* Is that a place in the file? Shards do not overlap, so all of them together
 * are no longer than it. */
static bool is_place(const struct reading *reading,
		     const struct claw_ledger_shard *shard)
{
	uint64_t size = reading->source->size;
	uint64_t bytes = (uint64_t)shard->capacity *
		reading->header.entry_bytes;

	return shard->offset >= sizeof(reading->header) &&
		shard->offset <= size && bytes <= size - shard->offset &&
		bytes <= size - smaller(size, reading->claimed_bytes);
}

static bool read_shard_word(const struct reading *reading, size_t index,
			    struct claw_ledger_shard *ret_shard)
{
	uint64_t offset = offsetof(struct claw_ledger_header, shards) +
		index * sizeof(*ret_shard);

	return claw_source_read(reading->source, offset, ret_shard,
		       sizeof(*ret_shard)) == sizeof(*ret_shard);
}

/* All entries of a shard, none when it stays on the move. */
static void read_shard(struct reading *reading, size_t index)
{
	struct claw_ledger *ledger = reading->ledger;
	size_t before = ledger->count;

	for (;;) {
		struct claw_ledger_shard shard, later;
		uint64_t damaged = 0, bytes = 0;
		bool settled = false;

		if (!read_shard_word(reading, index, &shard)) {
			ledger->damaged++;
			return;
		}
		if (shard.sequence % 2 == 0) {
			if (shard.capacity == 0)
				return;
			claw_source_look(reading->source);
			damaged = 1;
			if (is_place(reading, &shard)) {
				damaged = 0;
				bytes = (uint64_t)shard.capacity *
					reading->header.entry_bytes;
				read_entries(reading, shard.offset,
					     shard.capacity, &damaged);
			}
			settled = read_shard_word(reading, index, &later) &&
				later.sequence == shard.sequence;
		}
		if (settled) {
			ledger->damaged += damaged;
			reading->claimed_bytes += bytes;
			return;
		}
		ledger->count = before;
		if (!try_again(reading)) {
			ledger->damaged++;
			return;
		}
	}
}

static int compare_serials(const void *a, const void *b)
{
	uint64_t first = ((const struct claw_ledger_entry *)a)->serial;
	uint64_t second = ((const struct claw_ledger_entry *)b)->serial;

	return (first > second) - (first < second);
}

/* In order of their serials; one that is there twice stays once. */
static void sort_entries(struct reading *reading)
{
	struct claw_ledger *ledger = reading->ledger;
	uint64_t last = ledger->created + CALLS_UNDER_WAY;
	size_t kept = 0;

	if (ledger->count > 0)
		qsort(ledger->entries, ledger->count, sizeof(*ledger->entries),
		      compare_serials);
	for (size_t i = 0; i < ledger->count; i++) {
		uint64_t serial = ledger->entries[i].serial;

		if (serial > last ||
		    (kept > 0 && ledger->entries[kept - 1].serial == serial))
			ledger->damaged++;
		else
			ledger->entries[kept++] = ledger->entries[i];
	}
	ledger->count = kept;
}

/* ---- holds */

static void copy_holds(struct reading *reading, uint64_t offset, uint64_t count)
{
	struct claw_ledger *ledger = reading->ledger;
	size_t stride = reading->header.hold_bytes;

	free(ledger->holds);
	ledger->hold_count = 0;
	ledger->holds = claw_calloc(count ? count : 1, sizeof(*ledger->holds));
	while (ledger->hold_count < count) {
		uint64_t at_once = smaller(CHUNK_BYTES / stride,
					   count - ledger->hold_count);
		size_t got = claw_source_read(reading->source, offset +
				     ledger->hold_count * stride,
				     reading->chunk, at_once * stride) / stride;

		for (size_t i = 0; i < got; i++)
			memcpy(&ledger->holds[ledger->hold_count++],
			       reading->chunk + i * stride,
			       sizeof(*ledger->holds));
		if (got < at_once)
			break;
	}
	ledger->damaged += ledger->hold_count < count;
}

static void read_holds(struct reading *reading)
{
	struct claw_ledger_header before, after;

	do {
		uint64_t count, size;

		if (claw_source_read(reading->source, 0, &before, sizeof(before)) !=
		    sizeof(before))
			return;
		claw_source_look(reading->source);
		size = reading->source->size;
		count = before.holds_capacity;
		if (count > 0 && (before.holds_offset < sizeof(before) ||
				  before.holds_offset > size ||
				  count > (size - before.holds_offset) /
				  reading->header.hold_bytes)) {
			reading->ledger->damaged++;
			return;
		}
		copy_holds(reading, before.holds_offset, count);
		if (claw_source_read(reading->source, 0, &after,
				       sizeof(after)) != sizeof(after))
			return;
	} while ((after.holds_offset != before.holds_offset ||
		  after.holds_capacity != before.holds_capacity) &&
		 try_again(reading));
}

/* Memory holds nothing: a device model keeps its place there. */
static bool has_place(const struct claw_ledger_entry *entry)
{
	return entry->object == CLAW_OBJ_MEM || entry->object == CLAW_OBJ_SVM;
}

/* A chain may be several objects'. What leads back into it is cut off, so that
 * every chain has an end: each hold has the number of the walk that came by. */
static void check_chains(struct claw_ledger *ledger)
{
	size_t *walks = claw_calloc(ledger->hold_count + 1, sizeof(*walks));

	for (size_t i = 0; i < ledger->count; i++) {
		uint32_t *link = &ledger->entries[i].hold;

		if (has_place(&ledger->entries[i]))
			*link = 0;
		while (*link != 0) {
			if (*link > ledger->hold_count ||
			    walks[*link - 1] == i + 1) {
				ledger->damaged++;
				*link = 0;
				break;
			}
			/* From here on it has an end. */
			if (walks[*link - 1])
				break;
			walks[*link - 1] = i + 1;
			link = &ledger->holds[*link - 1].next;
		}
	}
	free(walks);
}

/* ---- whole ledgers */

static int read_header(struct reading *reading)
{
	struct claw_ledger_header *header = &reading->header;
	int ret = claw_source_read_head(reading->source, header,
					sizeof(*header), CLAW_LEDGER_MAGIC,
					CLAW_LEDGER_VERSION);

	if (ret < 0)
		return ret;
	if (header->entry_bytes < sizeof(struct claw_ledger_entry) ||
	    header->entry_bytes > GROWN_ENTRY_FACTOR *
	    sizeof(struct claw_ledger_entry) ||
	    header->hold_bytes < sizeof(struct claw_ledger_hold) ||
	    header->hold_bytes > GROWN_ENTRY_FACTOR *
	    sizeof(struct claw_ledger_hold))
		return -CLAW_E_DAMAGED;
	return 0;
}

/* What counts is what the header says after the entries were read. */
static void take_counts(struct reading *reading)
{
	struct claw_ledger_header now = reading->header;
	struct claw_ledger *ledger = reading->ledger;

	claw_source_read(reading->source, 0, &now, sizeof(now));
	ledger->pid = now.pid;
	ledger->forked = now.forked != 0;
	ledger->has_sites = now.has_sites != 0;
	ledger->dropped = now.dropped;
	ledger->unknown = now.unknown;
	ledger->created = smaller(now.created, UINT64_MAX - CALLS_UNDER_WAY);
	if (now.file_bytes > reading->source->size)
		ledger->damaged++;
}

static int read_source(struct claw_source *source, struct claw_ledger *ret_ledger)
{
	struct claw_ledger ledger = { .entries = NULL };
	struct reading reading = {
		.source = source, .retries = source->bytes ? 0 : RETRIES,
		.ledger = &ledger,
	};
	int ret = read_header(&reading);

	if (ret < 0)
		return ret;
	reading.chunk = claw_malloc(CHUNK_BYTES);
	for (size_t i = 0; i < CLAW_LEDGER_SHARDS; i++)
		read_shard(&reading, i);
	read_holds(&reading);
	claw_source_look(source);
	take_counts(&reading);
	sort_entries(&reading);
	check_chains(&ledger);
	free(reading.chunk);
	*ret_ledger = ledger;
	return 0;
}

int claw_ledger_read(const char *path, struct claw_ledger *ret_ledger)
{
	struct claw_source source;
	int ret = claw_source_open_own(path, &source);

	if (ret < 0)
		return ret;
	ret = read_source(&source, ret_ledger);
	claw_source_close(&source);
	return ret;
}

int claw_ledger_read_memory(const void *bytes, size_t size,
			    struct claw_ledger *ret_ledger)
{
	struct claw_source source = { .fd = -1, .bytes = bytes, .size = size };

	if (!bytes)
		return -CLAW_E_DAMAGED;
	return read_source(&source, ret_ledger);
}

void claw_ledger_release(struct claw_ledger *ledger)
{
	free(ledger->entries);
	free(ledger->holds);
	*ledger = (struct claw_ledger) { .entries = NULL };
}

const struct claw_ledger_entry *
claw_ledger_find(const struct claw_ledger *ledger, uint64_t handle,
		 uint64_t serial)
{
	const struct claw_ledger_entry wanted = { .serial = serial };
	const struct claw_ledger_entry *found = !ledger->count ? NULL :
		bsearch(&wanted, ledger->entries, ledger->count,
			sizeof(wanted), compare_serials);

	return found && found->handle == handle ? found : NULL;
}
