/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a program of ours asks after each launch (faults/shared/probe_ask.h):
 * the words are set to their begin before it and read at once behind it. The
 * file keeps the sum of all counters, for the coverage of the whole run; what
 * was found is the asker's, and not said.
 */
#include "config.h"

#include "instrument_private.h"

#include <stdlib.h>
#include <string.h>

#include "faults/shared/probe_ask.h"

/* One asker, one thread. */
static uint32_t *begin_words, *read_words;
static const struct claw_words *words_of;

/* The program's that was built last. */
static struct claw_words *asked(void)
{
	struct claw_words *words = claw_words_first();

	while (words && (!words->buffer || !words->words))
		words = words->next;
	if (!words || words == words_of)
		return words;
	free(begin_words);
	free(read_words);
	begin_words = calloc(words->file->words, sizeof(uint32_t));
	read_words = calloc(words->file->words, sizeof(uint32_t));
	if (!begin_words || !read_words)
		return NULL;
	memcpy(begin_words, words->words, CLAW_PROBE_COUNTERS_AT * 4);
	begin_words[CLAW_PROBE_FOUND] = 0;
	begin_words[CLAW_PROBE_SATURATED] = 0;
	words_of = words;
	return words;
}

static uint32_t counter_count(const struct claw_words *words)
{
	return words->words[CLAW_PROBE_SEEN_AT] - CLAW_PROBE_COUNTERS_AT;
}

static cl_int CL_API_CALL clear(cl_command_queue queue)
{
	struct claw_words *words;
	cl_int err = CL_INVALID_PROGRAM;

	claw_ours_begin();
	words = asked();
	if (words)
		err = claw_next.clEnqueueWriteBuffer(queue, words->buffer,
			CL_FALSE, 0, words->words[CLAW_PROBE_SINK_AT] * 4,
			begin_words, 0, NULL, NULL);
	claw_ours_end();
	return err;
}

static void take_counters(struct claw_words *words,
			  struct claw_probe_answer *answer)
{
	answer->counters = read_words + CLAW_PROBE_COUNTERS_AT;
	answer->counter_words = counter_count(words);
	for (uint32_t i = 0; i < answer->counter_words; i++)
		words->words[CLAW_PROBE_COUNTERS_AT + i] |=
			answer->counters[i];
}

static void take_found(struct claw_words *words,
		       struct claw_probe_answer *answer)
{
	const uint32_t *at = read_words + read_words[CLAW_PROBE_RECORDS_AT];
	uint32_t count = read_words[CLAW_PROBE_FOUND];

	if (count > read_words[CLAW_PROBE_CAPACITY])
		count = read_words[CLAW_PROBE_CAPACITY];
	for (uint32_t i = 0; i < count &&
	     answer->found_count < CLAW_PROBE_ASK_FOUND; i++)
		answer->found_count += claw_probe_found_read(words,
			at + i * CLAW_PROBE_RECORD_WORDS,
			&answer->found[answer->found_count]);
}

/* Nobody has to copy these launches' words again. */
static void settle(struct claw_words *words, cl_command_queue queue)
{
	claw_behind_cover(words, queue);
	claw_behind_copied(words);
}

static cl_int CL_API_CALL read_all(cl_command_queue queue,
				   struct claw_probe_answer *answer)
{
	struct claw_words *words;
	cl_int err = CL_INVALID_PROGRAM;

	claw_ours_begin();
	words = asked();
	if (words)
		err = claw_next.clEnqueueReadBuffer(queue, words->buffer,
			CL_TRUE, 0, words->words[CLAW_PROBE_PAIRS_AT] * 4,
			read_words, 0, NULL, NULL);
	if (!err) {
		answer->found_count = 0;
		take_counters(words, answer);
		take_found(words, answer);
		settle(words, queue);
	}
	claw_ours_end();
	return err;
}

/* A kernel of one text. */
static cl_uint CL_API_CALL reach(const char *kernel, uint32_t *bits,
				 cl_uint room)
{
	struct claw_words *words;
	uint32_t first, count;
	cl_uint all = 0;
	const char *at;

	claw_ours_begin();
	words = asked();
	at = words ? words->maps[0] : NULL;
	memset(bits, 0, room * sizeof(*bits));
	while (at && claw_map_reach(&at, kernel, &first, &count))
		for (uint32_t i = first; i < first + count && i / 32 < room; i++) {
			all += !(bits[i / 32] & 1u << i % 32);
			bits[i / 32] |= 1u << i % 32;
		}
	claw_ours_end();
	return all;
}

void *claw_probe_ask_find(const char *name)
{
	if (!claw_instrument_is_begun)
		return NULL;
	if (!strcmp(name, CLAW_PROBES_CLEAR))
		return __extension__ (void *)clear;
	if (!strcmp(name, CLAW_PROBES_READ))
		return __extension__ (void *)read_all;
	if (!strcmp(name, CLAW_PROBES_REACH))
		return __extension__ (void *)reach;
	return NULL;
}
