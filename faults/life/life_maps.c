/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Unmaps: of what is not mapped, of what is not mapped any more, and of what
 * another memory object is mapped at.
 */
#include "config.h"

#include "life_private.h"

#include "faults/ledger/ledger_turn.h"

/* The thread unmaps what another memory object is mapped at. */
static __thread bool of_another __attribute__((tls_model(CLAW_TLS_MODEL)));

/* Mappings of what was made before us, or by a parent, are not known, nor are
 * those that there was no room for. */
static bool knows_mappings_of(const void *mem)
{
	struct claw_ledger_entry entry;

	return claw_ledger_copy(CLAW_OBJ_MEM, mem, &entry) &&
	       entry.object == CLAW_OBJ_MEM && entry.references &&
	       !__atomic_load_n(&claw_own_ledger.header->dropped,
				__ATOMIC_RELAXED);
}

void claw_life_check_unmap(struct claw_call *call, const void *pointer)
{
	const void *mem = CLAW_ARG(call, clEnqueueUnmapMemObject, memobj);
	struct claw_ledger_entry entry;
	struct claw_found_entry found;
	struct claw_grave grave;
	bool known = claw_ledger_copy(CLAW_OBJ_MAPPING, pointer, &entry) &&
		     entry.references;
	bool twice;

	of_another = false;
	if ((known && (entry.parent == claw_number(mem) ||
		       entry.flags & CLAW_LEDGER_SHARED)) ||
	    !knows_mappings_of(mem))
		return;
	twice = !known && claw_graves_find(CLAW_OBJ_MAPPING, pointer, &grave) &&
		grave.parent == claw_number(mem);
	found = (struct claw_found_entry){
		.kind = twice ? CLAW_FOUND_UNMAP_TWICE :
			CLAW_FOUND_UNMAP_UNKNOWN,
		.at = claw_found_here(call->api, CLAW_OBJ_MAPPING),
		.handle = claw_number(pointer),
	};
	claw_life_place(&found, NULL, twice ? &grave : NULL);
	claw_life_accuse(call, &found, CL_INVALID_VALUE,
			 CLAW_ANSWER_PROTECTED);
	of_another = known;
}

/* The ledger takes it for an end of the mapping that is at that pointer, and
 * takes that back, whatever the driver says (oclgrind: success). */
bool claw_life_keep_mapping(struct claw_call *call,
			    const struct claw_ledger_entry *last)
{
	struct claw_ledger_entry ended = { .handle = 0 };

	if (!of_another || call->ledger.release != CLAW_LEDGER_KNOWN)
		return false;
	if (last)
		ended = *last;
	claw_ledger_kept(CLAW_OBJ_MAPPING,
			 CLAW_ARG(call, clEnqueueUnmapMemObject, mapped_ptr),
			 &ended);
	call->ledger.release = CLAW_LEDGER_UNKNOWN;
	return true;
}
