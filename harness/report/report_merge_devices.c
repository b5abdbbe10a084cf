/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs on several devices, merged: which device each result is of, and which
 * findings are one device's only. Of one device there is nothing to say.
 */
#include "config.h"

#include "report_merge.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/base/text.h"

struct device {
	const char *name;
	size_t results;		/* that a driver of this device decided */
};

/* A finding, and how often each device had it. */
struct seen {
	const char *what;
	size_t *counts;
};

struct claw_merge_devices {
	struct device *devices;
	size_t count;
	struct seen *seen;
	size_t seen_count;
};

static bool differ(char *const *names, size_t count)
{
	const char *first = NULL;

	for (size_t i = 0; names && i < count; i++) {
		if (first && *names[i] && strcmp(first, names[i]) != 0)
			return true;
		if (!first && *names[i])
			first = names[i];
	}
	return false;
}

struct claw_merge_devices *claw_merge_devices_new(char *const *names,
						  size_t count)
{
	return differ(names, count) ?
		claw_calloc(1, sizeof(struct claw_merge_devices)) : NULL;
}

/* A simulator is the same on every machine. */
static bool is_of_device(const struct claw_result *result)
{
	return !result->configuration ||
	       !strstr(result->configuration, "oclgrind");
}

static size_t find_device(struct claw_merge_devices *all, const char *name)
{
	for (size_t i = 0; i < all->count; i++)
		if (strcmp(all->devices[i].name, name) == 0)
			return i;
	all->devices = claw_one_more(all->devices, all->count,
				     sizeof(*all->devices));
	all->devices[all->count] = (struct device) { .name = name };
	for (size_t i = 0; i < all->seen_count; i++) {
		all->seen[i].counts = claw_grow(all->seen[i].counts,
						all->count + 1, sizeof(size_t));
		all->seen[i].counts[all->count] = 0;
	}
	return all->count++;
}

static struct seen *find_seen(struct claw_merge_devices *all, const char *what)
{
	for (size_t i = 0; i < all->seen_count; i++)
		if (strcmp(all->seen[i].what, what) == 0)
			return &all->seen[i];
	all->seen = claw_one_more(all->seen, all->seen_count,
				  sizeof(*all->seen));
	all->seen[all->seen_count] = (struct seen) {
		.what = what,
		.counts = claw_calloc(all->count, sizeof(size_t)),
	};
	return &all->seen[all->seen_count++];
}

void claw_merge_devices_add(struct claw_merge_devices *all, const char *name,
			    struct claw_result *result)
{
	bool is_point = result->suite && strcmp(result->suite, "sweep") == 0;
	size_t device;

	if (!all || !*name || !is_of_device(result))
		return;
	result->device = name;
	device = find_device(all, name);
	all->devices[device].results++;
	/* Of points a signature is one mistake; of a case its device is said. */
	if (is_point && result->seen &&
	    claw_verdict_class(result->verdict) == 'f')
		find_seen(all, result->seen)->counts[device]++;
}

/* The only device with it; count: there are several. */
static size_t only_device(const struct claw_merge_devices *all,
			  const struct seen *seen)
{
	size_t only = all->count, with = 0;

	for (size_t i = 0; i < all->count; i++)
		if (seen->counts[i] > 0) {
			only = i;
			with++;
		}
	return with == 1 ? only : all->count;
}

/* Other points ran on other devices: it may be them. */
static void put_only(const struct claw_merge_devices *all,
		     const struct seen *seen, size_t only,
		     struct claw_records *records)
{
	size_t others = 0;
	char *note;

	for (size_t i = 0; i < all->count; i++)
		others += i == only ? 0 : all->devices[i].results;
	note = claw_format("seen only on %s: %s (%zu of %zu points there, none "
			   "of the %zu other points, which ran elsewhere)",
			   all->devices[only].name, seen->what,
			   seen->counts[only], all->devices[only].results,
			   others);
	claw_records_note(records, note);
	free(note);
}

void claw_merge_devices_put(const struct claw_merge_devices *all,
			    struct claw_records *records)
{
	for (size_t i = 0; all && i < all->seen_count; i++) {
		size_t only = only_device(all, &all->seen[i]);

		if (only < all->count)
			put_only(all, &all->seen[i], only, records);
	}
}

void claw_merge_devices_free(struct claw_merge_devices *all)
{
	for (size_t i = 0; all && i < all->seen_count; i++)
		free(all->seen[i].counts);
	if (all) {
		free(all->seen);
		free(all->devices);
	}
	free(all);
}
