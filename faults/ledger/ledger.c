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
		claw_entry_end(turn, entry, remains);
	return false;
}

static bool enter(enum claw_turn turn, const struct claw_ledger_new *made,
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
		chain = claw_ledger_chain(turn, made->kernel,
					  made->kernel_lives, &flags);
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
			if (entry && turn == CLAW_TURN_ALONE)
				*claw_entry_recent(handle) = entry;
		}
		claw_unlock(turn, &place->lock);
	}
	if (__builtin_expect(moved.handle != 0, 0))
		enter_moved(turn, &moved);
	if (remains.serial)
		claw_ledger_settle(turn, remains);
	if (!entry || again)
		not_entered(turn, made, chain, !again);
	return entry;
}

bool claw_ledger_created(const struct claw_ledger_new *made)
{
	uint32_t site = site_now(made->site);
	enum claw_turn turn;
	bool entered;

	if (claw_number(made->handle) <= CLAW_CLEARED)
		return false;
	turn = claw_turn_begin();
	if (turn == CLAW_TURN_NONE) {
		claw_ledger_count(turn, &claw_own_ledger.header->dropped);
		if (made->mem_flags & CLAW_MODEL_KNOWN)
			claw_own_ledger.memory->not_entered(turn, made);
		return false;
	}
	entered = enter(turn, made, site);
	claw_turn_end(turn);
	return entered;
}

/* ---- references */

/* A turn, and the entry of that type with its lock, or NULL; what is not known
 * is counted. */
static inline struct claw_ledger_entry *
begin_at(enum claw_obj object, const void *handle, bool has_reference,
	 enum claw_turn *ret_turn, struct claw_ledger_place **ret_place)
{
	struct claw_ledger_entry *entry = NULL;
	enum claw_turn turn = claw_turn_begin();

	*ret_place = NULL;
	*ret_turn = turn;
	if (__builtin_expect(turn != CLAW_TURN_NONE, 1))
		entry = claw_entry_meet(turn, claw_number(handle), object,
					ret_place);
	if (__builtin_expect(entry && entry->object == object &&
			     (!has_reference || entry->references), 1))
		return entry;
	if (claw_number(handle) > CLAW_CLEARED)
		count_unknown(turn, object);
	return NULL;
}

static inline void end_at(enum claw_turn turn, struct claw_ledger_place *place)
{
	claw_entry_part(place);
	if (__builtin_expect(turn != CLAW_TURN_NONE, 1))
		claw_turn_end(turn);
}

void claw_ledger_retained(enum claw_obj object, const void *handle)
{
	uint32_t site = site_now(0);
	struct claw_ledger_place *place;
	enum claw_turn turn;
	struct claw_ledger_entry *entry = begin_at(object, handle, false,
						   &turn, &place);

	if (entry) {
		entry->references++;
		entry->retain_site = site;
	}
	end_at(turn, place);
}

/* The same, where what is not known is nothing to count yet. */
static inline __attribute__((always_inline)) struct claw_ledger_entry *
begin_known(enum claw_obj object, const void *handle,
	    enum claw_turn *ret_turn, struct claw_ledger_place **ret_place)
{
	struct claw_ledger_entry *entry = claw_entry_alone(claw_number(handle),
							   object);

	*ret_place = NULL;
	*ret_turn = CLAW_TURN_ALONE;
	if (__builtin_expect(entry != NULL, 1))
		return entry;
	*ret_turn = claw_turn_begin();
	if (*ret_turn != CLAW_TURN_NONE)
		entry = claw_entry_meet_slowly(*ret_turn, claw_number(handle),
					       object, ret_place);
	return entry && entry->object == object && entry->references ? entry :
		NULL;
}

bool claw_ledger_retaining(enum claw_obj object, const void *handle,
			   uint32_t site, uint32_t *ret_old_site)
{
	struct claw_ledger_place *place;
	enum claw_turn turn;
	struct claw_ledger_entry *entry = begin_known(object, handle, &turn,
						      &place);

	if (entry) {
		entry->references++;
		*ret_old_site = entry->retain_site;
		entry->retain_site = site;
	}
	end_at(turn, place);
	return entry != NULL;
}

void claw_ledger_not_retained(enum claw_obj object, const void *handle,
			      uint32_t old_site)
{
	struct claw_ledger_place *place;
	struct claw_ledger_entry ended;
	enum claw_turn turn;
	struct claw_ledger_entry *entry = begin_known(object, handle, &turn,
						      &place);

	if (entry)
		entry->retain_site = old_site;
	end_at(turn, place);
	if (entry)
		claw_ledger_releasing(object, handle, &ended);
}

bool claw_ledger_releasing_one(enum claw_obj object, const void *handle)
{
	struct claw_ledger_place *place;
	enum claw_turn turn;
	struct claw_ledger_entry *entry;
	bool is_one;

	__builtin_prefetch(handle);	/* the driver will need it */
	entry = begin_known(object, handle, &turn, &place);
	is_one = entry && entry->references > 1;
	if (is_one)
		entry->references--;
	end_at(turn, place);
	return is_one;
}

/* Under the lock, and the turn, both of which end: the last reference is given
 * up. What has a holder stays. */
static __attribute__((noinline)) void
give_up_last(enum claw_turn turn, struct claw_ledger_place *place,
	     struct claw_ledger_entry *entry, struct claw_ledger_entry *ret_ended)
{
	struct claw_remains remains = { 0 };

	entry->references = 0;
	entry->flags &= (uint8_t)~CLAW_LEDGER_LENT;
	*ret_ended = *entry;
	if (entry->holders)
		ret_ended->handle = 0;
	else
		claw_entry_end(turn, entry, &remains);
	claw_entry_part(place);
	if (remains.serial)
		claw_ledger_settle(turn, remains);
	claw_turn_end(turn);
}

bool claw_ledger_releasing_last(enum claw_obj object, const void *handle,
				uint64_t serial,
				struct claw_ledger_entry *ret_ended)
{
	struct claw_ledger_place *place;
	enum claw_turn turn;
	struct claw_ledger_entry *entry = begin_known(object, handle, &turn,
						      &place);

	if (entry && entry->references == 1 && entry->serial == serial) {
		give_up_last(turn, place, entry, ret_ended);
		return true;
	}
	end_at(turn, place);
	return false;
}

enum claw_ledger_release
claw_ledger_releasing(enum claw_obj object, const void *handle,
		      struct claw_ledger_entry *ret_ended)
{
	struct claw_ledger_place *place;
	enum claw_turn turn;
	struct claw_ledger_entry *entry;

	ret_ended->handle = ret_ended->serial = 0;
	__builtin_prefetch(handle);	/* the driver will need it */
	entry = begin_at(object, handle, true, &turn, &place);
	if (entry && entry->references == 1) {
		give_up_last(turn, place, entry, ret_ended);
		return CLAW_LEDGER_KNOWN;
	}
	if (entry)
		entry->references--;
	end_at(turn, place);
	return entry ? CLAW_LEDGER_KNOWN : CLAW_LEDGER_UNKNOWN;
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
	struct claw_ledger_place *place;
	struct claw_ledger_entry *entry =
		claw_entry_meet(turn, handle, object, &place);

	if (entry && entry->object == object)
		entry->references++;
	claw_entry_part(place);
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
	struct claw_ledger_place *place;
	enum claw_turn turn;
	struct claw_ledger_entry *entry = begin_at(object, handle, true,
						   &turn, &place);

	if (entry)
		entry->references--;
	end_at(turn, place);
	return entry != NULL;
}

void claw_ledger_freed(enum claw_obj object, const void *handle, bool success)
{
	struct claw_remains remains = { 0 };
	enum claw_turn turn = claw_turn_begin();
	struct claw_ledger_place *place;
	struct claw_ledger_entry *entry;

	if (turn == CLAW_TURN_NONE)
		return;
	entry = claw_entry_meet(turn, claw_number(handle), object, &place);
	if (entry && !entry->references) {
		if (!success)
			entry->references = 1;
		else if (!entry->holders)
			claw_entry_end(turn, entry, &remains);
	}
	claw_entry_part(place);
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
