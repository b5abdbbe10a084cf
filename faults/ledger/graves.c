/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Graves: an array that is filled round and round, and chains into it that
 * begin where the handle tells. Chains are of places in the array (index + 1),
 * 0 ends them.
 */
#include "config.h"

#include "graves.h"

#include <string.h>

#include "ledger_private.h"

enum { CHAINS = CLAW_GRAVES_MAX, CHAIN_SHIFT = 64 - 14 };

_Static_assert(CLAW_GRAVES_MAX == 1 << (64 - CHAIN_SHIFT), "one hash");

static struct {
	uint32_t lock;
	uint32_t used;		/* places that were ever filled */
	uint32_t next;		/* place to fill */
	bool forget;		/* somebody could not get in: they may be wrong */
	uint16_t chains[CHAINS];
	uint16_t links[CLAW_GRAVES_MAX];	/* next of the chain */
	struct claw_grave graves[CLAW_GRAVES_MAX];
} own;

static void clear(void)
{
	memset(own.chains, 0, sizeof(own.chains));
	own.used = own.next = 0;
	own.forget = false;
}

void claw_graves_begin(void)
{
	own.lock = 0;
	clear();
}

/* The ledger's turn, in which a lone thread needs no lock. */
static inline enum claw_turn begin(void)
{
	enum claw_turn turn = claw_turn_begin();

	if (turn != CLAW_TURN_NONE && !claw_lock(turn, &own.lock)) {
		claw_turn_end(turn);
		return CLAW_TURN_NONE;
	}
	if (turn != CLAW_TURN_NONE &&
	    __atomic_load_n(&own.forget, __ATOMIC_RELAXED))
		clear();
	return turn;
}

static inline void end(enum claw_turn turn)
{
	claw_unlock(turn, &own.lock);
	claw_turn_end(turn);
}

static uint16_t *chain_of(uint64_t handle, unsigned int object)
{
	return &own.chains[claw_entry_mix(handle, object) >> CHAIN_SHIFT];
}

/* Under the lock: the link that leads to it, or the one that ends its
 * chain. */
static uint16_t *find_link(uint64_t handle, unsigned int object)
{
	uint16_t *link = chain_of(handle, object);

	while (*link) {
		const struct claw_grave *grave = &own.graves[*link - 1];

		if (grave->handle == handle &&
		    claw_class_of(grave->object) == claw_class_of(object))
			break;
		link = &own.links[*link - 1];
	}
	return link;
}

/* Under the lock. Its place stays empty until its turn comes. */
static void unlink_grave(uint16_t *link)
{
	uint16_t place = *link;

	if (!place)
		return;
	*link = own.links[place - 1];
	own.graves[place - 1].handle = 0;
}

static void add(const struct claw_grave *grave)
{
	uint32_t place = own.next;
	const struct claw_grave *old = &own.graves[place];
	uint16_t *chain;

	unlink_grave(find_link(grave->handle, grave->object));
	if (place < own.used && old->handle)
		unlink_grave(find_link(old->handle, old->object));
	own.graves[place] = *grave;
	chain = chain_of(grave->handle, grave->object);
	own.links[place] = *chain;
	__atomic_store_n(chain, (uint16_t)(place + 1), __ATOMIC_RELAXED);
	if (place == own.used)
		own.used++;
	own.next = (place + 1) % CLAW_GRAVES_MAX;
}

void claw_graves_add(const struct claw_grave *grave)
{
	enum claw_turn turn = grave->handle ? begin() : CLAW_TURN_NONE;

	if (turn == CLAW_TURN_NONE)
		return;
	add(grave);
	end(turn);
}

bool claw_graves_find(enum claw_obj object, const void *handle,
		      struct claw_grave *ret_grave)
{
	enum claw_turn turn = handle ? begin() : CLAW_TURN_NONE;
	uint16_t place;

	if (turn == CLAW_TURN_NONE)
		return false;
	place = *find_link(claw_number(handle), object);
	if (place)
		*ret_grave = own.graves[place - 1];
	end(turn);
	return place != 0;
}

void claw_graves_prefetch(enum claw_obj object, uint64_t handle)
{
	uint16_t place = __atomic_load_n(chain_of(handle, object),
					 __ATOMIC_RELAXED);

	if (place)
		__builtin_prefetch(&own.graves[place - 1]);
}

void claw_graves_remove(enum claw_obj object, const void *handle)
{
	enum claw_turn turn;

	/* Who made this grave was done before the driver could give the handle
	 * away again, so an empty chain is empty for us. */
	if (!__atomic_load_n(chain_of(claw_number(handle), object),
			     __ATOMIC_RELAXED))
		return;
	turn = begin();
	if (turn == CLAW_TURN_NONE) {
		__atomic_store_n(&own.forget, true, __ATOMIC_RELAXED);
		return;
	}
	unlink_grave(find_link(claw_number(handle), object));
	end(turn);
}
