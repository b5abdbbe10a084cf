/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the files of the ledger's writer share and nobody else uses: the file's
 * space (ledger_space.c), the table of entries (ledger_table.c), what keeps what
 * alive (ledger_links.c) and the holds (ledger_holds.c).
 */
#ifndef CLAW_LEDGER_PRIVATE_H
#define CLAW_LEDGER_PRIVATE_H

#include <signal.h>

#include "ledger_turn.h"

/* Tell the observers. */
#define CLAW_LEDGER_TELL(what_, turn_, entry_)				\
	for (uint32_t i_ = 0; i_ < claw_own_ledger.observer_count; i_++) \
		if (claw_own_ledger.observers[i_]->what_)		\
			claw_own_ledger.observers[i_]->what_(turn_, entry_)

/* ---- space in the file */

/* A new file with room for the header; its first bytes, or NULL. */
CLAW_HIDDEN struct claw_ledger_header *claw_space_begin(const char *path);
/* Forget it all: what is mapped may be another process's. */
CLAW_HIDDEN void claw_space_end(void);
/* Whole pages, zeros, that are on the disk already. False: cannot be had. */
CLAW_HIDDEN bool claw_space_take(uint64_t bytes, uint64_t *ret_offset);
CLAW_HIDDEN void claw_space_give(uint64_t offset, uint64_t bytes);
CLAW_HIDDEN void *claw_space_at(uint64_t offset);

/* ---- the table; all under the lock of the place */

/* The same; *ret_slot is the entry that a new one would get. */
static inline struct claw_ledger_entry *
claw_entry_find_or_free(const struct claw_ledger_place *place, uint64_t mix,
			uint64_t handle, unsigned int object,
			struct claw_ledger_entry **ret_slot)
{
	uint32_t i = claw_entry_start(mix, place->capacity);
	struct claw_ledger_entry *slot = NULL;

	for (;;) {
		struct claw_ledger_entry *entry = &place->entries[i];

		if (entry->handle == handle &&
		    claw_class_of(entry->object) == claw_class_of(object))
			return entry;
		if (entry->handle <= CLAW_CLEARED && !slot)
			slot = entry;
		if (entry->handle == CLAW_FREE)
			break;
		if (++i == place->capacity)
			i = 0;
	}
	*ret_slot = slot;
	return NULL;
}

CLAW_HIDDEN bool claw_table_begin(void);
/* A free entry for it, counted as used; NULL: no room. The caller fills it and
 * sets its handle last. */
CLAW_HIDDEN struct claw_ledger_entry *
claw_table_add(struct claw_ledger_place *place, uint64_t mix);

/* The same; slot, if not NULL, is the one that was found for it. */
static inline struct claw_ledger_entry *
claw_table_take(struct claw_ledger_place *place, uint64_t mix,
		struct claw_ledger_entry *slot)
{
	if (__builtin_expect(!slot || place->used + place->cleared >=
			     place->limit, 0))
		return claw_table_add(place, mix);
	place->cleared -= slot->handle == CLAW_CLEARED;
	place->used++;
	claw_own_ledger.header->shards[place - claw_own_ledger.places].used =
		place->used;
	return slot;
}

CLAW_HIDDEN void claw_table_remove(struct claw_ledger_place *place,
				   struct claw_ledger_entry *entry);

/* What an object is known under whose handle is another's now; no driver makes
 * an odd one. */
static inline uint64_t claw_entry_number(uint64_t serial)
{
	return serial << 2 | 3;
}

/* ---- what keeps what alive; none but end under a lock */

/* What an object that is gone leaves behind: holders to take off. */
struct claw_remains {
	uint64_t parent, serial;	/* its own; 0: there was none */
	uint32_t chain;
};

/* Under the lock of its place. */
CLAW_HIDDEN void claw_entry_end(enum claw_turn turn,
				struct claw_ledger_entry *entry,
				struct claw_remains *ret_remains);
/* What kept others alive is gone; so may they be. */
CLAW_HIDDEN void claw_ledger_settle(enum claw_turn turn,
				    struct claw_remains remains);
/* A holder for a parent, if it is there. */
CLAW_HIDDEN void claw_ledger_add_child(enum claw_turn turn, uint64_t handle);
/* The chain of what the kernel holds now, for one object more. *flags: whether
 * that is all. lives: the lone thread has seen that all of it does, and it is no
 * longer than CLAW_HOLDS_MAX. */
CLAW_HIDDEN uint32_t claw_ledger_chain(enum claw_turn turn, const void *kernel,
				       bool lives, uint8_t *flags);

/* ---- holds: chains of them, named by their first (index + 1; 0: none).
 * Whoever has the chain has the lock of its entry's place. */

CLAW_HIDDEN void claw_holds_begin(void);
/* Does the chain hold just that (handle 0: nothing) for that argument? */
CLAW_HIDDEN bool claw_holds_has(enum claw_turn turn, uint32_t chain,
				const struct claw_ledger_hold *hold);
/* Is it more than one object's? One object more that has it; one less, true:
 * others still have it (or it is empty), so nothing of it is to be taken off. */
CLAW_HIDDEN bool claw_holds_are_shared(enum claw_turn turn, uint32_t chain);
CLAW_HIDDEN bool claw_holds_share(enum claw_turn turn, uint32_t chain);
CLAW_HIDDEN bool claw_holds_leave(enum claw_turn turn, uint32_t chain);
/* Set what the chain, which is not shared, holds for that argument, handle 0:
 * nothing. *ret_old is what it held, handle 0 for nothing. False: no room,
 * nothing was changed. */
CLAW_HIDDEN bool claw_holds_set(enum claw_turn turn, uint32_t *chain,
				const struct claw_ledger_hold *hold,
				struct claw_ledger_hold *ret_old);
/* A chain of these; how many of them is *count, the first ones. */
CLAW_HIDDEN uint32_t claw_holds_make(enum claw_turn turn,
				     const struct claw_ledger_hold *holds,
				     unsigned int *count);
/* Take the first one off; false: there is none. */
CLAW_HIDDEN bool claw_holds_take(enum claw_turn turn, uint32_t *chain,
				 struct claw_ledger_hold *ret_hold);

#endif
