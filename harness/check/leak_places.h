/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which sites of a journal are one place of the source: a compiler that
 * unrolls a loop, or copies a function, makes several of one line.
 */
#ifndef CLAW_LEAK_PLACES_H
#define CLAW_LEAK_PLACES_H

#include <stddef.h>
#include <stdint.h>

#include "harness/readers/journal_reader.h"
#include "harness/readers/ledger_reader.h"
#include "harness/readers/symbolize.h"

struct claw_leak_places {
	uint32_t *first;	/* by the site's number: the least with its stack;
				 * 0: not in the journal, or nothing is alive there */
	size_t count;
};

/* Of the sites at which something was made that is alive. */
void claw_leak_places_init(struct claw_leak_places *places,
			   const struct claw_ledger *ledger,
			   const struct claw_journal *journal,
			   struct claw_symbolizer *symbolizer);
void claw_leak_places_release(struct claw_leak_places *places);

/* The place of an object: a site's number, or 0. */
uint32_t claw_leak_place_of(const struct claw_leak_places *places,
			    const struct claw_ledger_entry *entry);

#endif
