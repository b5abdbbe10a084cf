/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernels that have nothing left to tell: each bit that a kernel and what it
 * calls can set is in the file. Bits stay, so that this stays; such a kernel
 * runs as it is. Of whom a bit is does not matter: what has run has run.
 */
#include "config.h"

#include "instrument_private.h"

#include <stdlib.h>
#include <string.h>

enum { WORDS_MAX = 1 << 16 };		/* of one kernel's */

struct claw_complete {
	struct claw_complete *next;	/* of the same words */
	char *name;
	uint32_t count;
	uint32_t at;			/* those before it are seen */
	struct { uint32_t word, bits; } wanted[];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Bits that a kernel can set, in as many words as the file has of counters. */
struct bits {
	uint32_t *words, count;
};

static void add_range(struct bits *bits, uint32_t first, uint32_t count)
{
	uint32_t room = bits->count * 32 > first ? bits->count * 32 - first : 0;

	for (uint32_t i = 0; i < count && i < room; i++)
		bits->words[(first + i) / 32] |= 1u << (first + i) % 32;
}

/* Of the kernel of that part; of one that calls what other parts define, of all
 * parts. False: the map does not say. */
static bool gather(const struct claw_words *words, uint32_t part,
		   const char *name, struct bits *bits)
{
	const char *at = words->maps[part];
	uint32_t first, count, accesses, base;
	bool is_known = false;

	while (claw_map_reach(&at, name, &first, &count)) {
		add_range(bits, claw_words_parts(words)[part].counters_base +
			  first, count);
		is_known = true;
	}
	if (!claw_map_leaves(words->maps[part], name))
		return is_known;
	for (uint32_t i = 0; i < words->file->parts; i++) {
		base = claw_words_parts(words)[i].counters_base;
		if (!words->maps[i] ||
		    !claw_map_counts(words->maps[i], &count, &accesses))
			return false;
		add_range(bits, base, count);
	}
	return is_known;
}

static struct claw_complete *make(const struct bits *bits, const char *name)
{
	struct claw_complete *made;
	uint32_t count = 0;

	for (uint32_t i = 0; i < bits->count; i++)
		count += bits->words[i] != 0;
	made = calloc(1, sizeof(*made) + count * sizeof(made->wanted[0]));
	if (!made)
		return NULL;
	for (uint32_t i = 0; i < bits->count; i++) {
		if (!bits->words[i])
			continue;
		made->wanted[made->count].word = CLAW_PROBE_COUNTERS_AT + i;
		made->wanted[made->count++].bits = bits->words[i];
	}
	made->name = strdup(name);
	if (made->name)
		return made;
	free(made);
	return NULL;
}

static struct claw_complete *find(const struct claw_words *words,
				  const char *name)
{
	struct claw_complete *at = words->complete;

	while (at && strcmp(at->name, name))
		at = at->next;
	return at;
}

struct claw_complete *claw_complete_of(struct claw_words *words, uint32_t part,
				       const char *name)
{
	uint32_t counters = words->words[CLAW_PROBE_SEEN_AT] -
		CLAW_PROBE_COUNTERS_AT;
	struct bits bits = { .count = counters };
	struct claw_complete *found;

	if (claw_instrument_config.modes != CLAW_PROBE_HIT ||
	    counters > WORDS_MAX)
		return NULL;
	pthread_mutex_lock(&lock);
	found = find(words, name);
	if (!found) {
		bits.words = calloc(counters + 1, sizeof(*bits.words));
		if (bits.words && gather(words, part, name, &bits))
			found = make(&bits, name);
		free(bits.words);
		if (found) {
			found->next = words->complete;
			words->complete = found;
		}
	}
	pthread_mutex_unlock(&lock);
	return found;
}

/* The driver may be writing them: a bit is there, or not yet. */
bool claw_complete_is(struct claw_complete *complete,
		      const struct claw_words *words)
{
	uint32_t at, begin;

	if (!complete)
		return false;
	begin = at = __atomic_load_n(&complete->at, __ATOMIC_RELAXED);
	while (at < complete->count &&
	       !(complete->wanted[at].bits &
		 ~__atomic_load_n(&words->words[complete->wanted[at].word],
				  __ATOMIC_RELAXED)))
		at++;
	if (at != begin)
		__atomic_store_n(&complete->at, at, __ATOMIC_RELAXED);
	return at && at == complete->count;
}

void claw_complete_begin(void)
{
	pthread_mutex_init(&lock, NULL);
}
