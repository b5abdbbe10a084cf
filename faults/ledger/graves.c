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

/* This thread is at it: a handler that interrupts it cannot wait for it. */
static __thread bool inside __attribute__((tls_model("initial-exec")));

static void clear(void)
{
	memset(own.chains, 0, sizeof(own.chains));
	own.used = own.next = 0;
	own.forget = false;
}

void claw_graves_begin(void)
{
	own.lock = 0;
	inside = false;
	clear();
}

static bool begin(void)
{
	if (inside)
		return false;
	inside = true;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	if (!claw_lock(CLAW_TURN_SHARED, &own.lock)) {
		inside = false;
		return false;
	}
	if (__atomic_load_n(&own.forget, __ATOMIC_RELAXED))
		clear();
	return true;
}

static void end(void)
{
	claw_unlock(CLAW_TURN_SHARED, &own.lock);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	inside = false;
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
	if (!grave->handle || !begin())
		return;
	add(grave);
	end();
}

bool claw_graves_find(enum claw_obj object, const void *handle,
		      struct claw_grave *ret_grave)
{
	uint16_t place;

	if (!handle || !begin())
		return false;
	place = *find_link(claw_number(handle), object);
	if (place)
		*ret_grave = own.graves[place - 1];
	end();
	return place != 0;
}

void claw_graves_remove(enum claw_obj object, const void *handle)
{
	/* Who made this grave was done before the driver could give the handle
	 * away again, so an empty chain is empty for us. */
	if (!__atomic_load_n(chain_of(claw_number(handle), object),
			     __ATOMIC_RELAXED))
		return;
	if (!begin()) {
		__atomic_store_n(&own.forget, true, __ATOMIC_RELAXED);
		return;
	}
	unlink_grave(find_link(claw_number(handle), object));
	end();
}
