/* SPDX-License-Identifier: Apache-2.0 */
/* The kinds of sections, and what a frame's header is checked with. */
#include "config.h"

#include <stddef.h>
#include <zlib.h>

#include "dump_frame.h"

/* Texts and JSON are small; the rest is as large as it was. */
#define SMALL	(UINT64_C(64) << 20)

static const struct claw_dump_kind kinds[] = {
	[CLAW_DUMP_META] = { "meta", false, SMALL },
	[CLAW_DUMP_JOURNAL] = { "journal", false, 0 },
	[CLAW_DUMP_TRACE] = { "trace", false, 0 },
	[CLAW_DUMP_CONTENT] = { "content", true, 0 },
	[CLAW_DUMP_LEDGER] = { "ledger", false, 0 },
	[CLAW_DUMP_FOUND] = { "found", false, 0 },
	[CLAW_DUMP_STDOUT] = { "stdout", false, SMALL },
	[CLAW_DUMP_STDERR] = { "stderr", false, SMALL },
	[CLAW_DUMP_STACKS] = { "stacks", false, SMALL },
	[CLAW_DUMP_SITES] = { "sites", false, SMALL },
	[CLAW_DUMP_DMESG] = { "dmesg", false, SMALL },
	[CLAW_DUMP_END] = { "end", false, SMALL },
};

const struct claw_dump_kind *claw_dump_kind_get(uint32_t section)
{
	return section < sizeof(kinds) / sizeof(*kinds) &&
	       kinds[section].name ? &kinds[section] : NULL;
}

const char *claw_dump_section_name(enum claw_dump_section section)
{
	const struct claw_dump_kind *kind = claw_dump_kind_get(section);

	return kind ? kind->name : "unknown";
}

uint32_t claw_dump_frame_check(const struct claw_dump_frame *frame)
{
	return (uint32_t)crc32(crc32(0, NULL, 0), (const void *)frame,
			       offsetof(struct claw_dump_frame, check));
}
