/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Looks into the ledger, for those who judge what a program does with its
 * objects: copies, taken under the lock of the place.
 */
#include "config.h"

#include "ledger_private.h"

/* A turn and the lock of the place, and the entry there, or NULL; *ret_turn is
 * NONE when neither was had. */
static struct claw_ledger_entry *begin_look(enum claw_obj object,
					    const void *handle,
					    struct claw_ledger_place **ret_place,
					    enum claw_turn *ret_turn)
{
	uint64_t mix = claw_entry_mix(claw_number(handle), object);
	struct claw_ledger_place *place = claw_entry_place(mix);

	*ret_place = place;
	*ret_turn = CLAW_TURN_NONE;
	if (claw_number(handle) <= CLAW_CLEARED)
		return NULL;
	*ret_turn = claw_turn_begin();
	if (*ret_turn == CLAW_TURN_NONE)
		return NULL;
	if (!claw_lock(*ret_turn, &place->lock)) {
		claw_turn_end(*ret_turn);
		*ret_turn = CLAW_TURN_NONE;
		return NULL;
	}
	return claw_entry_find(place, mix, claw_number(handle), object);
}

static void end_look(struct claw_ledger_place *place, enum claw_turn turn)
{
	if (turn == CLAW_TURN_NONE)
		return;
	claw_unlock(turn, &place->lock);
	claw_turn_end(turn);
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
