/* SPDX-License-Identifier: Apache-2.0 */
/* Live objects by creation site: a table that remembers the sample before. */
#include "config.h"

#include "soak_sites.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"

/* An object without bytes (an event) counts as this many. */
enum { OBJECT_BYTES = 256 };
#define DOUBTED (UINT64_MAX >> 16)

struct entry {
	char *site, *place;
	uint64_t objects, bytes;	/* as written last, or as read */
	uint64_t new_objects, new_bytes;	/* of now */
};

struct claw_soak_sites {
	struct entry *entries;	/* sorted by site */
	size_t count, capacity;
	struct claw_sample_site *all;	/* for the reader */
};

struct claw_soak_sites *claw_soak_sites_new(void)
{
	return claw_calloc(1, sizeof(struct claw_soak_sites));
}

static void release(struct entry *entry)
{
	free(entry->site);
	free(entry->place);
}

void claw_soak_sites_free(struct claw_soak_sites *sites)
{
	if (!sites)
		return;
	for (size_t i = 0; i < sites->count; i++)
		release(&sites->entries[i]);
	free(sites->entries);
	free(sites->all);
	free(sites);
}

/* Those that have nothing, now and before, are forgotten. */
static void forget_dead(struct claw_soak_sites *sites)
{
	size_t kept = 0;

	for (size_t i = 0; i < sites->count; i++) {
		struct entry *entry = &sites->entries[i];

		if (entry->objects || entry->bytes || entry->new_objects ||
		    entry->new_bytes)
			sites->entries[kept++] = *entry;
		else
			release(entry);
	}
	sites->count = kept;
}

/* Where site is, or would be. */
static size_t find(const struct claw_soak_sites *sites, const char *site,
		   bool *ret_found)
{
	size_t low = 0, high = sites->count;

	*ret_found = false;
	while (low < high && !*ret_found) {
		size_t middle = low + (high - low) / 2;
		int order = strcmp(sites->entries[middle].site, site);

		*ret_found = order == 0;
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return high;
}

static void grow(struct claw_soak_sites *sites)
{
	size_t capacity = sites->capacity ? 2 * sites->capacity : 64;

	if (sites->count < sites->capacity)
		return;
	sites->entries = claw_grow(sites->entries, capacity,
				   sizeof(*sites->entries));
	sites->all = claw_grow(sites->all, capacity, sizeof(*sites->all));
	sites->capacity = capacity;
}

/* The site's entry, made when there is none; NULL: there is no room for
 * more. */
static struct entry *get(struct claw_soak_sites *sites,
			 const struct claw_sample_site *site)
{
	bool found;
	size_t at = find(sites, site->site, &found);

	if (found)
		return &sites->entries[at];
	if (sites->count >= CLAW_SOAK_SITES_KEPT)
		return NULL;
	grow(sites);
	memmove(sites->entries + at + 1, sites->entries + at,
		(sites->count - at) * sizeof(*sites->entries));
	sites->entries[at] = (struct entry) {
		.site = claw_strdup(site->site),
		.place = claw_strdup_or_null(site->place),
	};
	sites->count++;
	return &sites->entries[at];
}

/* ---- writing ---------------------------------------------------------- */

static uint64_t difference(uint64_t a, uint64_t b)
{
	return a > b ? a - b : b - a;
}

static uint64_t change_of(const struct entry *entry)
{
	return difference(entry->new_bytes, entry->bytes) + OBJECT_BYTES *
	       difference(entry->new_objects, entry->objects);
}

static struct entry *find_largest_change(struct claw_soak_sites *sites)
{
	struct entry *largest = NULL;

	for (size_t i = 0; i < sites->count; i++)
		if (change_of(&sites->entries[i]) > 0 &&
		    (!largest || change_of(&sites->entries[i]) >
				 change_of(largest)))
			largest = &sites->entries[i];
	return largest;
}

size_t claw_soak_sites_changed(struct claw_soak_sites *sites,
			       const struct claw_sample_site *now, size_t count,
			       struct claw_sample_site *ret_changed, size_t max)
{
	struct entry *entry;
	size_t changed = 0;

	for (size_t i = 0; i < sites->count; i++)
		sites->entries[i].new_objects = sites->entries[i].new_bytes = 0;
	forget_dead(sites);
	for (size_t i = 0; i < count; i++) {
		entry = get(sites, &now[i]);
		if (!entry)
			continue;
		entry->new_objects += now[i].objects;
		entry->new_bytes += now[i].bytes;
	}
	while (changed < max && (entry = find_largest_change(sites))) {
		entry->objects = entry->new_objects;
		entry->bytes = entry->new_bytes;
		ret_changed[changed++] = (struct claw_sample_site){
			entry->site, entry->place, entry->objects,
			entry->bytes };
	}
	return changed;
}

void claw_soak_sites_doubt(struct claw_soak_sites *sites)
{
	for (size_t i = 0; i < sites->count; i++)
		sites->entries[i].objects = sites->entries[i].bytes = DOUBTED;
}

/* ---- reading ---------------------------------------------------------- */

void claw_soak_sites_apply(struct claw_soak_sites *sites,
			   const struct claw_sample_site *changed, size_t count,
			   const struct claw_sample_site **ret_all,
			   size_t *ret_count)
{
	struct entry *entry;

	for (size_t i = 0; i < count; i++) {
		entry = get(sites, &changed[i]);
		if (!entry)
			continue;
		entry->objects = changed[i].objects;
		entry->bytes = changed[i].bytes;
	}
	forget_dead(sites);
	for (size_t i = 0; i < sites->count; i++)
		sites->all[i] = (struct claw_sample_site){
			sites->entries[i].site, sites->entries[i].place,
			sites->entries[i].objects, sites->entries[i].bytes };
	*ret_all = sites->all;
	*ret_count = sites->count;
}
