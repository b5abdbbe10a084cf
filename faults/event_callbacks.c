/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A pool of places for callbacks that the driver has not made yet. What it is
 * given names a place and how often that was used, so that a driver that calls
 * twice reaches nobody else's function.
 */
#include "config.h"

#include "event_callbacks.h"

#include "meter.h"
#include "meter_events.h"
#include "trace.h"

enum { PLACES = 4096, PLACE_BITS = 12 };

typedef void (CL_CALLBACK *claw_notify)(cl_event event, cl_int status,
					void *user);

struct place {
	claw_notify notify;
	void *user;
	uint32_t generation;
	uint32_t next;		/* free: index + 1 */
};

static struct {
	struct place places[PLACES];
	uint32_t lock, free, fresh;
} own;

/* Places of a parent's callbacks stay taken: the child's driver may call. */
void claw_event_callbacks_begin(void)
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

static void *take(claw_notify notify, void *user)
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
	place->generation = (place->generation + 1) & 0x7ffff;
	unlock();
	return (void *)(uintptr_t)((uintptr_t)place->generation << PLACE_BITS |
				   (index - 1));
}

/* What is in it, and it is free again; false: it was so before. */
static bool give_back(const void *name, claw_notify *ret_notify,
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

/* Within a call of the guest's own the program's function is still its own. */
static void CL_CALLBACK on_event(cl_event event, cl_int status, void *name)
{
	claw_notify notify;
	void *user;

	if (!give_back(name, &notify, &user))
		return;
	claw_trace_told(event, status);
	if (claw_meters_are_on())
		claw_meter_told(event, status, claw_journal_ticks());
	if (status <= CL_COMPLETE) {	/* or it only begins */
		claw_commands_told(event);
		claw_guards_told();
	}

	unsigned int depth = claw_ours_leave();

	notify(event, status, user);
	claw_ours_return(depth);
}

bool claw_event_callbacks_wrap(struct claw_call *call)
{
	claw_notify *notify = (claw_notify *)call->args[2];
	void **user = (void **)call->args[3];
	void *name;

	if (!*notify)
		return true;		/* the driver will refuse it */
	name = take(*notify, *user);
	if (!name)
		return false;
	*notify = on_event;
	*user = name;
	return true;
}

void claw_event_callbacks_end(struct claw_call *call)
{
	claw_notify *notify = (claw_notify *)call->args[2];
	void **user = (void **)call->args[3];

	if (*notify == on_event && call->err)
		give_back(*user, notify, user);
}
