/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What keeps what alive: parents, the arguments of kernels and launches, and
 * what goes when the last holder of it does. Locks are held one at a time: a
 * parent has its new holder before the child is there, and loses it after the
 * child is gone.
 */
#include "config.h"

#include "ledger_private.h"

#include <string.h>

enum { HOLDS_MAX = 64 };	/* that an event takes from its kernel */

/* ---- ends */

void claw_entry_end(enum claw_turn turn, struct claw_ledger_place *place,
		    struct claw_ledger_entry *entry,
		    struct claw_remains *ret_remains)
{
	if (__builtin_expect((entry->mem_flags & CLAW_MODEL_KNOWN) != 0, 0))
		claw_own_ledger.memory->ending(turn, entry);
	CLAW_LEDGER_TELL(died, turn, entry);
	ret_remains->parent = entry->parent;
	ret_remains->serial = entry->serial;
	ret_remains->chain = entry->hold;
	claw_table_remove(place, entry);
	claw_ledger_count(turn, &claw_own_ledger.header->gone);
}

/* The latest parent once more: most objects have the same one. */
static inline struct claw_ledger_entry *same_parent(enum claw_turn turn,
						    uint64_t handle)
{
	const struct claw_ledger_process *own = &claw_own_ledger;

	return turn == CLAW_TURN_ALONE && own->parent == handle &&
	       own->parent_moves == own->moves &&
	       own->parent_entry->handle == handle ? own->parent_entry : NULL;
}

static inline void remember_parent(enum claw_turn turn,
				   struct claw_ledger_entry *entry)
{
	struct claw_ledger_process *own = &claw_own_ledger;

	if (turn != CLAW_TURN_ALONE)
		return;
	own->parent = entry->handle;
	own->parent_moves = own->moves;
	own->parent_entry = entry;
}

/* Does a launch or a kernel that holds it keep it alive? */
static inline bool keeps(const struct claw_ledger_entry *entry)
{
	return !(entry->mem_flags & CLAW_MODEL_KNOWN) ||
	       claw_own_ledger.memory->is_retained(entry);
}

/*
 * Take a holder off an object: off the one with that serial, or, by its
 * child's serial, off one that is older than the child. True: that was the
 * last thing to keep it.
 */
static bool drop_holder(enum claw_turn turn, uint64_t handle, uint64_t serial,
			bool by_child, struct claw_remains *ret_remains)
{
	uint64_t mix = claw_entry_mix(handle, CLAW_OBJ_NONE);
	struct claw_ledger_place *place = claw_entry_place(mix);
	struct claw_ledger_entry *entry = same_parent(turn, handle);
	bool ended = false;

	if (entry && by_child && entry->serial < serial &&
	    entry->holders && entry->references) {
		entry->holders--;
		return false;
	}
	if (!claw_lock(turn, &place->lock))
		return false;
	entry = claw_entry_find(place, mix, handle, CLAW_OBJ_NONE);
	if (entry && !by_child && entry->serial != serial)
		entry = NULL;
	if (entry && entry->holders &&
	    (by_child ? entry->serial < serial :
	     entry->serial == serial && keeps(entry))) {
		entry->holders--;
		ended = !entry->holders && !entry->references;
		if (ended)
			claw_entry_end(turn, place, entry, ret_remains);
	}
	claw_unlock(turn, &place->lock);
	/* Its handle may be another's by now (move_away()). */
	if (!entry && !by_child && handle != claw_entry_number(serial) &&
	    claw_own_ledger.memory)
		return drop_holder(turn, claw_entry_number(serial), serial,
				   false, ret_remains);
	return ended;
}

void claw_ledger_settle(enum claw_turn turn, struct claw_remains remains)
{
	struct claw_ledger_hold hold;
	struct claw_remains next;

	do {
		/* Memory objects hold nothing: this goes one level down. */
		while (remains.chain &&
		       claw_holds_take(turn, &remains.chain, &hold))
			if (drop_holder(turn, hold.handle, hold.serial, false,
					&next))
				claw_ledger_settle(turn, next);
	} while (remains.parent &&
		 drop_holder(turn, remains.parent, remains.serial, true,
			     &remains));
}

/* ---- holders */

void claw_ledger_add_child(enum claw_turn turn, uint64_t handle)
{
	struct claw_ledger_entry *entry = same_parent(turn, handle);
	struct claw_ledger_place *place;
	uint64_t mix;

	if (entry) {
		entry->holders++;
		return;
	}
	mix = claw_entry_mix(handle, CLAW_OBJ_NONE);
	place = claw_entry_place(mix);
	if (handle <= CLAW_CLEARED || !claw_lock(turn, &place->lock))
		return;
	entry = claw_entry_find(place, mix, handle, CLAW_OBJ_NONE);
	if (entry) {
		entry->holders++;
		remember_parent(turn, entry);
	}
	claw_unlock(turn, &place->lock);
}

/* A holder for an object, if it is there (and has that serial, if not 0). Its
 * serial, or 0. What nothing keeps is there for an argument only. */
static uint64_t add_holder(enum claw_turn turn, uint64_t handle,
			   uint64_t serial, enum claw_obj object)
{
	uint64_t mix = claw_entry_mix(handle, CLAW_OBJ_NONE);
	struct claw_ledger_place *place = claw_entry_place(mix);
	struct claw_ledger_entry *entry;
	uint64_t found = 0;

	if (handle <= CLAW_CLEARED || !claw_lock(turn, &place->lock))
		return 0;
	entry = claw_entry_find(place, mix, handle, CLAW_OBJ_NONE);
	if (entry && (!object || entry->object == object) &&
	    (!serial || entry->serial == serial)) {
		bool kept = keeps(entry);

		entry->holders += kept;
		found = kept || object ? entry->serial : 0;
	}
	claw_unlock(turn, &place->lock);
	return found;
}

/* What the kernel holds now, with a holder more each. */
static unsigned int hold_as_kernel(enum claw_turn turn, const void *kernel,
				   struct claw_ledger_hold *holds,
				   bool *ret_lost)
{
	uint64_t mix = claw_entry_mix(claw_number(kernel), CLAW_OBJ_KERNEL);
	struct claw_ledger_place *place = claw_entry_place(mix);
	struct claw_ledger_entry *entry;
	unsigned int count = 0, kept = 0;

	*ret_lost = false;
	if (claw_number(kernel) <= CLAW_CLEARED || !claw_lock(turn, &place->lock))
		return 0;
	entry = claw_entry_find(place, mix, claw_number(kernel),
				CLAW_OBJ_KERNEL);
	if (entry && entry->object == CLAW_OBJ_KERNEL) {
		count = claw_holds_copy(turn, entry->hold, holds, HOLDS_MAX,
					ret_lost);
		*ret_lost |= entry->flags & CLAW_LEDGER_LOST_HOLDS;
	}
	claw_unlock(turn, &place->lock);
	for (unsigned int i = 0; i < count; i++)
		if (add_holder(turn, holds[i].handle, holds[i].serial,
			       CLAW_OBJ_NONE))
			holds[kept++] = holds[i];
	return kept;
}

uint32_t claw_ledger_chain(enum claw_turn turn, const void *kernel,
			   uint8_t *flags)
{
	struct claw_ledger_hold holds[HOLDS_MAX];
	struct claw_remains none;
	unsigned int count, kept;
	uint32_t chain;
	bool lost;

	kept = count = hold_as_kernel(turn, kernel, holds, &lost);
	chain = claw_holds_make(turn, holds, &kept);
	if (lost || kept < count)
		*flags |= CLAW_LEDGER_LOST_HOLDS;
	for (unsigned int i = kept; i < count; i++)
		drop_holder(turn, holds[i].handle, holds[i].serial, false,
			    &none);
	return chain;
}

/* ---- arguments */

/* Under a turn: the serial of the memory object with that handle, or 0, and
 * the bytes that it takes of the device's memory. */
static uint64_t memory_serial(enum claw_turn turn, uint64_t handle,
			      uint64_t *ret_bytes)
{
	uint64_t mix = claw_entry_mix(handle, CLAW_OBJ_MEM);
	struct claw_ledger_place *place = claw_entry_place(mix);
	const struct claw_ledger_entry *entry;
	uint64_t serial = 0;

	if (handle <= CLAW_CLEARED || !claw_lock(turn, &place->lock))
		return 0;
	entry = claw_entry_find(place, mix, handle, CLAW_OBJ_MEM);
	if (entry && entry->object == CLAW_OBJ_MEM) {
		serial = entry->serial;
		if (!(entry->flags & (CLAW_LEDGER_SUB | CLAW_LEDGER_HOST_PTR)))
			*ret_bytes = entry->bytes;
	}
	claw_unlock(turn, &place->lock);
	return serial;
}

/* Under a turn: does the kernel hold just that, or nothing when it is to hold
 * nothing? */
static bool holds_already(enum claw_turn turn, uint64_t kernel,
			  const struct claw_ledger_hold *hold)
{
	uint64_t mix = claw_entry_mix(kernel, CLAW_OBJ_KERNEL);
	struct claw_ledger_place *place = claw_entry_place(mix);
	struct claw_ledger_entry *entry;
	bool same = true;

	if (!claw_lock(turn, &place->lock))
		return true;
	entry = claw_entry_find(place, mix, kernel, CLAW_OBJ_KERNEL);
	if (entry && entry->object == CLAW_OBJ_KERNEL)
		same = hold->handle ? claw_holds_has(turn, entry->hold, hold) :
			!entry->hold;
	claw_unlock(turn, &place->lock);
	return same;
}

/* Under a turn. What the kernel held there before is *ret_old. False: the hold
 * is not kept. */
static bool set_hold(enum claw_turn turn, uint64_t kernel,
		     const struct claw_ledger_hold *hold,
		     struct claw_ledger_hold *ret_old)
{
	uint64_t mix = claw_entry_mix(kernel, CLAW_OBJ_KERNEL);
	struct claw_ledger_place *place = claw_entry_place(mix);
	struct claw_ledger_entry *entry;
	bool kept = false;

	ret_old->handle = 0;
	if (!claw_lock(turn, &place->lock))
		return false;
	entry = claw_entry_find(place, mix, kernel, CLAW_OBJ_KERNEL);
	if (entry && entry->object == CLAW_OBJ_KERNEL) {
		kept = claw_holds_set(turn, &entry->hold, hold, ret_old);
		if (!kept)
			entry->flags |= CLAW_LEDGER_LOST_HOLDS;
	}
	claw_unlock(turn, &place->lock);
	return kept;
}

static void change_hold(enum claw_turn turn, uint64_t kernel,
			const struct claw_ledger_hold *hold)
{
	struct claw_ledger_hold old;
	struct claw_remains remains;

	if (hold->handle && !add_holder(turn, hold->handle, hold->serial,
					CLAW_OBJ_MEM))
		return;
	if (!set_hold(turn, kernel, hold, &old) && hold->handle)
		old = *hold;
	if (old.handle &&
	    drop_holder(turn, old.handle, old.serial, false, &remains))
		claw_ledger_settle(turn, remains);
}

void claw_ledger_set_arg(const void *kernel, uint32_t index, size_t size,
			 const void *value)
{
	struct claw_ledger_hold hold = { .argument = index };
	enum claw_turn turn;
	void *handle = NULL;

	if (claw_number(kernel) <= CLAW_CLEARED)
		return;
	if (size == sizeof(handle) && value)
		memcpy(&handle, value, sizeof(handle));
	turn = claw_turn_begin();
	if (turn == CLAW_TURN_NONE)
		return;
	/* Eight bytes that are the handle of a memory object are one. */
	hold.serial = memory_serial(turn, claw_number(handle), &hold.bytes);
	if (hold.serial)
		hold.handle = claw_number(handle);
	if (!holds_already(turn, claw_number(kernel), &hold))
		change_hold(turn, claw_number(kernel), &hold);
	claw_turn_end(turn);
}

const void *claw_ledger_parent(enum claw_obj object, const void *handle,
			       bool *ret_known)
{
	uint64_t mix = claw_entry_mix(claw_number(handle), object);
	struct claw_ledger_place *place = claw_entry_place(mix);
	const struct claw_ledger_entry *entry = NULL;
	const void *parent = NULL;
	enum claw_turn turn;

	*ret_known = false;
	if (claw_number(handle) <= CLAW_CLEARED)
		return NULL;
	turn = claw_turn_begin();
	if (turn == CLAW_TURN_NONE)
		return NULL;
	if (claw_lock(turn, &place->lock)) {
		entry = claw_entry_find(place, mix, claw_number(handle), object);
		if (entry && entry->object == object) {
			parent = (const void *)(uintptr_t)entry->parent;
			*ret_known = true;
		}
		claw_unlock(turn, &place->lock);
	}
	claw_turn_end(turn);
	return parent;
}
