/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which final releases may wait. Not those that a program can notice: of what
 * has a destructor's callback, of host memory that it frees then, of objects
 * that live from another API; nor those of what keeps such an object alive,
 * be it a child, a kernel or an event.
 */
#include "config.h"

#include "life_private.h"

#include "hold_back.h"

enum { HOLDS = 64, DEPTH = 8 };

/* Was there ever an object that has to end promptly? */
static bool any_prompt;

void claw_life_waits_begin(void)
{
	any_prompt = false;
}

void claw_life_make_prompt(enum claw_obj object, const void *handle)
{
	__atomic_store_n(&any_prompt, true, __ATOMIC_RELAXED);
	claw_ledger_mark(object, handle, CLAW_LEDGER_PROMPT, false);
	/* Of what is held already, some may keep it alive. */
	claw_hold_back_end_all();
}

static bool copy_parent(const struct claw_ledger_entry *entry,
			struct claw_ledger_entry *parent)
{
	return claw_ledger_copy(CLAW_OBJ_NONE,
				(const void *)(uintptr_t)entry->parent,
				parent) &&
	       parent->serial < entry->serial;
}

static bool keeps_prompt(const struct claw_ledger_entry *entry)
{
	struct claw_ledger_entry at, parent;

	if (!__atomic_load_n(&any_prompt, __ATOMIC_RELAXED))
		return false;
	at = *entry;
	for (unsigned int i = 0; i < DEPTH; i++) {
		if (at.flags & CLAW_LEDGER_PROMPT)
			return true;
		if (!copy_parent(&at, &parent))
			return false;
		at = parent;
	}
	return false;
}

/* Of a memory object: of a part, what the whole takes. False: it lives in the
 * program's own memory. */
static bool memory_may_wait(const struct claw_ledger_entry *entry,
			    uint64_t *ret_bytes)
{
	const struct claw_ledger_entry *at = entry;
	struct claw_ledger_entry whole, parent;

	for (unsigned int i = 0; i < DEPTH && at->flags & CLAW_LEDGER_SUB &&
	     copy_parent(at, &parent); i++) {
		if (at->flags & CLAW_LEDGER_HOST_PTR)
			return false;
		whole = parent;
		at = &whole;
	}
	*ret_bytes = at->bytes;
	return !(at->flags & CLAW_LEDGER_HOST_PTR);
}

/*
 * NVIDIA's driver keeps the arguments of a launch as long as there is its
 * event (measured on an H200), and a driver may keep those of a kernel. What
 * the program still has does not count: when that is released, all that is
 * held by then goes first, in its turn or by claw_hold_back_end_keepers().
 */
static bool holds_may_wait(const struct claw_ledger_entry *entry,
			   uint64_t *ret_bytes)
{
	struct claw_ledger_hold holds[HOLDS];
	bool all = true;
	unsigned int count = entry->hold && !claw_ledger_holds_live(entry) ?
		claw_ledger_holds((enum claw_obj)entry->object,
				  (const void *)(uintptr_t)entry->handle,
				  holds, HOLDS, &all) : 0;

	if (!all)
		return false;

	for (unsigned int i = 0; i < count; i++) {
		struct claw_ledger_entry mem;
		uint64_t bytes = 0;

		/* Whatever has its handle is the program's. */
		if (claw_ledger_is_alive(CLAW_OBJ_MEM,
				(const void *)(uintptr_t)holds[i].handle, 0) ||
		    !claw_ledger_copy(CLAW_OBJ_MEM,
				      (const void *)(uintptr_t)holds[i].handle,
				      &mem) ||
		    mem.serial != holds[i].serial || mem.references)
			continue;
		if (keeps_prompt(&mem) || !memory_may_wait(&mem, &bytes))
			return false;
		*ret_bytes += bytes;
	}
	return !(entry->flags & CLAW_LEDGER_LOST_HOLDS);
}

/* May the final release of that object be held back? *ret_bytes: of the
 * device's memory that it keeps. */
bool claw_life_may_wait(const struct claw_ledger_entry *entry,
			uint64_t *ret_bytes)
{
	*ret_bytes = 0;
	if (entry->flags & (CLAW_LEDGER_PROMPT | CLAW_LEDGER_NOTIFIED) ||
	    keeps_prompt(entry))
		return false;
	switch (entry->object) {
	case CLAW_OBJ_MEM:
		if (!memory_may_wait(entry, ret_bytes))
			return false;
		break;
	case CLAW_OBJ_EVENT:
	case CLAW_OBJ_KERNEL:
		if (!holds_may_wait(entry, ret_bytes))
			return false;
		break;
	default:
		break;
	}
	return claw_hold_back_takes((enum claw_obj)entry->object, *ret_bytes);
}
