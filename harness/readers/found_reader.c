/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Read findings that nothing is known of, as a ledger is read
 * (ledger_reader.c): nothing in the file is believed.
 */
#include "config.h"

#include "found_reader.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "harness/files/byte_source.h"
#include "harness/base/errors.h"
#include "harness/base/memory.h"

enum {
	GROWN_ENTRY_FACTOR = 4,		/* a later version's entries */
	CAPACITY_MAX = 64 * CLAW_FOUND_CAPACITY,	/* the same */
	ENTRIES_AT_ONCE = 32,
	/* An entry that is being written is there in microseconds; that of a
	 * process that was killed never is. */
	RETRIES = 20,
	RETRY_NS = 1000000,
};

enum level { ERROR, NOTE };

static const struct {
	const char *name;
	enum level level;
	const char *code;
} kinds[CLAW_FOUND_KIND_COUNT] = {
#define FOUND(id_, name_, level_, code_, ...) { name_, level_, code_ },
#include "faults/shared/found_kinds.def"
#undef FOUND
};

const char *claw_found_kind_name(enum claw_found_kind kind)
{
	return kinds[kind].name;
}

const char *claw_found_kind_code(enum claw_found_kind kind)
{
	return kinds[kind].code;
}

bool claw_found_kind_is_note(enum claw_found_kind kind)
{
	return kinds[kind].level == NOTE;
}

/* ---- entries */

static bool is_place(const struct claw_found_place *place)
{
	return place->object < CLAW_OBJ_COUNT;
}

/* Could the guest have written it? */
static bool is_sound(const struct claw_found_entry *entry)
{
	return entry->complete == 1 && entry->kind < CLAW_FOUND_KIND_COUNT &&
		entry->sure <= CLAW_SURE_LIKELY && entry->answered <= 1 &&
		entry->times > 0 && is_place(&entry->at) &&
		is_place(&entry->second) && is_place(&entry->third) &&
		memchr(entry->name, '\0', sizeof(entry->name));
}

static bool is_untouched(const struct claw_found_entry *entry)
{
	static const struct claw_found_entry zeros;

	return memcmp(entry, &zeros, sizeof(zeros)) == 0;
}

/* Some entries of a file, as they were at one time. */
struct block {
	size_t got;
	unsigned char bytes[ENTRIES_AT_ONCE * GROWN_ENTRY_FACTOR *
			    sizeof(struct claw_found_entry)];
};

/* Entry i, read with those behind it when it is the block's first. */
static bool read_entry(const struct claw_source *source,
		       const struct claw_found_header *header, uint64_t i,
		       struct block *block, struct claw_found_entry *ret_entry)
{
	size_t at = (size_t)(i % ENTRIES_AT_ONCE) * header->entry_bytes;

	if (!at)
		block->got = claw_source_read(source, header->header_bytes +
					      i * header->entry_bytes,
					      block->bytes, ENTRIES_AT_ONCE *
					      (size_t)header->entry_bytes);
	if (block->got < at + sizeof(*ret_entry))
		return false;
	memcpy(ret_entry, block->bytes + at, sizeof(*ret_entry));
	return true;
}

/*
 * All entries of the file as it is now. What the header says of their number
 * is taken for what should be there, not for what is. False: something is
 * being written, or was when its process was killed.
 */
static bool read_entries(const struct claw_source *source,
			 const struct claw_found_header *header,
			 struct claw_found_file *found)
{
	struct claw_found_header now = *header;
	struct block block;
	bool settled = true;

	found->count = 0;
	found->damaged = 0;
	for (uint64_t i = 0; i < header->capacity; i++) {
		struct claw_found_entry entry;

		if (!read_entry(source, header, i, &block, &entry)) {
			found->damaged++;	/* cut off */
			break;
		}
		if (i >= now.used && is_untouched(&entry))
			continue;
		if (i >= now.used)
			claw_source_read(source, 0, &now, sizeof(now));
		if (is_sound(&entry)) {
			found->entries[found->count++] = entry;
			found->damaged += i >= now.used;
		} else {
			found->damaged++;
			settled = false;
		}
	}
	found->damaged += now.used > header->capacity;
	return settled;
}

static int read_header(const struct claw_source *source,
		       struct claw_found_header *header)
{
	int ret = claw_source_read_head(source, header, sizeof(*header),
					CLAW_FOUND_MAGIC, CLAW_FOUND_VERSION);

	if (ret < 0)
		return ret;
	if (header->entry_bytes < sizeof(struct claw_found_entry) ||
	    header->entry_bytes > GROWN_ENTRY_FACTOR *
	    sizeof(struct claw_found_entry) ||
	    header->capacity > CAPACITY_MAX)
		return -CLAW_E_DAMAGED;
	return 0;
}

static int read_source(const struct claw_source *source,
		       struct claw_found_file *ret_found)
{
	struct claw_found_file found = { .entries = NULL };
	struct claw_found_header header;
	int ret = read_header(source, &header);
	int retries = source->bytes ? 0 : RETRIES;

	if (ret < 0)
		return ret;
	found.entries = claw_calloc(header.capacity + 1,
				    sizeof(*found.entries));
	while (!read_entries(source, &header, &found) && retries-- > 0)
		nanosleep(&(struct timespec) { .tv_nsec = RETRY_NS }, NULL);
	claw_source_read(source, 0, &header, sizeof(header));
	found.pid = header.pid;
	found.modes = header.modes;
	found.lost = header.lost;
	memcpy(found.counts, header.counts, sizeof(found.counts));
	*ret_found = found;
	return 0;
}

/* ---- public */

int claw_found_file_read(const char *path, struct claw_found_file *ret_found)
{
	struct claw_source source;
	int ret = claw_source_open_own(path, &source);

	if (ret < 0)
		return ret;
	ret = read_source(&source, ret_found);
	claw_source_close(&source);
	return ret;
}

int claw_found_file_read_memory(const void *bytes, size_t size,
				struct claw_found_file *ret_found)
{
	struct claw_source source = { .fd = -1, .bytes = bytes, .size = size };

	if (!bytes)
		return -CLAW_E_DAMAGED;
	return read_source(&source, ret_found);
}

void claw_found_file_release(struct claw_found_file *found)
{
	free(found->entries);
	*found = (struct claw_found_file) { .entries = NULL };
}
