/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is written of a soak so that its directory stays below --max-disk, also
 * on a disk that is full for a while. All samples and events of a soak go
 * through here; the caller's own verdict sees every sample, written or not.
 *
 * Half of the room is for records. When samples take half of that, only every
 * second one is written, when they take three quarters, every fourth, ...; when
 * it is full, only events and the end are. The other half is for dumps, logs
 * and reports: when they fill it the oldest ones of a signature go, never its
 * first and its newest. An event "disk" says each of it.
 */
#ifndef CLAW_SOAK_DISK_H
#define CLAW_SOAK_DISK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/records/records_soak.h"

#define CLAW_SOAK_MAX_DISK (UINT64_C(1) << 30)
/* Less would not hold the results of a soak. */
#define CLAW_SOAK_MIN_DISK (UINT64_C(1) << 20)

struct claw_soak_disk;

/* For a soak that begins, or goes on: what is there already is read. records
 * stays the caller's. */
struct claw_soak_disk *claw_soak_disk_new(const char *directory,
					  uint64_t max_bytes,
					  struct claw_records *records);
void claw_soak_disk_free(struct claw_soak_disk *disk);

/*
 * sites: all that are alive. What does not fit on the disk waits in memory, the
 * newest 256 records of it, and is written when there is room again.
 * Returns 0, or -CLAW_E_* of a failure that is not for want of room.
 */
int claw_soak_disk_sample(struct claw_soak_disk *disk,
			  const struct claw_sample *sample,
			  const struct claw_sample_site *sites,
			  size_t site_count);
/* An event with a path and a signature: that file or folder may be removed
 * later. */
int claw_soak_disk_event(struct claw_soak_disk *disk,
			 const struct claw_soak_event *event);

/* A file or folder of a signature that was there before; those of events are
 * known. */
void claw_soak_disk_know(struct claw_soak_disk *disk, const char *signature,
			 const char *path);

/* Is there room for one more dump? It looks at the whole directory. */
bool claw_soak_disk_has_room(struct claw_soak_disk *disk);

/* Before results and the end: what waits is written, if it can be. false: a
 * full disk or a full directory has cost more than samples that the rule above
 * leaves out: exit status 2. */
bool claw_soak_disk_settle(struct claw_soak_disk *disk);

/* Every how many samples one is written now: 1, 2, 4, ...; 0: none any more. */
uint64_t claw_soak_disk_every(const struct claw_soak_disk *disk);

#endif
