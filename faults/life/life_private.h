/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the files of the search for lifetime errors share: findings
 * (life.c), uses of handles (life_uses.c), what ends and what is kept
 * (life_ends.c, life_maps.c), what may wait (life_waits.c), and what successful and failed
 * calls tell of handles (life_notes.c).
 */
#ifndef CLAW_LIFE_PRIVATE_H
#define CLAW_LIFE_PRIVATE_H

#include "found.h"
#include "faults/ledger/graves.h"
#include "faults/ledger/ledger.h"
#include "life.h"

/* A parameter, given by its number. */
/* ---- findings (life.c) */

/* Who answers a call that is wrong. */
enum claw_answer {
	CLAW_ANSWER_PROTECTED,	/* the driver, unless it is to be protected */
	CLAW_ANSWER_ALWAYS,	/* nobody but we know that object */
};

/* Write it down, and answer the call with that code if need be. */
CLAW_HIDDEN void claw_life_accuse(struct claw_call *call,
				  struct claw_found_entry *found, cl_int code,
				  enum claw_answer answer);
/* Places in a finding: what is known of an object that was released; its last
 * release is found->second, its creation found->third. Either may be NULL. */
CLAW_HIDDEN void claw_life_place(struct claw_found_entry *found,
				 const struct claw_ledger_entry *entry,
				 const struct claw_grave *grave);
CLAW_HIDDEN void claw_life_name(struct claw_found_entry *found,
				const char *name);
/* Is that grave's object gone, whatever else the driver has made since? False:
 * an object of which we know nothing could have its handle. */
CLAW_HIDDEN bool claw_life_is_certain(const struct claw_grave *grave);

/* ---- uses (life_uses.c) */

CLAW_HIDDEN void claw_life_check_uses(struct claw_call *call);
CLAW_HIDDEN void claw_life_check_wrong_type(struct claw_call *call,
					    enum claw_obj wanted,
					    const struct claw_ledger_entry *is,
					    unsigned int param, cl_int code);

/* ---- ends (life_ends.c) */

/* Releases, retains, unmaps and frees, before the ledger and after all. */
CLAW_HIDDEN void claw_life_check_ends(struct claw_call *call);
CLAW_HIDDEN void claw_life_ended(struct claw_call *call);

/* ---- unmaps (life_maps.c) */

CLAW_HIDDEN void claw_life_check_unmap(struct claw_call *call,
				       const void *pointer);
/* What is mapped there is of another memory object than the one that it is
 * unmapped of: it stays. last: what the ledger says has ended, or NULL. */
CLAW_HIDDEN bool claw_life_keep_mapping(struct claw_call *call,
					const struct claw_ledger_entry *last);

/* ---- what may wait (life_waits.c) */

CLAW_HIDDEN void claw_life_waits_begin(void);
/* That object, and whatever keeps it alive, must end when the program says so:
 * it notices. */
CLAW_HIDDEN void claw_life_make_prompt(enum claw_obj object,
				       const void *handle);
/* ---- notes (life_notes.c) */

CLAW_HIDDEN void claw_life_notes_begin(void);
CLAW_HIDDEN void claw_life_note_before(struct claw_call *call);
CLAW_HIDDEN void claw_life_note_after(struct claw_call *call);
/* The latest creation of such an object that failed; false: none has. */
CLAW_HIDDEN bool claw_life_failed(enum claw_obj object,
				  struct claw_found_place *ret_place,
				  cl_int *ret_code);

#endif
