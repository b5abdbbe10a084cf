/* SPDX-License-Identifier: Apache-2.0 */
/* What is written of a soak, and what waits until it can be. */
#include "config.h"

#include "soak_disk.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "harness/base/memory.h"
#include "harness/records/records_put.h"
#include "soak_files.h"
#include "harness/records/soak_json.h"
#include "harness/soak/monitor/soak_sites.h"
#include "harness/base/text.h"

enum {
	WAITING_MAX = 256,
	EVERY_MAX = 1024,
	END_BYTES = 128 << 10,	/* of the records' half: results and the end */
	EVENTS_PART = 8,	/* the rest of it over this: only for events */
};

struct waiting {
	const char *type;
	json_t *members;
};

struct claw_soak_disk {
	char *path;		/* of the records */
	uint64_t max_bytes;
	struct claw_records *records;
	struct claw_soak_files *files;
	struct claw_soak_sites *sites;
	uint64_t every, samples;
	struct waiting waiting[WAITING_MAX];
	size_t waiting_count;
	uint64_t lost, lost_all;	/* since the disk was full; ever */
	bool was_full;		/* and nobody was told yet that it no longer is */
	bool said_events_end;
	struct claw_soak_event now;	/* time of the newest of all */
};

/* ---- what is there already -------------------------------------------- */

static void know_sample(void *user, const struct claw_sample *sample,
			const struct claw_sample_site *sites, size_t count)
{
	struct claw_soak_disk *disk = user;
	const struct claw_sample_site *all;
	size_t all_count;

	(void)sample;
	claw_soak_sites_apply(disk->sites, sites, count, &all, &all_count);
}

static void know_event(void *user, const struct claw_soak_event *event)
{
	struct claw_soak_disk *disk = user;

	if (event->path && event->signature)
		claw_soak_files_add(disk->files, event->signature, event->path);
}

struct claw_soak_disk *claw_soak_disk_new(const char *directory,
					  uint64_t max_bytes,
					  struct claw_records *records)
{
	static const struct claw_records_visitor visitor = {
		.sample = know_sample, .event = know_event,
	};
	struct claw_soak_disk *disk = claw_calloc(1, sizeof(*disk));
	bool complete;
	uint64_t damaged;

	disk->path = claw_path_in(directory, "records.jsonl");
	disk->files = claw_soak_files_new(directory);
	disk->sites = claw_soak_sites_new();
	disk->records = records;
	disk->max_bytes = max_bytes < CLAW_SOAK_MIN_DISK ? CLAW_SOAK_MIN_DISK :
			  max_bytes;
	disk->every = 1;
	claw_records_read(disk->path, &visitor, disk, &complete, &damaged);
	return disk;
}

void claw_soak_disk_free(struct claw_soak_disk *disk)
{
	if (!disk)
		return;
	for (size_t i = 0; i < disk->waiting_count; i++)
		json_decref(disk->waiting[i].members);
	claw_soak_sites_free(disk->sites);
	claw_soak_files_free(disk->files);
	free(disk->path);
	free(disk);
}

/* ---- a disk that is full ---------------------------------------------- */

/* The oldest sample is given up, or, without one, the oldest event. */
static void give_up_one(struct claw_soak_disk *disk)
{
	size_t victim = 0;

	while (victim < disk->waiting_count &&
	       strcmp(disk->waiting[victim].type, "sample") != 0)
		victim++;
	if (victim == disk->waiting_count)
		victim = 0;
	json_decref(disk->waiting[victim].members);
	disk->waiting_count--;
	memmove(disk->waiting + victim, disk->waiting + victim + 1,
		(disk->waiting_count - victim) * sizeof(*disk->waiting));
	disk->lost++;
	disk->lost_all++;
	claw_soak_sites_doubt(disk->sites);
}

static void keep_waiting(struct claw_soak_disk *disk, const char *type,
			 json_t *members)
{
	if (disk->waiting_count == WAITING_MAX)
		give_up_one(disk);
	disk->waiting[disk->waiting_count++] = (struct waiting){ type,
								 members };
	disk->was_full = true;
}

/* 0; 1: there is no room; or -CLAW_E_*. members stays the caller's. */
static int try_one(struct claw_soak_disk *disk, const char *type,
		   json_t *members)
{
	int ret = claw_records_put(disk->records, type, json_incref(members));

	return claw_records_is_full(disk->records, ret) ? 1 : ret;
}

/* Write what waits, oldest first. 0, 1: there is no room, or -CLAW_E_*. */
static int write_waiting(struct claw_soak_disk *disk)
{
	size_t written = 0;
	int ret = 0;

	while (ret == 0 && written < disk->waiting_count) {
		ret = try_one(disk, disk->waiting[written].type,
			      disk->waiting[written].members);
		if (ret == 0)
			json_decref(disk->waiting[written++].members);
	}
	disk->waiting_count -= written;
	memmove(disk->waiting, disk->waiting + written,
		disk->waiting_count * sizeof(*disk->waiting));
	return ret;
}

static int put(struct claw_soak_disk *disk, const char *type, json_t *members);

__attribute__((format(printf, 2, 3)))
static int say(struct claw_soak_disk *disk, const char *format, ...)
{
	struct claw_soak_event event = disk->now;
	char text[300];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	event.kind = "disk";
	event.text = text;
	event.count = 1;
	return put(disk, "event", claw_soak_event_to_json(&event));
}

/* All that waited is written. */
static int say_again(struct claw_soak_disk *disk)
{
	uint64_t lost = disk->lost;

	if (!disk->was_full)
		return 0;
	disk->was_full = false;
	disk->lost = 0;
	return lost > 0 ? say(disk, "the disk was full: %" PRIu64 " records "
			      "were lost", lost) :
	       say(disk, "the disk was full: pending records are written, "
		   "nothing was lost");
}

/* Now, or when there is room; members is taken over. */
static int put(struct claw_soak_disk *disk, const char *type, json_t *members)
{
	int ret = write_waiting(disk);

	if (ret == 0)
		ret = say_again(disk);
	if (ret == 0)
		ret = try_one(disk, type, members);
	if (ret == 1)
		keep_waiting(disk, type, json_incref(members));
	json_decref(members);
	return ret < 0 ? ret : 0;
}

/* ---- a directory that is full ----------------------------------------- */

static uint64_t records_bytes(const struct claw_soak_disk *disk)
{
	struct stat about;

	return stat(disk->path, &about) == 0 ? (uint64_t)about.st_size : 0;
}

static uint64_t events_room(const struct claw_soak_disk *disk)
{
	return disk->max_bytes / 2 - END_BYTES;
}

static uint64_t samples_room(const struct claw_soak_disk *disk)
{
	return events_room(disk) / EVENTS_PART * (EVENTS_PART - 1);
}

static uint64_t find_every(const struct claw_soak_disk *disk)
{
	uint64_t room = samples_room(disk), bytes = records_bytes(disk);
	uint64_t every = 1;

	if (bytes >= room)
		return 0;
	while (every <= EVERY_MAX && room - bytes <= room / (2 * every))
		every *= 2;
	return every > EVERY_MAX ? 0 : every;
}

/* Is this one written? */
static int choose_sample(struct claw_soak_disk *disk, bool *ret_chosen)
{
	uint64_t every = find_every(disk), before = disk->every;
	int ret = 0;

	/* It does not fall again: the file does not become smaller. */
	if (before == 0 || (every != 0 && every <= before))
		every = before;
	disk->every = every;
	if (every != before && every == 0)
		ret = say(disk, "the records have reached their share of "
			  "--max-disk: no more samples are written");
	else if (every != before)
		ret = say(disk, "the records approach their share of "
			  "--max-disk: from now on 1 of %" PRIu64 " samples "
			  "is written", every);
	*ret_chosen = every > 0 && disk->samples % every == 0;
	disk->samples++;
	return ret;
}

static void set_now(struct claw_soak_disk *disk, uint64_t t_ms,
		    int64_t wall_ms, uint64_t segment, uint64_t run)
{
	disk->now = (struct claw_soak_event){ .t_ms = t_ms, .wall_ms = wall_ms,
					      .segment = segment, .run = run };
}

int claw_soak_disk_sample(struct claw_soak_disk *disk,
			  const struct claw_sample *sample,
			  const struct claw_sample_site *sites,
			  size_t site_count)
{
	struct claw_sample_site changed[CLAW_SOAK_SITES_WRITTEN];
	bool chosen;
	size_t count;
	int ret;

	set_now(disk, sample->t_ms, sample->wall_ms, sample->segment,
		sample->run);
	ret = choose_sample(disk, &chosen);
	if (ret < 0 || !chosen)
		return ret;
	count = claw_soak_sites_changed(disk->sites, sites, site_count, changed,
					CLAW_SOAK_SITES_WRITTEN);
	return put(disk, "sample", claw_sample_to_json(sample, changed, count));
}

/* The rest of the records' room is full of events: the end must fit, too. */
static bool is_over(struct claw_soak_disk *disk, int *ret_error)
{
	if (records_bytes(disk) < events_room(disk))
		return false;
	disk->lost_all++;
	if (!disk->said_events_end)
		*ret_error = say(disk, "the records have reached their share "
				 "of --max-disk: no more events are written");
	disk->said_events_end = true;
	return true;
}

static int remember_file(struct claw_soak_disk *disk,
			 const struct claw_soak_event *event)
{
	size_t removed;

	if (!event->path || !event->signature)
		return 0;
	claw_soak_files_add(disk->files, event->signature, event->path);
	removed = claw_soak_files_trim(disk->files, disk->max_bytes / 2);
	return removed == 0 ? 0 :
	       say(disk, "--max-disk: the %zu oldest dump%s of what happened "
		   "more often %s removed", removed, removed == 1 ? "" : "s",
		   removed == 1 ? "is" : "are");
}

int claw_soak_disk_event(struct claw_soak_disk *disk,
			 const struct claw_soak_event *event)
{
	int ret = 0;

	set_now(disk, event->t_ms, event->wall_ms, event->segment, event->run);
	if (is_over(disk, &ret))
		return ret;
	ret = put(disk, "event", claw_soak_event_to_json(event));
	return ret < 0 ? ret : remember_file(disk, event);
}

void claw_soak_disk_know(struct claw_soak_disk *disk, const char *signature,
			 const char *path)
{
	claw_soak_files_add(disk->files, signature, path);
}

bool claw_soak_disk_has_room(struct claw_soak_disk *disk)
{
	uint64_t room = disk->max_bytes / 2;

	return disk->waiting_count == 0 &&
	       claw_soak_files_bytes(disk->files) < room / 8 * 7;
}

bool claw_soak_disk_settle(struct claw_soak_disk *disk)
{
	if (write_waiting(disk) == 0)
		say_again(disk);
	return disk->waiting_count == 0 && disk->lost_all == 0;
}

uint64_t claw_soak_disk_every(const struct claw_soak_disk *disk)
{
	return disk->every;
}
