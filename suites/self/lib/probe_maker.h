/* SPDX-License-Identifier: Apache-2.0 */
/* Files of probes for tests, as the guest would write them. */
#ifndef PROBE_MAKER_H
#define PROBE_MAKER_H

#include <stdio.h>
#include <string.h>

#include "faults/shared/journal_format.h"
#include "faults/shared/probe_format.h"

enum { MADE_WORDS = 64 };

struct made_probes {
	struct claw_probe_header header;
	struct claw_probe_part parts[CLAW_PROBE_PARTS];
	uint32_t words[MADE_WORDS];
};

#define MADE_KEY "00112233445566778899aabbccddeeff"

static inline void made_probes_init(struct made_probes *made, uint32_t modes)
{
	memset(made, 0, sizeof(*made));
	memcpy(made->header.magic, CLAW_PROBE_MAGIC,
	       sizeof(made->header.magic));
	made->header.version = CLAW_PROBE_VERSION;
	made->header.header_bytes = sizeof(made->header);
	made->header.endian = CLAW_JOURNAL_ENDIAN;
	made->header.pid = 4711;
	made->header.modes = modes;
	made->header.state = CLAW_PROBE_INSTRUMENTED;
	made->header.words = MADE_WORDS;
	made->header.launches = 1;
	made->header.copies = 1;
	made->header.parts = 1;
	snprintf(made->header.device, sizeof(made->header.device), "a device");
	snprintf(made->parts[0].key, sizeof(made->parts[0].key), MADE_KEY);
}

/* A counter of the first part: in mode HIT, not 0 is a bit. */
static inline void made_probes_set(struct made_probes *made,
				   unsigned int counter, uint32_t count)
{
	if (made->header.modes & CLAW_PROBE_COUNT)
		made->words[CLAW_PROBE_COUNTERS_AT + counter] = count;
	else if (count > 0)
		made->words[CLAW_PROBE_COUNTERS_AT + counter / 32] |=
			1u << counter % 32;
}

#endif
