/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The journal's tables: strings, modules, sites and rules. Each entry is
 * written once, under the lock, and found again by its content.
 */
#include "config.h"

#include "journal_private.h"

#include <string.h>

enum {
	TEXT_SLOTS = 1 << 13,
	SITE_SLOTS = 1 << 12,
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Offsets of strings, numbers of sites, both by hash; 0 is empty. */
static uint32_t text_slots[TEXT_SLOTS];
static uint16_t site_slots[SITE_SLOTS];

/* Of an index without a slot: nobody reads it. */
static struct claw_journal_rule no_rule;

void claw_journal_lock(sigset_t *ret_mask)
{
	sigset_t all;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, ret_mask);
	pthread_mutex_lock(&lock);
}

void claw_journal_unlock(const sigset_t *mask)
{
	pthread_mutex_unlock(&lock);
	sigprocmask(SIG_SETMASK, mask, NULL);
}

void claw_journal_lock_reset(void)
{
	lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
}

/* ---- strings, modules, sites */

/* The slot where that string would be, or NULL; *ret_offset: where it is, or 0.
 * Without the lock, too: what is in a slot stays as it is. */
static uint32_t *find_text_slot(const char *text, size_t length,
				uint32_t check, uint32_t *ret_offset)
{
	*ret_offset = 0;
	for (uint32_t i = 0; i < TEXT_SLOTS; i++) {
		uint32_t *slot = &text_slots[(check + i) & (TEXT_SLOTS - 1)];
		uint32_t offset = __atomic_load_n(slot, __ATOMIC_ACQUIRE);
		const struct claw_journal_text *entry;

		if (offset == 0)
			return slot;
		entry = claw_journal_entry(&claw_own_journal.layout.strings,
					   offset);
		if (entry->check == check && entry->length == length &&
		    memcmp(entry + 1, text, length) == 0) {
			*ret_offset = offset;
			return slot;
		}
	}
	return NULL;
}

/* Under the lock. */
static uint32_t add_text(const char *text, size_t length)
{
	uint64_t *used = &claw_journal_writer.header->strings.used;
	uint64_t offset = *used;
	struct claw_journal_text *entry;
	uint32_t check, known, *slot;
	uint64_t bytes;

	if (length > CLAW_JOURNAL_TEXT_MAX_BYTES)
		length = CLAW_JOURNAL_TEXT_MAX_BYTES;
	check = claw_journal_text_check(text, length);
	slot = find_text_slot(text, length, check, &known);
	if (known)
		return known;
	bytes = (sizeof(*entry) + length + 1 + 3) / 4 * 4;
	if (offset + bytes > claw_own_journal.layout.strings.capacity) {
		claw_journal_add_damaged();
		return 0;
	}
	entry = claw_journal_entry(&claw_own_journal.layout.strings, offset);
	entry->length = (uint32_t)length;
	entry->check = check;
	memcpy(entry + 1, text, length);
	((char *)(entry + 1))[length] = '\0';
	__atomic_store_n(used, offset + bytes, __ATOMIC_RELEASE);
	if (slot)
		__atomic_store_n(slot, (uint32_t)offset, __ATOMIC_RELEASE);
	return (uint32_t)offset;
}

uint32_t claw_journal_string(const char *text, size_t length)
{
	sigset_t mask;
	uint32_t offset;

	if (!claw_own_journal.base)
		return 0;
	if (length > CLAW_JOURNAL_TEXT_MAX_BYTES)
		length = CLAW_JOURNAL_TEXT_MAX_BYTES;
	/* Each frame of Python asks: no system calls for what is known. */
	find_text_slot(text, length, claw_journal_text_check(text, length),
		       &offset);
	if (offset)
		return offset;
	claw_journal_lock(&mask);
	offset = add_text(text, length);
	claw_journal_unlock(&mask);
	return offset;
}

/* Under the lock. */
static uint32_t add_module(const char *path, uint64_t base, uint64_t text_end,
			   const void *build_id, size_t build_id_bytes)
{
	const struct claw_journal_area *area = &claw_own_journal.layout.modules;
	uint64_t *used = &claw_journal_writer.header->modules.used;
	struct claw_journal_module module = {
		.base = base,
		.text_end = text_end,
	};
	struct claw_journal_module *entry;
	uint64_t count = *used < area->capacity ? *used : area->capacity;

	if (build_id_bytes > sizeof(module.build_id))
		build_id_bytes = sizeof(module.build_id);
	if (build_id_bytes > 0)
		memcpy(module.build_id, build_id, build_id_bytes);
	module.build_id_bytes = (uint32_t)build_id_bytes;
	/* Another module may stand where an unloaded one was. */
	for (uint64_t i = 0; i < count; i++) {
		entry = claw_journal_entry(area, i);
		if (entry->base == base && entry->text_end == text_end &&
		    memcmp(entry->build_id, module.build_id,
			   sizeof(module.build_id)) == 0)
			return (uint32_t)i + 1;
	}
	module.path_string = add_text(path, strlen(path));
	__atomic_fetch_add(used, 1, __ATOMIC_RELAXED);
	if (count == area->capacity)
		return 0;
	entry = claw_journal_entry(area, count);
	module.commit = claw_journal_entry_commit(&module, sizeof(module),
						  count + 1);
	memcpy((char *)entry + 8, (char *)&module + 8, sizeof(module) - 8);
	__atomic_store_n(&entry->commit, module.commit, __ATOMIC_RELEASE);
	return (uint32_t)count + 1;
}

uint32_t claw_journal_module(const char *path, uint64_t base, uint64_t text_end,
			     const void *build_id, size_t build_id_bytes)
{
	sigset_t mask;
	uint32_t number;

	if (!claw_own_journal.base)
		return 0;
	claw_journal_lock(&mask);
	number = add_module(path, base, text_end, build_id, build_id_bytes);
	claw_journal_unlock(&mask);
	return number;
}

/* The number under that hash, or 0 and the slot to use (NULL: none left). */
static uint32_t find_site(uint64_t hash, uint16_t **ret_slot)
{
	*ret_slot = NULL;
	for (uint32_t i = 0; i < SITE_SLOTS; i++) {
		uint16_t *slot = &site_slots[(hash + i) & (SITE_SLOTS - 1)];
		uint16_t number = __atomic_load_n(slot, __ATOMIC_ACQUIRE);
		const struct claw_journal_site *site;

		if (number == 0) {
			*ret_slot = slot;
			return 0;
		}
		site = claw_journal_entry(&claw_own_journal.layout.sites,
					  number - 1u);
		if (site->hash == hash)
			return number;
	}
	return 0;
}

uint32_t claw_journal_site_lookup(uint64_t hash)
{
	uint16_t *slot;

	return claw_own_journal.base ? find_site(hash, &slot) : 0;
}

/* Under the lock. */
static uint32_t add_site(uint64_t hash, enum claw_site_kind kind,
			 const struct claw_journal_frame *frames,
			 size_t frame_count)
{
	const struct claw_journal_area *area = &claw_own_journal.layout.sites;
	uint64_t *used = &claw_journal_writer.header->sites.used;
	struct claw_journal_site site = { .hash = hash };
	struct claw_journal_site *entry;
	uint16_t *slot;
	uint32_t number = find_site(hash, &slot);
	uint64_t index;

	if (number)
		return number;
	index = __atomic_fetch_add(used, 1, __ATOMIC_RELAXED);
	if (index >= area->capacity || !slot)
		return 0;
	if (frame_count > CLAW_JOURNAL_MAX_FRAMES)
		frame_count = CLAW_JOURNAL_MAX_FRAMES;
	site.kind = (uint32_t)kind;
	site.frame_count = (uint32_t)frame_count;
	if (frame_count > 0)
		memcpy(site.frames, frames, frame_count * sizeof(*frames));
	entry = claw_journal_entry(area, index);
	memcpy((char *)entry + 8, (char *)&site + 8, sizeof(site) - 8);
	__atomic_store_n(&entry->commit,
			 claw_journal_entry_commit(&site, sizeof(site),
						   index + 1),
			 __ATOMIC_RELEASE);
	__atomic_store_n(slot, (uint16_t)(index + 1), __ATOMIC_RELEASE);
	return (uint32_t)index + 1;
}

uint32_t claw_journal_site(uint64_t hash, enum claw_site_kind kind,
			   const struct claw_journal_frame *frames,
			   size_t frame_count)
{
	uint32_t number = claw_journal_site_lookup(hash);
	sigset_t mask;

	if (number || !claw_own_journal.base)
		return number;
	claw_journal_lock(&mask);
	number = add_site(hash, kind, frames, frame_count);
	claw_journal_unlock(&mask);
	return number;
}

/* ---- rules */

int claw_journal_rule_add(const char *text, bool armed)
{
	const struct claw_journal_area *area = &claw_own_journal.layout.rules;
	struct claw_journal_rule *rule;
	sigset_t mask;
	int index = -1;

	if (!claw_own_journal.base)
		return -1;
	claw_journal_lock(&mask);
	if (claw_own_journal.rule_count < area->capacity) {
		index = (int)claw_own_journal.rule_count++;
		rule = claw_journal_entry(area, (uint64_t)index);
		rule->text_string = add_text(text, strlen(text));
		rule->armed = armed;
	}
	__atomic_fetch_add(&claw_journal_writer.header->rules.used, 1,
			   __ATOMIC_RELEASE);
	claw_journal_unlock(&mask);
	return index;
}

struct claw_journal_rule *claw_journal_rule_at(int index)
{
	if (!claw_own_journal.base || index < 0 ||
	    index >= (int)claw_own_journal.layout.rules.capacity)
		return &no_rule;
	return claw_journal_entry(&claw_own_journal.layout.rules,
				  (uint64_t)index);
}

/* A table whose entries are fixed once they are committed. */
static void copy_table(const struct claw_journal_area *area,
		       const unsigned char *from, unsigned char *to)
{
	memcpy(to + area->offset, from + area->offset,
	       (size_t)area->entry_bytes * area->capacity);
}

void claw_journal_tables_copy(const struct claw_journal_header *from,
			      struct claw_journal_header *to)
{
	const struct claw_journal_layout *layout = &claw_own_journal.layout;
	const unsigned char *source = (const unsigned char *)from;
	unsigned char *target = (unsigned char *)to;

	to->strings.used = __atomic_load_n(&from->strings.used,
					   __ATOMIC_ACQUIRE);
	to->sites.used = __atomic_load_n(&from->sites.used, __ATOMIC_ACQUIRE);
	to->modules.used = __atomic_load_n(&from->modules.used,
					   __ATOMIC_ACQUIRE);
	to->rules.used = claw_own_journal.rule_count;
	memcpy(target + layout->strings.offset,
	       source + layout->strings.offset, to->strings.used);
	copy_table(&layout->sites, source, target);
	copy_table(&layout->modules, source, target);
	for (uint32_t i = 0; i < claw_own_journal.rule_count; i++) {
		uint64_t offset = layout->rules.offset +
			(uint64_t)i * layout->rules.entry_bytes;
		const struct claw_journal_rule *old =
			(const void *)(source + offset);
		struct claw_journal_rule *rule = (void *)(target + offset);

		rule->text_string = old->text_string;
		rule->armed = old->armed;
		rule->matched_in = old->matched_in;
	}
}

const char *claw_journal_string_at(uint32_t offset)
{
	const char *entry = claw_journal_entry(
		&claw_own_journal.layout.strings, offset);

	return offset ? entry + sizeof(struct claw_journal_text) : "?";
}

const struct claw_journal_site *claw_journal_site_at(uint32_t number)
{
	return claw_journal_entry(&claw_own_journal.layout.sites, number - 1);
}

const struct claw_journal_module *claw_journal_module_at(uint32_t number)
{
	return claw_journal_entry(&claw_own_journal.layout.modules, number - 1);
}
