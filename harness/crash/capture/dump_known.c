/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Look through the dumps of a directory for a process, by the header of its
 * journal: when it was started, in which boot, and what it had written.
 */
#include "config.h"

#include "dump_known.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "harness/crash/dump/dump.h"

static bool is_of(const struct claw_dump *dump,
		  const struct claw_journal *journal, const char *trigger)
{
	const char *why = json_string_value(json_object_get(dump->meta,
							    "trigger"));
	const struct claw_journal_header *theirs, *ours =
		claw_journal_get_header(journal);

	if (!dump->journal || (why == NULL) != (trigger == NULL) ||
	    (why && strcmp(why, trigger) != 0))
		return false;
	theirs = claw_journal_get_header(dump->journal);
	return theirs->pid == ours->pid &&
	       strncmp(theirs->boot_id, ours->boot_id,
		       sizeof(ours->boot_id)) == 0 &&
	       theirs->start_realtime_ns == ours->start_realtime_ns &&
	       theirs->start_ticks == ours->start_ticks &&
	       theirs->state == ours->state &&
	       theirs->events.used == ours->events.used &&
	       claw_journal_get_total_calls(dump->journal) ==
	       claw_journal_get_total_calls(journal);
}

static bool is_in(const char *path, const struct claw_journal *journal,
		  const char *trigger)
{
	struct claw_dump *dump = NULL;
	bool is = claw_dump_read(path, NULL, &dump) == 0 &&
		is_of(dump, journal, trigger);

	claw_dump_free(dump);
	return is;
}

char *claw_dump_known_find(struct claw_dump_store *store,
			   const struct claw_journal *journal,
			   const char *trigger)
{
	char **paths = NULL, *known = NULL;
	size_t count = 0;

	if (claw_dump_store_list(store, &paths, &count) < 0)
		return NULL;
	for (size_t i = count; i > 0; i--) {
		if (!known && is_in(paths[i - 1], journal, trigger))
			known = paths[i - 1];
		else
			free(paths[i - 1]);
	}
	free(paths);
	return known;
}
