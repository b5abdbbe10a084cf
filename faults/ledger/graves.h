/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Graves: what is known of the objects that the program released last, found
 * by their handles. There is a grave for what the program has no reference to
 * any more, whether others still hold it or not; it goes when an object is
 * made at that handle again, or when 16,384 newer ones are there. As in the
 * ledger, shared memory and mappings are of classes of their own.
 *
 * Any thread may call these at any time. A signal's handler that interrupts
 * one of them on its own thread, or the ledger, finds none.
 */
#ifndef CLAW_GRAVES_H
#define CLAW_GRAVES_H

#include "ledger.h"

enum { CLAW_GRAVES_MAX = 16384 };

struct claw_grave {
	uint64_t handle, serial;
	uint64_t parent;	/* as in the ledger: of a mapping, what was mapped */
	uint64_t ticket;	/* of its driver's release (hold_back.h); 0: it was not
				 * held back */
	uint32_t made_site, site;	/* of its creation and its last release */
	uint16_t made_api, api;
	uint8_t object;		/* enum claw_obj */
	uint8_t flags;		/* enum claw_ledger_flags that it had at its end */
};

/* In this process, or anew in a forked child: there are none. */
CLAW_HIDDEN void claw_graves_begin(void);
/* One that is there for that handle is replaced. */
CLAW_HIDDEN void claw_graves_add(const struct claw_grave *grave);
/* Of that object's class, whatever its type. */
CLAW_HIDDEN bool claw_graves_find(enum claw_obj object, const void *handle,
				  struct claw_grave *ret_grave);
/* It will soon be looked for. */
CLAW_HIDDEN void claw_graves_prefetch(enum claw_obj object, uint64_t handle);
CLAW_HIDDEN void claw_graves_remove(enum claw_obj object, const void *handle);

#endif
