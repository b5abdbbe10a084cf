/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The shadows of host-pointer buffers: what was changed on one side is found by
 * comparing it with what both sides were before.
 */
#include "config.h"

#include "guard_shadow.h"

#include <stdlib.h>
#include <string.h>

enum {
	SHADOW_MAX = 1 << 30,	/* bytes; there are two more of each */
	CHUNK = 4096,
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct claw_shadow *all;
static bool refused;

/* ---- carrying over */

static uint64_t word_at(const uint8_t *at)
{
	uint64_t word;

	memcpy(&word, at, sizeof(word));
	return word;
}

static void carry_byte(uint8_t is, uint8_t *to, uint8_t *base)
{
	if (is != *base)
		*to = *base = is;
}

/* Bytes that did not change are not written: in the same word others may be
 * changing, on the other side. */
static void carry_word(const uint8_t *from, uint8_t *to, uint8_t *base)
{
	const uint64_t ones = UINT64_C(0x0101010101010101);
	uint64_t changed = word_at(from) ^ word_at(base);
	bool all_are = !((changed - ones) & ~changed & ones << 7);

	if (!changed)
		return;
	if (all_are) {
		memcpy(to, from, sizeof(changed));
		memcpy(base, from, sizeof(changed));
		return;
	}
	for (size_t i = 0; i < sizeof(changed); i++)
		carry_byte(from[i], to + i, base + i);
}

/* Each byte is read once: it may be changing. */
static void carry_chunk(const uint8_t *from, uint8_t *to, uint8_t *base,
			size_t bytes)
{
	uint8_t is[CHUNK];
	size_t i = 0;

	memcpy(is, from, bytes);
	for (; i + sizeof(uint64_t) <= bytes; i += sizeof(uint64_t))
		carry_word(is + i, to + i, base + i);
	for (; i < bytes; i++)
		carry_byte(is[i], to + i, base + i);
}

static void carry(struct claw_shadow *shadow, const uint8_t *from, uint8_t *to,
		  size_t offset, size_t bytes)
{
	size_t end;

	if (offset >= shadow->bytes)
		return;
	if (bytes > shadow->bytes - offset)
		bytes = shadow->bytes - offset;
	end = offset + bytes;
	pthread_mutex_lock(&shadow->lock);
	for (size_t n; offset < end; offset += n) {
		n = end - offset < CHUNK ? end - offset : CHUNK;
		if (memcmp(from + offset, shadow->base + offset, n))
			carry_chunk(from + offset, to + offset,
				    shadow->base + offset, n);
	}
	pthread_mutex_unlock(&shadow->lock);
}

void claw_shadow_pull(struct claw_shadow *shadow, size_t offset, size_t bytes)
{
	carry(shadow, shadow->host, shadow->device, offset, bytes);
}

void claw_shadow_push(struct claw_shadow *shadow, size_t offset, size_t bytes)
{
	carry(shadow, shadow->device, shadow->host, offset, bytes);
}

void claw_shadow_begin_writing(struct claw_shadow *shadow)
{
	__atomic_fetch_add(&shadow->writers, 1, __ATOMIC_RELAXED);
}

void claw_shadow_end_writing(struct claw_shadow *shadow)
{
	__atomic_fetch_sub(&shadow->writers, 1, __ATOMIC_RELEASE);
}

/* ---- all of them; a driver is never called under their lock */

bool claw_shadows_are_any(void)
{
	return __atomic_load_n(&all, __ATOMIC_RELAXED) != NULL;
}

void claw_shadows_push(void)
{
	if (!claw_shadows_are_any())
		return;
	pthread_mutex_lock(&lock);
	for (struct claw_shadow *at = all; at; at = at->next)
		if (__atomic_load_n(&at->writers, __ATOMIC_ACQUIRE))
			claw_shadow_push(at, 0, at->bytes);
	pthread_mutex_unlock(&lock);
}

void claw_shadows_pull_and_keep(void)
{
	pthread_mutex_lock(&lock);
	for (struct claw_shadow *at = all; at; at = at->next) {
		claw_shadow_pull(at, 0, at->bytes);
		claw_shadow_begin_writing(at);
	}
	pthread_mutex_unlock(&lock);
}

static void enter(struct claw_shadow *shadow)
{
	pthread_mutex_lock(&lock);
	shadow->next = all;
	shadow->link = &all;
	if (all)
		all->link = &shadow->next;
	__atomic_store_n(&all, shadow, __ATOMIC_RELAXED);
	pthread_mutex_unlock(&lock);
}

static void take_out(struct claw_shadow *shadow)
{
	if (!shadow->link)
		return;		/* a parent's */
	pthread_mutex_lock(&lock);
	__atomic_store_n(shadow->link, shadow->next, __ATOMIC_RELAXED);
	if (shadow->next)
		shadow->next->link = shadow->link;
	pthread_mutex_unlock(&lock);
}

bool claw_shadow_is_possible(size_t bytes)
{
	return bytes <= SHADOW_MAX &&
	       !__atomic_load_n(&refused, __ATOMIC_RELAXED);
}

void claw_shadows_refuse(void)
{
	__atomic_store_n(&refused, true, __ATOMIC_RELAXED);
}

struct claw_shadow *claw_shadow_new(void *host, uint8_t *device, size_t bytes)
{
	struct claw_shadow *shadow = calloc(1, sizeof(*shadow));

	if (!shadow)
		return NULL;
	shadow->base = malloc(bytes);
	if (!shadow->base) {
		free(shadow);
		return NULL;
	}
	shadow->host = host;
	shadow->device = device;
	shadow->bytes = bytes;
	memcpy(shadow->base, host, bytes);
	memcpy(device, shadow->base, bytes);
	pthread_mutex_init(&shadow->lock, NULL);
	enter(shadow);
	return shadow;
}

void claw_shadow_free(struct claw_shadow *shadow)
{
	if (!shadow)
		return;
	take_out(shadow);
	pthread_mutex_destroy(&shadow->lock);
	free(shadow->base);
	free(shadow);
}

/* A parent's are left alone, as its buffers are. */
void claw_shadows_begin(void)
{
	pthread_mutex_init(&lock, NULL);
	for (struct claw_shadow *at = all; at; at = at->next)
		at->link = NULL;
	all = NULL;
	refused = false;
}

/* ---- places */

/* The end counts: that is where a mapping of no bytes is. */
static void *move(const uint8_t *from, uint8_t *to, size_t bytes,
		  const void *at)
{
	uintptr_t distance = (uintptr_t)at - (uintptr_t)from;

	return distance <= bytes ? to + distance : NULL;
}

void *claw_shadow_to_host(const struct claw_shadow *shadow, const void *at)
{
	return move(shadow->device, shadow->host, shadow->bytes, at);
}

void *claw_shadow_to_device(const struct claw_shadow *shadow, const void *at)
{
	return move(shadow->host, shadow->device, shadow->bytes, at);
}
