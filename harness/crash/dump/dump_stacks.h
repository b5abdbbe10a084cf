/* SPDX-License-Identifier: Apache-2.0 */
/* Places in the program, in words, while its files are at hand. */
#ifndef CLAW_DUMP_STACKS_H
#define CLAW_DUMP_STACKS_H

#include <jansson.h>

#include "harness/readers/journal_reader.h"

/* SITES of all the journal's sites, as dump.h has it. */
json_t *claw_dump_sites_make(const struct claw_journal *journal);

/* STACKS: the threads that were read while it ran (text, or NULL), else the one
 * that crashed (or NULL). NULL: nothing is known. */
json_t *claw_dump_stacks_make(const struct claw_journal *journal,
			      const struct claw_journal_record *crash,
			      const char *text);

/* "main (tile.c:88)" of a site in SITES; NULL: not known. */
const char *claw_dump_site_place(const json_t *sites, uint32_t number);

#endif
