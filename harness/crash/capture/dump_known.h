/* SPDX-License-Identifier: Apache-2.0 */
/* Is there a dump of that process already? */
#ifndef CLAW_DUMP_KNOWN_H
#define CLAW_DUMP_KNOWN_H

#include "dump_store.h"
#include "harness/readers/journal_reader.h"

/*
 * The dump in the store that was made of the same process, which had made the
 * same calls, for the same reason: its path, malloced; NULL: there is none.
 *
 * trigger: as META has it, or NULL.
 */
char *claw_dump_known_find(struct claw_dump_store *store,
			   const struct claw_journal *journal,
			   const char *trigger);

#endif
