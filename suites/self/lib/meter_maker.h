/* SPDX-License-Identifier: Apache-2.0 */
/* Files of meters for tests, as the guest would write them. */
#ifndef METER_MAKER_H
#define METER_MAKER_H

#include <stdio.h>
#include <string.h>

#include "faults/shared/journal_format.h"
#include "faults/shared/meter_format.h"

struct made_meters {
	struct claw_meter_file file;
	struct claw_meter_thread threads[CLAW_METER_THREADS];
};

static inline void made_meters_init(struct made_meters *made)
{
	memset(made, 0, sizeof(*made));
	memcpy(made->file.magic, CLAW_METER_MAGIC, sizeof(made->file.magic));
	made->file.version = CLAW_METER_VERSION;
	made->file.file_bytes = CLAW_METER_FILE_BYTES;
	made->file.endian = CLAW_JOURNAL_ENDIAN;
	made->file.pid = 4711;
}

/* A call of that thread that took so long. */
static inline void made_meters_add(struct made_meters *made,
				   unsigned int thread,
				   enum claw_meter_kind kind, uint64_t ticks)
{
	struct claw_meter *meter = &made->threads[thread].meters[kind];

	made->threads[thread].calls++;
	meter->count++;
	meter->ticks += ticks;
	if (ticks > meter->max_ticks)
		meter->max_ticks = ticks;
	meter->buckets[claw_meter_bucket(ticks)]++;
}

static inline void made_meters_add_site(struct made_meters *made,
					unsigned int site, uint64_t objects,
					uint64_t bytes)
{
	struct claw_meter_site *to = &made->file.sites[site];

	to->objects += objects;
	to->made += objects;
	to->bytes += bytes;
	to->peak_bytes += bytes;
	made->file.live[CLAW_OBJ_MEM] += objects;
	made->file.live_bytes += bytes;
	made->file.peak_bytes += bytes;
	made->file.allocated_bytes += bytes;
	made->file.peak.site_bytes[site] += bytes;
	made->file.peak.bytes += bytes;
}

#endif
