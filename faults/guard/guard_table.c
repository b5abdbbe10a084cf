/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Guarded buffers by their handles. Locks are held for a few loads, never while
 * a driver is called.
 */
#include "config.h"

#include "guard_private.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "faults/ledger/ledger.h"

enum {
	SHARDS = 64,
	FIRST_BUCKETS = 16,
};

static struct shard {
	pthread_mutex_t lock;
	struct claw_zone **buckets;
	uint32_t capacity, used;	/* capacity: a power of 2, or 0 */
} __attribute__((aligned(64))) shards[SHARDS];

static uint32_t total;

static uint64_t mix(const void *mem)
{
	uint64_t key = (uintptr_t)mem * UINT64_C(0x9e3779b97f4a7c15);

	return key ^ key >> 32;
}

static struct shard *shard_of(const void *mem)
{
	return &shards[mix(mem) % SHARDS];
}

/* Under the lock. The link to the zone, or to the end of its chain; NULL: there
 * are no chains yet. */
static struct claw_zone **find(struct shard *shard, const void *mem)
{
	struct claw_zone **link;

	if (!shard->capacity)
		return NULL;
	link = &shard->buckets[mix(mem) / SHARDS % shard->capacity];
	while (*link && (*link)->mem != mem)
		link = &(*link)->next;
	return link;
}

static void grow(struct shard *shard)
{
	uint32_t capacity = shard->capacity ? shard->capacity * 2 :
		FIRST_BUCKETS;
	struct claw_zone **buckets = calloc(capacity, sizeof(*buckets));
	struct claw_zone *zone, *next;

	if (!buckets)
		return;
	for (uint32_t i = 0; i < shard->capacity; i++)
		for (zone = shard->buckets[i]; zone; zone = next) {
			struct claw_zone **chain =
				&buckets[mix(zone->mem) / SHARDS % capacity];

			next = zone->next;
			zone->next = *chain;
			*chain = zone;
		}
	free(shard->buckets);
	shard->buckets = buckets;
	shard->capacity = capacity;
}

static void unlink_at(struct shard *shard, struct claw_zone **link)
{
	*link = (*link)->next;
	shard->used--;
	__atomic_fetch_sub(&total, 1, __ATOMIC_RELAXED);
}

void claw_zones_add(struct claw_zone *zone)
{
	struct shard *shard = shard_of(zone->mem);
	struct claw_zone **link, *old = NULL;

	pthread_mutex_lock(&shard->lock);
	if (shard->used >= shard->capacity)
		grow(shard);
	link = find(shard, zone->mem);
	if (link && *link) {
		old = *link;
		unlink_at(shard, link);
		link = find(shard, zone->mem);
	}
	if (link) {
		__atomic_fetch_add(&zone->references, 1, __ATOMIC_RELAXED);
		zone->next = NULL;
		*link = zone;
		shard->used++;
		__atomic_fetch_add(&total, 1, __ATOMIC_RELAXED);
	}
	pthread_mutex_unlock(&shard->lock);
	claw_zone_put(old);
}

/* only: NULL is whatever has that handle. */
static void take_out(const void *mem, const struct claw_zone *only)
{
	struct shard *shard = shard_of(mem);
	struct claw_zone **link, *old = NULL;

	pthread_mutex_lock(&shard->lock);
	link = find(shard, mem);
	if (link && *link && (!only || *link == only)) {
		old = *link;
		unlink_at(shard, link);
	}
	pthread_mutex_unlock(&shard->lock);
	claw_zone_put(old);
}

void claw_zones_remove(struct claw_zone *zone)
{
	take_out(zone->mem, zone);
}

void claw_zones_forget(const void *mem)
{
	if (claw_zones_are_any())
		take_out(mem, NULL);
}

struct claw_zone *claw_zones_find(const void *mem)
{
	struct shard *shard = shard_of(mem);
	struct claw_zone **link, *zone;

	if (!mem || !claw_zones_are_any())
		return NULL;
	pthread_mutex_lock(&shard->lock);
	link = find(shard, mem);
	zone = link ? *link : NULL;
	if (zone)
		__atomic_fetch_add(&zone->references, 1, __ATOMIC_RELAXED);
	pthread_mutex_unlock(&shard->lock);
	return zone;
}

struct claw_zone *claw_zones_find_under(const void *mem)
{
	struct claw_zone *zone = claw_zones_find(mem);
	struct claw_ledger_entry entry;

	/* An image on a sub-buffer of a buffer. */
	for (int depth = 0; !zone && depth < 2; depth++) {
		if (!claw_zones_are_any() ||
		    !claw_ledger_copy(CLAW_OBJ_MEM, mem, &entry) ||
		    !(entry.flags & CLAW_LEDGER_SUB))
			return NULL;
		mem = (const void *)(uintptr_t)entry.parent;
		zone = claw_zones_find(mem);
	}
	return zone;
}

bool claw_zones_are_any(void)
{
	return __atomic_load_n(&total, __ATOMIC_RELAXED) != 0;
}

void claw_zones_begin(void)
{
	/* A parent's are left alone: its objects are no good here, but the
	 * driver may still use their memory. */
	memset(shards, 0, sizeof(shards));
	for (unsigned int i = 0; i < SHARDS; i++)
		pthread_mutex_init(&shards[i].lock, NULL);
	total = 0;
}
