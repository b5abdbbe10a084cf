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

/* ---- ends */

void claw_entry_end(enum claw_turn turn, struct claw_ledger_entry *entry,
		    struct claw_remains *ret_remains)
{
	if (__builtin_expect((entry->mem_flags & CLAW_MODEL_KNOWN) != 0, 0))
		claw_own_ledger.memory->ending(turn, entry);
	CLAW_LEDGER_TELL(died, turn, entry);
	ret_remains->parent = entry->parent;
	ret_remains->serial = entry->serial;
	ret_remains->chain = entry->hold;
	claw_table_remove(claw_entry_place(claw_entry_mix(entry->handle,
							  entry->object)),
			  entry);
	claw_ledger_count(turn, &claw_own_ledger.header->gone);
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
	struct claw_ledger_place *place;
	struct claw_ledger_entry *entry =
		claw_entry_meet(turn, handle, CLAW_OBJ_NONE, &place);
	bool ended = false;

	if (entry && !by_child && entry->serial != serial)
		entry = NULL;
	if (entry && entry->holders &&
	    (by_child ? entry->serial < serial :
	     entry->serial == serial && keeps(entry))) {
		entry->holders--;
		ended = !entry->holders && !entry->references;
		if (ended)
			claw_entry_end(turn, entry, ret_remains);
	}
	claw_entry_part(place);
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
		if (claw_holds_leave(turn, remains.chain))
			remains.chain = 0;
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
	struct claw_ledger_place *place;
	struct claw_ledger_entry *entry =
		claw_entry_meet(turn, handle, CLAW_OBJ_NONE, &place);

	if (entry)
		entry->holders++;
	claw_entry_part(place);
}

/* A holder for an object, if it is there (and has that serial, if not 0). Its
 * serial, or 0. What nothing keeps is there for an argument only. */
static uint64_t add_holder(enum claw_turn turn, uint64_t handle,
			   uint64_t serial, enum claw_obj object)
{
	struct claw_ledger_place *place;
	struct claw_ledger_entry *entry =
		claw_entry_meet(turn, handle, CLAW_OBJ_NONE, &place);
	uint64_t found = 0;

	if (entry && (!object || entry->object == object) &&
	    (!serial || entry->serial == serial)) {
		bool kept = keeps(entry);

		entry->holders += kept;
		found = kept || object ? entry->serial : 0;
	}
	claw_entry_part(place);
	return found;
}

/* What the kernel holds now, copied. */
struct held {
	struct claw_ledger_hold holds[CLAW_HOLDS_MAX];
	unsigned int count;
	uint32_t chain;
	bool lost;		/* it is more than that */
	bool shared;		/* launches have that chain, too */
};

static struct claw_ledger_entry *
meet_kernel(enum claw_turn turn, const void *kernel,
	    struct claw_ledger_place **ret_place)
{
	struct claw_ledger_entry *entry =
		claw_entry_meet(turn, claw_number(kernel), CLAW_OBJ_KERNEL,
				ret_place);

	return entry && entry->object == CLAW_OBJ_KERNEL ? entry : NULL;
}

static void copy_held(enum claw_turn turn, const void *kernel,
		      struct held *held)
{
	struct claw_ledger_place *place;
	const struct claw_ledger_entry *entry = meet_kernel(turn, kernel,
							    &place);

	held->count = held->chain = 0;
	held->lost = held->shared = false;
	if (entry) {
		held->chain = entry->hold;
		held->count = claw_holds_copy(turn, entry->hold, held->holds,
					      CLAW_HOLDS_MAX, &held->lost);
		held->lost |= entry->flags & CLAW_LEDGER_LOST_HOLDS;
		held->shared = claw_holds_are_shared(turn, entry->hold);
	}
	claw_entry_part(place);
}

/* A chain of them; what there is no room for has one holder less again. */
static uint32_t make_chain(enum claw_turn turn,
			   const struct claw_ledger_hold *holds,
			   unsigned int count, uint8_t *flags)
{
	struct claw_remains none;
	unsigned int made = count;
	uint32_t chain = claw_holds_make(turn, holds, &made);

	if (made < count)
		*flags |= CLAW_LEDGER_LOST_HOLDS;
	for (; made < count; made++)
		drop_holder(turn, holds[made].handle, holds[made].serial, false,
			    &none);
	return chain;
}

/* Of those that are there still, with a holder more each. */
static uint32_t copy_chain(enum claw_turn turn, struct claw_ledger_hold *holds,
			   unsigned int count, uint8_t *flags)
{
	unsigned int kept = 0;

	for (unsigned int i = 0; i < count; i++)
		if (add_holder(turn, holds[i].handle, holds[i].serial,
			       CLAW_OBJ_NONE))
			holds[kept++] = holds[i];
	if (kept < count)
		*flags |= CLAW_LEDGER_LOST_HOLDS;
	return make_chain(turn, holds, kept, flags);
}

static bool is_there(enum claw_turn turn, const struct claw_ledger_hold *hold)
{
	struct claw_ledger_place *place;
	const struct claw_ledger_entry *entry =
		claw_entry_meet(turn, hold->handle, CLAW_OBJ_NONE, &place);
	bool there = entry && entry->serial == hold->serial;

	claw_entry_part(place);
	return there;
}

/* Beneath a model not every hold keeps its object. */
static bool may_share(enum claw_turn turn, const struct held *held)
{
	for (unsigned int i = 0; i < held->count; i++)
		if (!is_there(turn, &held->holds[i]))
			return false;
	return held->count && !held->lost && !claw_own_ledger.memory;
}

static bool share(enum claw_turn turn, const void *kernel, uint32_t chain)
{
	struct claw_ledger_place *place;
	const struct claw_ledger_entry *entry = meet_kernel(turn, kernel,
							    &place);
	bool shared = entry && entry->hold == chain &&
		      claw_holds_share(turn, chain);

	claw_entry_part(place);
	return shared;
}

/* The same where one look tells that all of it is alive: its chain, or 0. */
static uint32_t share_live(enum claw_turn turn, const void *kernel, bool lives)
{
	struct claw_ledger_place *place;
	const struct claw_ledger_entry *entry = meet_kernel(turn, kernel,
							    &place);
	uint32_t chain = 0;

	if (entry && !(entry->flags & CLAW_LEDGER_LOST_HOLDS) &&
	    !claw_own_ledger.memory &&
	    ((lives && turn == CLAW_TURN_ALONE) ||
	     claw_holds_live(turn, entry->hold)) &&
	    claw_holds_share(turn, entry->hold))
		chain = entry->hold;
	claw_entry_part(place);
	return chain;
}

uint32_t claw_ledger_chain(enum claw_turn turn, const void *kernel, bool lives,
			   uint8_t *flags)
{
	uint32_t chain = share_live(turn, kernel, lives);
	struct held held;

	if (chain)
		return chain;
	copy_held(turn, kernel, &held);
	if (may_share(turn, &held) && share(turn, kernel, held.chain))
		return held.chain;
	if (held.lost)
		*flags |= CLAW_LEDGER_LOST_HOLDS;
	return copy_chain(turn, held.holds, held.count, flags);
}

/* ---- arguments */

/* Under a turn: the serial of the memory object with that handle, or 0, and
 * the bytes that it takes of the device's memory. */
static uint64_t memory_serial(enum claw_turn turn, uint64_t handle,
			      uint64_t *ret_bytes,
			      enum claw_ledger_argument *ret_what)
{
	struct claw_ledger_place *place;
	const struct claw_ledger_entry *entry =
		claw_entry_meet(turn, handle, CLAW_OBJ_MEM, &place);
	uint64_t serial = 0;

	*ret_what = !entry ? CLAW_ARGUMENT_NUMBER : entry->references ?
		CLAW_ARGUMENT_NEW : CLAW_ARGUMENT_DOUBTFUL;
	if (entry && entry->object == CLAW_OBJ_MEM) {
		serial = entry->serial;
		if (!(entry->flags & (CLAW_LEDGER_SUB | CLAW_LEDGER_HOST_PTR)))
			*ret_bytes = entry->bytes;
	}
	claw_entry_part(place);
	return serial;
}

/* Under a turn: does the kernel hold just that, or nothing when it is to hold
 * nothing? So it is where there is no such kernel. */
static bool holds_already(enum claw_turn turn, uint64_t kernel,
			  const struct claw_ledger_hold *hold, bool *ret_alive)
{
	struct claw_ledger_place *place;
	const struct claw_ledger_entry *entry =
		claw_entry_meet(turn, kernel, CLAW_OBJ_KERNEL, &place);
	bool same = true;

	*ret_alive = false;
	if (entry && entry->object == CLAW_OBJ_KERNEL) {
		*ret_alive = entry->references;
		same = claw_holds_has(turn, entry->hold, hold);
	}
	claw_entry_part(place);
	return same;
}

/* Under a turn. What the kernel held there before is *ret_old. False: the hold
 * is not kept. */
static bool set_hold(enum claw_turn turn, uint64_t kernel,
		     const struct claw_ledger_hold *hold,
		     struct claw_ledger_hold *ret_old)
{
	struct claw_ledger_place *place;
	struct claw_ledger_entry *entry =
		claw_entry_meet(turn, kernel, CLAW_OBJ_KERNEL, &place);
	bool kept = false;

	ret_old->handle = 0;
	if (entry && entry->object == CLAW_OBJ_KERNEL) {
		kept = claw_holds_set(turn, &entry->hold, hold, ret_old);
		if (!kept)
			entry->flags |= CLAW_LEDGER_LOST_HOLDS;
	}
	claw_entry_part(place);
	return kept;
}

/* What is set now is not what its launches were given: they keep the chain, and
 * it has one of its own. */
static void leave_launches(enum claw_turn turn, const void *kernel)
{
	struct claw_remains remains = { 0 };
	struct claw_ledger_place *place;
	struct claw_ledger_entry *entry;
	uint8_t flags = 0;
	struct held held;

	copy_held(turn, kernel, &held);
	if (!held.shared)
		return;
	/* What is gone meanwhile is the kernel's argument all the same. */
	for (unsigned int i = 0; i < held.count; i++)
		add_holder(turn, held.holds[i].handle, held.holds[i].serial,
			   CLAW_OBJ_NONE);
	remains.chain = make_chain(turn, held.holds, held.count, &flags);
	entry = meet_kernel(turn, kernel, &place);
	if (entry) {
		uint32_t chain = entry->hold;

		entry->hold = remains.chain;
		entry->flags |= flags;
		remains.chain = chain;
	}
	claw_entry_part(place);
	claw_ledger_settle(turn, remains);
}

static void change_hold(enum claw_turn turn, uint64_t kernel,
			const struct claw_ledger_hold *hold)
{
	struct claw_ledger_hold old;
	struct claw_remains remains;

	leave_launches(turn, (const void *)(uintptr_t)kernel);
	if (hold->handle && !add_holder(turn, hold->handle, hold->serial,
					CLAW_OBJ_MEM))
		return;
	if (!set_hold(turn, kernel, hold, &old) && hold->handle)
		old = *hold;
	if (old.handle &&
	    drop_holder(turn, old.handle, old.serial, false, &remains))
		claw_ledger_settle(turn, remains);
}

/* Under a turn. Eight bytes that are the handle of a memory object are one. */
static inline struct claw_ledger_hold
hold_of(enum claw_turn turn, uint32_t index, size_t size, const void *value,
	enum claw_ledger_argument *ret_what)
{
	struct claw_ledger_hold hold = { .argument = index };
	void *handle = NULL;

	*ret_what = CLAW_ARGUMENT_NEW;
	if (size == sizeof(handle) && value)
		memcpy(&handle, value, sizeof(handle));
	if (!handle)
		return hold;
	hold.serial = memory_serial(turn, claw_number(handle), &hold.bytes,
				    ret_what);
	if (hold.serial)
		hold.handle = claw_number(handle);
	return hold;
}

enum claw_ledger_argument
claw_ledger_look_at_arg(const void *kernel, uint32_t index, size_t size,
			const void *value)
{
	enum claw_turn turn = claw_turn_begin();
	enum claw_ledger_argument what;
	struct claw_ledger_hold hold;
	bool alive, same;

	if (turn == CLAW_TURN_NONE)
		return CLAW_ARGUMENT_DOUBTFUL;
	hold = hold_of(turn, index, size, value, &what);
	same = holds_already(turn, claw_number(kernel), &hold, &alive);
	claw_turn_end(turn);
	return !alive ? CLAW_ARGUMENT_DOUBTFUL :
	       same && what == CLAW_ARGUMENT_NEW ? CLAW_ARGUMENT_SAME : what;
}

void claw_ledger_set_arg(const void *kernel, uint32_t index, size_t size,
			 const void *value)
{
	enum claw_turn turn = claw_turn_begin();
	enum claw_ledger_argument what;
	struct claw_ledger_hold hold;
	bool alive;

	if (turn == CLAW_TURN_NONE)
		return;
	hold = hold_of(turn, index, size, value, &what);
	if (!holds_already(turn, claw_number(kernel), &hold, &alive))
		change_hold(turn, claw_number(kernel), &hold);
	claw_turn_end(turn);
}

const void *claw_ledger_parent(enum claw_obj object, const void *handle,
			       bool *ret_known)
{
	const struct claw_ledger_entry *entry;
	struct claw_ledger_place *place;
	const void *parent = NULL;
	enum claw_turn turn = claw_turn_begin();

	*ret_known = false;
	if (turn == CLAW_TURN_NONE)
		return NULL;
	entry = claw_entry_meet(turn, claw_number(handle), object, &place);
	if (entry && entry->object == object) {
		parent = (const void *)(uintptr_t)entry->parent;
		*ret_known = true;
	}
	claw_entry_part(place);
	claw_turn_end(turn);
	return parent;
}
