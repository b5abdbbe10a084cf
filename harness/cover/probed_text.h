/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Instrumented texts: what a KEY of a session's blobs stands for (its map), and
 * where its lines are on disk.
 */
#ifndef CLAW_PROBED_TEXT_H
#define CLAW_PROBED_TEXT_H

#include <stddef.h>
#include <stdint.h>

#include "faults/shared/probe_format.h"
#include "probe_map.h"
#include "harness/session/session.h"
#include "source_finder.h"

struct claw_probed_text {
	char *key;
	struct claw_probe_map map;
	struct claw_source_places *places;	/* of each file of the map */
	char **paths;			/* where it has none; of each */
	char *why;			/* it cannot be used, one line, or NULL */
};

/* Texts by their keys, each read once. */
struct claw_probed_texts {
	struct claw_source_finder *finder;	/* borrowed */
	struct claw_symbolizer *symbolizer;	/* NULL: not needed yet */
	struct claw_probed_text **items;
	size_t count;
};

/*
 * The text of a part of the program whose probes are at that path; ret_text
 * lives as long as the set. One that cannot be read, or that is damaged, has a
 * why and an empty map. A text of no file is written to "FILE-LINE-KEY.cl", for
 * the line of the program that gave it to the driver and the begin of its key.
 *
 * Returns 0 or -CLAW_E_IO (errno set: a text of no file could not be written).
 */
int claw_probed_texts_get(struct claw_probed_texts *texts,
			  const struct claw_session *session,
			  const char *probes_path,
			  const struct claw_probe_part *part,
			  const struct claw_probed_text **ret_text);
void claw_probed_texts_release(struct claw_probed_texts *texts);

/* Where a line of one of the map's files is. */
const char *claw_probed_text_place(const struct claw_probed_text *text,
				   uint32_t file, uint32_t line,
				   unsigned int *ret_line);

#endif
