/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The ledger: how objects begin, gain and lose references, and end, and how
 * it begins itself.
 */
#include "config.h"

#include "ledger.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "ledger_private.h"
#include "faults/journal/site_cache.h"

struct claw_ledger_process claw_own_ledger CLAW_HIDDEN;

bool claw_ledger_is_on(void)
{
	return claw_own_ledger.header != NULL;
}

/* Outside of a turn: it takes time and locks of its own. known: not 0 when it
 * was looked up before. */
static inline uint32_t site_now(uint32_t known)
{
	if (__builtin_expect(claw_own_ledger.mode != CLAW_LEDGER_SITES, 1))
		return 0;
	return known ? known : claw_site_cached();
}

/* No turn was to be had, or the object is none that is known. */
static void count_unknown(enum claw_turn turn, enum claw_obj object)
{
	/* A root device is no object of the program's. */
	if (object != CLAW_OBJ_DEVICE || turn == CLAW_TURN_NONE)
		claw_ledger_count(turn, &claw_own_ledger.header->unknown);
}

/* ---- beginnings */

static inline void fill_entry(struct claw_ledger_entry *entry,
			      enum claw_turn turn,
			      const struct claw_ledger_new *made, uint32_t site,
			      uint32_t chain, uint8_t flags)
{
	entry->serial = claw_ledger_count(turn,
					  &claw_own_ledger.header->created);
	entry->bytes = made->bytes;
	entry->parent = claw_number(made->parent);
	entry->references = 1;
	entry->holders = 0;
	entry->site = site;
	entry->retain_site = 0;
	entry->hold = made->place ? made->place : chain;
	entry->api = (uint16_t)made->api;
	entry->object = (uint8_t)made->object;
	entry->flags = flags;
	entry->mem_flags = made->mem_flags;
	__atomic_store_n(&entry->handle, claw_number(made->handle),
			 __ATOMIC_RELEASE);
	CLAW_LEDGER_TELL(born, turn, entry);
}

/* It could not be entered, or was there: take off what was to hold for it. */
static __attribute__((noinline)) void
not_entered(enum claw_turn turn, const struct claw_ledger_new *made,
	    uint32_t chain, bool dropped)
{
	if (dropped)
		claw_ledger_count(turn, &claw_own_ledger.header->dropped);
	if (made->mem_flags & CLAW_MODEL_KNOWN)
		claw_own_ledger.memory->not_entered(turn, made);
	claw_ledger_settle(turn, (struct claw_remains){
		.parent = claw_number(made->parent),
		.serial = UINT64_MAX,
		.chain = chain,
	});
}

/*
 * Memory that launches keep on the model's device has no handle any more on
 * this driver, which gave it away: from now on it is known under a number that
 * is no handle.
 */
static void move_away(struct claw_ledger_place *place,
		      struct claw_ledger_entry *entry,
		      struct claw_ledger_entry *ret_moved)
{
	*ret_moved = *entry;
	ret_moved->handle = claw_entry_number(entry->serial);
	claw_table_remove(place, entry);
}

/* Not under a lock: enter it there. */
static __attribute__((noinline)) void
enter_moved(enum claw_turn turn, const struct claw_ledger_entry *moved)
{
	uint64_t mix = claw_entry_mix(moved->handle, moved->object);
	struct claw_ledger_place *place = claw_entry_place(mix);
	struct claw_ledger_entry *entry;

	if (!claw_lock(turn, &place->lock))
		return;
	entry = claw_table_add(place, mix);
	if (entry)
		*entry = *moved;
	claw_unlock(turn, &place->lock);
	if (entry)
		return;
	claw_ledger_count(turn, &claw_own_ledger.header->dropped);
	CLAW_LEDGER_TELL(died, turn, moved);
}

/* Under the lock. Whatever has its handle has gone without a word: the driver
 * let it go when nothing but others held it, or gives an address twice. Only
 * a pointer may be mapped more than once: true. */
static __attribute__((noinline)) bool
meet_again(enum claw_turn turn, struct claw_ledger_place *place,
	   struct claw_ledger_entry *entry, const struct claw_ledger_new *made,
	   uint32_t site, struct claw_remains *remains,
	   struct claw_ledger_entry *ret_moved)
{
	if (made->object == CLAW_OBJ_MAPPING && entry->references) {
		entry->references++;
		if (entry->parent != claw_number(made->parent))
			entry->flags |= CLAW_LEDGER_SHARED;
		entry->retain_site = site;
		return true;
	}
	if (entry->mem_flags & CLAW_MODEL_TAKEN && !entry->references &&
	    entry->holders && claw_own_ledger.memory->is_retained(entry))
		move_away(place, entry, ret_moved);
	else
		claw_entry_end(turn, place, entry, remains);
	return false;
}

static void enter(enum claw_turn turn, const struct claw_ledger_new *made,
		  uint32_t site)
{
	uint64_t handle = claw_number(made->handle);
	uint64_t mix = claw_entry_mix(handle, made->object);
	struct claw_ledger_place *place = claw_entry_place(mix);
	struct claw_ledger_entry *entry = NULL, *slot;
	struct claw_remains remains = { 0 };
	struct claw_ledger_entry moved;
	uint8_t flags = made->flags;
	uint32_t chain = 0;
	bool again = false, locked;

	moved.handle = 0;
	claw_ledger_add_child(turn, claw_number(made->parent));
	if (made->kernel)
		chain = claw_ledger_chain(turn, made->kernel, &flags);
	locked = claw_lock(turn, &place->lock);
	if (locked) {
		entry = claw_entry_find_or_free(place, mix, handle,
						made->object, &slot);
		if (__builtin_expect(entry != NULL, 0)) {
			again = meet_again(turn, place, entry, made, site,
					   &remains, &moved);
			slot = NULL;
		}
		if (!again) {
			entry = claw_table_take(place, mix, slot);
			if (entry)
				fill_entry(entry, turn, made, site, chain,
					   flags);
		}
		claw_unlock(turn, &place->lock);
	}
	if (__builtin_expect(moved.handle != 0, 0))
		enter_moved(turn, &moved);
	if (remains.serial)
		claw_ledger_settle(turn, remains);
	if (!entry || again)
		not_entered(turn, made, chain, !again);
}

void claw_ledger_created(const struct claw_ledger_new *made)
{
	uint32_t site = site_now(made->site);
	enum claw_turn turn;

	if (claw_number(made->handle) <= CLAW_CLEARED)
		return;
	turn = claw_turn_begin();
	if (turn == CLAW_TURN_NONE) {
		claw_ledger_count(turn, &claw_own_ledger.header->dropped);
		if (made->mem_flags & CLAW_MODEL_KNOWN)
			claw_own_ledger.memory->not_entered(turn, made);
		return;
	}
	enter(turn, made, site);
	claw_turn_end(turn);
}

/* ---- references */

/* A turn, and the lock of the place. NONE is counted. */
static inline enum claw_turn begin_at(struct claw_ledger_place *place,
				      enum claw_obj object)
{
	enum claw_turn turn = claw_turn_begin();

	if (turn != CLAW_TURN_NONE && !claw_lock(turn, &place->lock)) {
		claw_turn_end(turn);
		turn = CLAW_TURN_NONE;
	}
	if (turn == CLAW_TURN_NONE)
		count_unknown(turn, object);
	return turn;
}

static inline void end_at(enum claw_turn turn, struct claw_ledger_place *place)
{
	claw_unlock(turn, &place->lock);
	claw_turn_end(turn);
}

void claw_ledger_retained(enum claw_obj object, const void *handle)
{
	uint64_t mix = claw_entry_mix(claw_number(handle), object);
	struct claw_ledger_place *place = claw_entry_place(mix);
	struct claw_ledger_entry *entry;
	uint32_t site = site_now(0);
	enum claw_turn turn;

	if (claw_number(handle) <= CLAW_CLEARED)
		return;
	turn = begin_at(place, object);
	if (turn == CLAW_TURN_NONE)
		return;
	entry = claw_entry_find(place, mix, claw_number(handle), object);
	if (entry && entry->object == object) {
		entry->references++;
		entry->retain_site = site;
	} else {
		count_unknown(turn, object);
	}
	end_at(turn, place);
}

/* Under the lock, which is not held any more afterwards: the last reference
 * is given up. What has a holder stays. */
static __attribute__((noinline)) void
give_up_last(enum claw_turn turn, struct claw_ledger_place *place,
	     struct claw_ledger_entry *entry, struct claw_ledger_entry *ret_ended)
{
	struct claw_remains remains;

	entry->references = 0;
	entry->flags &= (uint8_t)~CLAW_LEDGER_LENT;
	*ret_ended = *entry;
	if (entry->holders) {
		ret_ended->handle = 0;
		claw_unlock(turn, &place->lock);
		return;
	}
	claw_entry_end(turn, place, entry, &remains);
	claw_unlock(turn, &place->lock);
	claw_ledger_settle(turn, remains);
}

enum claw_ledger_release
claw_ledger_releasing(enum claw_obj object, const void *handle,
		      struct claw_ledger_entry *ret_ended)
{
	uint64_t mix = claw_entry_mix(claw_number(handle), object);
	struct claw_ledger_place *place = claw_entry_place(mix);
	struct claw_ledger_entry *entry;
	enum claw_turn turn;

	ret_ended->handle = ret_ended->serial = 0;
	if (claw_number(handle) <= CLAW_CLEARED)
		return CLAW_LEDGER_UNKNOWN;
	__builtin_prefetch(handle);	/* the driver will need it */
	turn = begin_at(place, object);
	if (turn == CLAW_TURN_NONE)
		return CLAW_LEDGER_UNKNOWN;
	entry = claw_entry_find(place, mix, claw_number(handle), object);
	if (!entry || entry->object != object || !entry->references) {
		count_unknown(turn, object);
		end_at(turn, place);
		return CLAW_LEDGER_UNKNOWN;
	}
	if (entry->references > 1) {
		entry->references--;
		end_at(turn, place);
	} else {
		give_up_last(turn, place, entry, ret_ended);
		claw_turn_end(turn);
	}
	return CLAW_LEDGER_KNOWN;
}

/* Put an object back that was ended before the driver said no. What it held
 * may be gone. */
static void restore(enum claw_turn turn, const struct claw_ledger_entry *ended)
{
	uint64_t mix = claw_entry_mix(ended->handle, ended->object);
	struct claw_ledger_place *place = claw_entry_place(mix);
	struct claw_ledger_entry *entry = NULL;

	claw_ledger_add_child(turn, ended->parent);
	if (!claw_lock(turn, &place->lock))
		return;
	if (!claw_entry_find(place, mix, ended->handle, ended->object))
		entry = claw_table_add(place, mix);
	if (entry) {
		uint64_t handle = ended->handle;

		memcpy((char *)entry + sizeof(handle),
		       (const char *)ended + sizeof(handle),
		       sizeof(*entry) - sizeof(handle));
		entry->references = 1;
		entry->hold = 0;
		if (ended->mem_flags & CLAW_MODEL_KNOWN)
			claw_own_ledger.memory->restored(turn, entry);
		else if (ended->hold)
			entry->flags |= CLAW_LEDGER_LOST_HOLDS;
		__atomic_store_n(&entry->handle, handle, __ATOMIC_RELEASE);
		CLAW_LEDGER_TELL(restored, turn, entry);
		__atomic_fetch_sub(&claw_own_ledger.header->gone, 1,
				   __ATOMIC_RELAXED);
	}
	claw_unlock(turn, &place->lock);
}

static void take_back(enum claw_turn turn, enum claw_obj object,
		      uint64_t handle)
{
	uint64_t mix = claw_entry_mix(handle, object);
	struct claw_ledger_place *place = claw_entry_place(mix);
	struct claw_ledger_entry *entry;

	if (!claw_lock(turn, &place->lock))
		return;
	entry = claw_entry_find(place, mix, handle, object);
	if (entry && entry->object == object)
		entry->references++;
	claw_unlock(turn, &place->lock);
}

void claw_ledger_kept(enum claw_obj object, const void *handle,
		      const struct claw_ledger_entry *ended)
{
	enum claw_turn turn = claw_turn_begin();

	if (turn == CLAW_TURN_NONE)
		return;
	if (ended->handle)
		restore(turn, ended);
	else
		take_back(turn, object, claw_number(handle));
	claw_turn_end(turn);
}

/* ---- frees that a queue is asked for */

bool claw_ledger_freeing(enum claw_obj object, const void *handle)
{
	uint64_t mix = claw_entry_mix(claw_number(handle), object);
	struct claw_ledger_place *place = claw_entry_place(mix);
	struct claw_ledger_entry *entry;
	enum claw_turn turn;
	bool known;

	if (claw_number(handle) <= CLAW_CLEARED)
		return false;
	turn = begin_at(place, object);
	if (turn == CLAW_TURN_NONE)
		return false;
	entry = claw_entry_find(place, mix, claw_number(handle), object);
	known = entry && entry->object == object && entry->references;
	if (known)
		entry->references--;
	else
		count_unknown(turn, object);
	end_at(turn, place);
	return known;
}

void claw_ledger_freed(enum claw_obj object, const void *handle, bool success)
{
	uint64_t mix = claw_entry_mix(claw_number(handle), object);
	struct claw_ledger_place *place = claw_entry_place(mix);
	struct claw_ledger_entry *entry;
	struct claw_remains remains = { 0 };
	enum claw_turn turn;

	if (claw_number(handle) <= CLAW_CLEARED)
		return;
	turn = begin_at(place, object);
	if (turn == CLAW_TURN_NONE)
		return;
	entry = claw_entry_find(place, mix, claw_number(handle), object);
	if (entry && !entry->references) {
		if (!success)
			entry->references = 1;
		else if (!entry->holders)
			claw_entry_end(turn, place, entry, &remains);
	}
	claw_unlock(turn, &place->lock);
	if (remains.serial)
		claw_ledger_settle(turn, remains);
	claw_turn_end(turn);
}

/* ---- the process */

static void fill_header(struct claw_ledger_header *header)
{
	header->version = CLAW_LEDGER_VERSION;
	header->header_bytes = sizeof(*header);
	header->endian = CLAW_JOURNAL_ENDIAN;
	header->entry_bytes = sizeof(struct claw_ledger_entry);
	header->hold_bytes = sizeof(struct claw_ledger_hold);
	header->pid = (uint32_t)getpid();
	header->forked = claw_journal_writer.header->forked;
	header->has_sites = claw_own_ledger.mode == CLAW_LEDGER_SITES;
}

void claw_ledger_observe(const struct claw_ledger_observer *observer)
{
	struct claw_ledger_process *own = &claw_own_ledger;

	own->observers[own->observer_count++] = observer;
}

void claw_ledger_account(const struct claw_ledger_memory *memory)
{
	claw_own_ledger.memory = memory;
}

void claw_ledger_begin(enum claw_ledger_mode mode)
{
	static char path[PATH_MAX];
	struct claw_ledger_header *header;
	int err = errno;

	claw_own_ledger.header = NULL;
	claw_own_ledger.observer_count = 0;
	claw_space_end();
	claw_own_ledger.mode = mode;
	claw_own_ledger.parent = UINT64_MAX;	/* none */
	if (mode == CLAW_LEDGER_OFF || !claw_journal_is_on_disk())
		return;
	header = claw_journal_sibling("ledger.", path, sizeof(path)) ?
		claw_space_begin(path) : NULL;
	claw_own_ledger.header = header;
	claw_holds_begin();
	claw_site_cache_begin();
	if (header && !claw_table_begin()) {
		unlink(path);
		claw_space_end();
		header = claw_own_ledger.header = NULL;
	}
	if (header) {
		claw_turn_reset();
		fill_header(header);
		__atomic_thread_fence(__ATOMIC_RELEASE);
		memcpy(header->magic, CLAW_LEDGER_MAGIC, sizeof(header->magic));
	} else {
		claw_say("no space for the ledger: objects are not known");
	}
	errno = err;
}
