/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Launches whose zones are still to be looked at, and what comes of it. At any
 * time the counts in the file are true: a launch counts as not checked until
 * it is.
 */
#include "config.h"

#include "guard_private.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	UNDER_WAY_MAX = 1 << 16,
	EXIT_WAIT_NS = 200000000,
	EXIT_NAP_NS = 200000,
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct claw_check *spare;
static uint32_t under_way;
static pid_t process;

/* What the program has waited for may be looked at a little later. */
static void wait_at_exit(void)
{
	/* A forked child that made no call has its parent's launches. */
	if (getpid() != process)
		return;
	for (unsigned int i = 0; i < EXIT_WAIT_NS / EXIT_NAP_NS; i++) {
		claw_guard_contexts_collect(true);
		if (!__atomic_load_n(&under_way, __ATOMIC_ACQUIRE))
			return;
		claw_sleep_ns(EXIT_NAP_NS);
	}
}

/* Registered late, it comes before what the driver does then. */
static void register_exit(void)
{
	atexit(wait_at_exit);
}

struct claw_check *claw_check_new(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	struct claw_check *check;

	pthread_once(&once, register_exit);

	claw_found_count(CLAW_COUNT_LAUNCHES_UNCHECKED, 1);
	if (__atomic_add_fetch(&under_way, 1, __ATOMIC_RELAXED) >
	    UNDER_WAY_MAX) {
		__atomic_fetch_sub(&under_way, 1, __ATOMIC_RELAXED);
		return NULL;
	}
	pthread_mutex_lock(&lock);
	check = spare;
	if (check)
		spare = check->next;
	pthread_mutex_unlock(&lock);
	if (!check)
		check = malloc(sizeof(*check));
	if (check)
		memset(check, 0, sizeof(*check));
	else
		__atomic_fetch_sub(&under_way, 1, __ATOMIC_RELAXED);
	return check;
}

void claw_check_add(struct claw_check *check, struct claw_zone *zone,
		    uint32_t argument)
{
	uint32_t others = __atomic_fetch_add(&zone->under_way, 1,
					     __ATOMIC_RELAXED);
	cl_command_queue queue = __atomic_exchange_n(&zone->queue, check->queue,
						     __ATOMIC_RELAXED);
	bool ordered = check->is_behind ||
		       (check->in_order && queue == check->queue);

	/* Nobody knows which of two it was. */
	if (!others)
		__atomic_store_n(&zone->crossed, false, __ATOMIC_RELAXED);
	else if (!ordered)
		__atomic_store_n(&zone->crossed, true, __ATOMIC_RELAXED);
	check->items[check->count].zone = zone;
	check->items[check->count++].argument = argument;
}

void claw_check_found(const struct claw_check *check, unsigned int item,
		      const struct claw_damage *damage)
{
	const struct claw_zone *zone = check->items[item].zone;
	struct claw_found_entry found = {
		.kind = CLAW_FOUND_GUARD_BROKEN,
		.sure = __atomic_load_n(&zone->crossed, __ATOMIC_RELAXED) ?
			CLAW_SURE_LIKELY : CLAW_SURE_CERTAIN,
		.at = check->at,
		.second = claw_found_nowhere(),
		.third = claw_found_place(zone->site, zone->api, CLAW_OBJ_MEM),
		.handle = (uintptr_t)zone->mem,
		.values = {
			check->items[item].argument, (uint64_t)damage->offset,
			damage->value, zone->bytes, damage->bytes,
			check->number,
		},
	};

	memcpy(found.name, check->kernel, sizeof(found.name));
	claw_found_add(&found);
}

void claw_check_close(struct claw_check *check, bool was_done)
{
	for (unsigned int i = 0; i < check->count; i++) {
		struct claw_zone *zone = check->items[i].zone;

		__atomic_fetch_sub(&zone->under_way, 1, __ATOMIC_RELAXED);
		claw_zone_put(zone);
	}
	if (was_done) {
		if (!check->is_rest)
			claw_found_count(CLAW_COUNT_LAUNCHES_CHECKED, 1);
		claw_found_count(CLAW_COUNT_LAUNCHES_UNCHECKED, UINT64_MAX);
	}
	__atomic_fetch_sub(&under_way, 1, __ATOMIC_RELEASE);
}

void claw_check_free(struct claw_check *check)
{
	pthread_mutex_lock(&lock);
	check->next = spare;
	spare = check;
	pthread_mutex_unlock(&lock);
}

void claw_checks_begin(void)
{
	pthread_mutex_init(&lock, NULL);
	spare = NULL;
	process = getpid();
	under_way = 0;
}
