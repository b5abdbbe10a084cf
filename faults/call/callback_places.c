/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A pool of places for callbacks that the driver has not made yet. What it is
 * given names a place and how often that was used, so that a driver that calls
 * twice reaches nobody else's function.
 */
#include "config.h"

#include "callback_places.h"

enum { PLACES = 4096, PLACE_BITS = 12 };

struct place {
	claw_any_notify notify;
	void *user;
	uint32_t generation;
	uint32_t next;		/* free: index + 1 */
};

static struct {
	struct place places[PLACES];
	uint32_t lock, free, fresh;
} own;

/* Places of a parent's callbacks stay taken: the child's driver may call. */
void claw_callback_places_begin(void)
{
	own.lock = 0;
}

static bool lock(void)
{
	for (unsigned int i = 0; i < 100000; i++) {
		if (!__atomic_exchange_n(&own.lock, 1, __ATOMIC_ACQUIRE))
			return true;
		if (i > 100)
			claw_sleep_ns(10000);
	}
	return false;
}

static void unlock(void)
{
	__atomic_store_n(&own.lock, 0, __ATOMIC_RELEASE);
}

void *claw_callback_place_take(claw_any_notify notify, void *user)
{
	struct place *place;
	uint32_t index;

	if (!lock())
		return NULL;
	index = own.free;
	if (index)
		own.free = own.places[index - 1].next;
	else if (own.fresh < PLACES)
		index = ++own.fresh;
	if (!index) {
		unlock();
		return NULL;
	}
	place = &own.places[index - 1];
	place->notify = notify;
	place->user = user;
	/* Never 0: the name of the first place would be NULL. */
	place->generation = place->generation == 0x7ffff ? 1 :
		place->generation + 1;
	unlock();
	return (void *)(uintptr_t)((uintptr_t)place->generation << PLACE_BITS |
				   (index - 1));
}

bool claw_callback_place_give_back(const void *name,
				   claw_any_notify *ret_notify,
				   void **ret_user)
{
	uintptr_t number = (uintptr_t)name;
	uint32_t index = (uint32_t)(number & (PLACES - 1));
	struct place *place = &own.places[index];
	bool good = false;

	if (!lock())
		return false;
	if (place->generation == number >> PLACE_BITS && place->notify) {
		good = true;
		*ret_notify = place->notify;
		*ret_user = place->user;
		place->notify = NULL;
		place->next = own.free;
		own.free = index + 1;
	}
	unlock();
	return good;
}
