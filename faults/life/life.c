/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lifetime errors: what is asked before and after each call, and how a wrong
 * is written down.
 */
#include "config.h"

#include "life_private.h"

#include <string.h>

#include "hold_back.h"

bool claw_life_on CLAW_HIDDEN;
static bool protects;

void claw_life_begin(bool protect)
{
	claw_graves_begin();
	claw_hold_back_begin();
	claw_life_notes_begin();
	protects = protect;
	claw_life_on = true;
}

/* ---- findings */

bool claw_life_is_certain(const struct claw_grave *grave)
{
	return claw_hold_back_has(grave->ticket) ||
	       !__atomic_load_n(&claw_journal_writer.header->unknown_ext_lookups,
				__ATOMIC_RELAXED);
}

void claw_life_name(struct claw_found_entry *found, const char *name)
{
	claw_copy_text(found->name, sizeof(found->name), name, strlen(name));
}

void claw_life_place(struct claw_found_entry *found,
		     const struct claw_ledger_entry *entry,
		     const struct claw_grave *grave)
{
	found->second = found->third = claw_found_nowhere();
	if (grave) {
		found->second = claw_found_place(grave->site, grave->api,
			(enum claw_obj)grave->object);
		found->third = claw_found_place(grave->made_site,
			grave->made_api, (enum claw_obj)grave->object);
	} else if (entry) {
		found->third = claw_found_place(entry->site, entry->api,
			(enum claw_obj)entry->object);
	}
}

void claw_life_accuse(struct claw_call *call, struct claw_found_entry *found,
		      cl_int code, enum claw_answer answer)
{
	bool certain = found->sure == CLAW_SURE_CERTAIN;

	found->answered = certain &&
			  (answer == CLAW_ANSWER_ALWAYS || protects);
	claw_found_add(found);
	if (found->answered && !call->injected)
		claw_fail(call, code);
}

/* ---- calls */

void claw_life_before(struct claw_call *call)
{
	claw_life_check_uses(call);
	claw_life_check_ends(call);
	if (!call->injected)
		claw_life_note_before(call);
}

void claw_life_after(struct claw_call *call)
{
	claw_life_ended(call);
	claw_life_note_after(call);
}
