/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Looks into the ledger, for those who judge what a program does with its
 * objects: copies, taken under the lock of the place.
 */
#include "config.h"

#include "ledger_private.h"

/* A turn, and the entry there with its lock, or NULL; *ret_turn is NONE when
 * none was to be had. */
static struct claw_ledger_entry *begin_look(enum claw_obj object,
					    const void *handle,
					    struct claw_ledger_place **ret_place,
					    enum claw_turn *ret_turn)
{
	*ret_place = NULL;
	*ret_turn = claw_turn_begin();
	return *ret_turn == CLAW_TURN_NONE ? NULL :
		claw_entry_meet(*ret_turn, claw_number(handle), object,
				ret_place);
}

static void end_look(struct claw_ledger_place *place, enum claw_turn turn)
{
	claw_entry_part(place);
	if (turn != CLAW_TURN_NONE)
		claw_turn_end(turn);
}

bool claw_ledger_is_alive(enum claw_obj object, const void *handle,
			  uint64_t serial)
{
	struct claw_ledger_place *place;
	enum claw_turn turn;
	const struct claw_ledger_entry *entry =
		claw_entry_alone(claw_number(handle), object);
	bool alive;

	if (entry) {
		alive = !serial || entry->serial == serial;
		claw_turn_end(CLAW_TURN_ALONE);
		return alive;
	}
	entry = begin_look(object, handle, &place, &turn);
	alive = entry && entry->object == object && entry->references &&
		(!serial || entry->serial == serial);
	end_look(place, turn);
	return alive;
}

bool claw_ledger_copy(enum claw_obj object, const void *handle,
		      struct claw_ledger_entry *ret_entry)
{
	struct claw_ledger_place *place;
	enum claw_turn turn;
	const struct claw_ledger_entry *entry = begin_look(object, handle,
							   &place, &turn);

	if (entry)
		*ret_entry = *entry;
	end_look(place, turn);
	return entry != NULL;
}

void claw_ledger_mark(enum claw_obj object, const void *handle, uint8_t flags,
		      bool no_reference)
{
	struct claw_ledger_place *place;
	enum claw_turn turn;
	struct claw_ledger_entry *entry = begin_look(object, handle, &place,
						     &turn);

	if (entry && entry->object == object &&
	    !(no_reference && entry->references))
		entry->flags |= flags;
	end_look(place, turn);
}

unsigned int claw_ledger_holds(enum claw_obj object, const void *handle,
			       struct claw_ledger_hold *ret_holds,
			       unsigned int max, bool *ret_all)
{
	struct claw_ledger_place *place;
	enum claw_turn turn;
	const struct claw_ledger_entry *entry = begin_look(object, handle,
							   &place, &turn);
	unsigned int count = 0;
	bool more = false;

	if (entry && entry->object == object) {
		count = claw_holds_copy(turn, entry->hold, ret_holds, max,
					&more);
		more |= entry->flags & CLAW_LEDGER_LOST_HOLDS;
	}
	*ret_all = !more;
	end_look(place, turn);
	return count;
}

bool claw_ledger_holds_live(const struct claw_ledger_entry *entry)
{
	enum claw_turn turn = claw_turn_begin();
	bool live = claw_holds_live(turn, entry->hold);

	if (turn != CLAW_TURN_NONE)
		claw_turn_end(turn);
	return live;
}

enum { HOLDS = 32 };

/* Under the turn. */
static bool look_at_use(enum claw_turn turn,
			const struct claw_ledger_hold *hold,
			struct claw_ledger_used *ret)
{
	struct claw_ledger_place *place;
	const struct claw_ledger_entry *entry =
		claw_entry_meet(turn, hold->handle, CLAW_OBJ_MEM, &place);
	bool alive = entry && entry->object == CLAW_OBJ_MEM &&
		     entry->references && entry->serial == hold->serial;

	if (alive)
		claw_ledger_use(entry, hold, ret);
	claw_entry_part(place);
	return alive;
}

static __attribute__((noinline)) bool
uses(const void *kernel, uint64_t *ret_serial,
     struct claw_ledger_used *ret_used, unsigned int max,
     unsigned int *ret_count)
{
	struct claw_ledger_hold holds[HOLDS];
	struct claw_ledger_place *place;
	enum claw_turn turn;
	const struct claw_ledger_entry *entry =
		begin_look(CLAW_OBJ_KERNEL, kernel, &place, &turn);
	bool good = entry && entry->object == CLAW_OBJ_KERNEL &&
		    entry->references &&
		    !(entry->flags & CLAW_LEDGER_LOST_HOLDS), more;
	unsigned int count = 0;

	if (good) {
		*ret_serial = entry->serial;
		count = claw_holds_copy(turn, entry->hold, holds,
					max < HOLDS ? max : HOLDS, &more);
		good = !more;
	}
	claw_entry_part(place);
	for (unsigned int i = 0; i < count && good; i++)
		good = look_at_use(turn, &holds[i], &ret_used[i]);
	if (turn != CLAW_TURN_NONE)
		claw_turn_end(turn);
	*ret_count = count;
	return good;
}

bool claw_ledger_uses(const void *kernel, uint64_t *ret_serial,
		      struct claw_ledger_used *ret_used, unsigned int max,
		      unsigned int *ret_count)
{
	const struct claw_ledger_entry *entry =
		claw_entry_alone(claw_number(kernel), CLAW_OBJ_KERNEL);
	bool good = false;

	if (entry) {
		*ret_serial = entry->serial;
		good = !(entry->flags & CLAW_LEDGER_LOST_HOLDS) &&
		       claw_holds_use_alone(entry->hold, ret_used, max,
					    ret_count);
		claw_turn_end(CLAW_TURN_ALONE);
	}
	return good || uses(kernel, ret_serial, ret_used, max, ret_count);
}
