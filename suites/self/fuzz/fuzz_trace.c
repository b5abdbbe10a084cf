/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The reader of traces against bytes that nobody wrote, and what is made of
 * them: built with -DCLAW_LIBFUZZER -fsanitize=fuzzer it is libFuzzer's, built
 * plainly it reads mutations of sound traces:
 *
 *	fuzz_trace [COUNT [SEED]]	that many mutations (default 20000, 1)
 *	fuzz_trace --write DIRECTORY	write the seeds, for libFuzzer
 *	fuzz_trace FILE...		read these, and say what is in them
 *
 * An input is a trace with a contents file behind it, from that part of it on
 * that the last two bytes say. Its checks are put right first: a fuzzer that
 * has to guess them would see nothing of what is behind them. An input with
 * an odd last byte is left as it is.
 */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>

#include "harness/base/errors.h"
#include "harness/crash/trace/trace_read.h"
#include "harness/crash/trace/trace_write.h"
#include "fuzz_bytes.h"
#include "suites/self/lib/ring_maker.h"
#include "suites/self/lib/trace_use.h"

enum { MOST_BYTES = 1 << 20 };

/* ---- checks put right */

static void mend_record(unsigned char *at, size_t room)
{
	struct claw_trace_record *record = (void *)at;

	if (room < sizeof(*record) || record->word_count * 8u >
				      room - sizeof(*record))
		return;
	record->check = claw_trace_record_check(record);
}

static void mend_slots(unsigned char *bytes, size_t size,
		       const struct claw_trace_header *header)
{
	uint64_t at = header->slots_offset;

	if (at % 8 || header->slot_bytes % 8 ||
	    header->slot_bytes < sizeof(struct claw_trace_slot))
		return;
	for (uint32_t i = 0; i < header->slot_count && at < size &&
	     size - at >= header->slot_bytes; i++) {
		struct claw_trace_slot *slot = (void *)(bytes + at);

		slot->check = claw_trace_slot_check(slot);
		mend_record((unsigned char *)(slot + 1),
			    header->slot_bytes - sizeof(*slot));
		at += header->slot_bytes;
	}
}

/* Records one after the other, as far as their lengths lead; also their
 * positions, of the last lap. */
static void mend_ring(unsigned char *bytes, size_t size,
		      const struct claw_trace_header *header)
{
	uint64_t lap, at = 0, room;

	if (header->ring_offset % 8 || header->ring_offset >= size ||
	    header->ring_bytes == 0 || header->ring_bytes % 8)
		return;
	room = size - header->ring_offset;
	if (room > header->ring_bytes)
		room = header->ring_bytes;
	lap = header->ring_used - header->ring_used % header->ring_bytes;
	while (at + sizeof(struct claw_trace_record) <= room) {
		struct claw_trace_record *record =
			(void *)(bytes + header->ring_offset + at);

		if (record->state == CLAW_TRACE_PADDING || record->bytes % 8 ||
		    record->bytes < sizeof(*record)) {
			at = (at / CLAW_TRACE_BLOCK_BYTES + 1) *
				CLAW_TRACE_BLOCK_BYTES;
			continue;
		}
		record->position = lap + at;
		if (record->position >= header->ring_used)
			record->position -= header->ring_bytes;
		mend_record((unsigned char *)record, (size_t)(room - at));
		at += record->bytes;
	}
}

static void mend(unsigned char *bytes, size_t size)
{
	struct claw_trace_header header;

	if (size < sizeof(header))
		return;
	memcpy(&header, bytes, sizeof(header));
	mend_slots(bytes, size, &header);
	mend_ring(bytes, size, &header);
}

/* ---- what is done with a trace */

static uint32_t random_bits(uint32_t *state)
{
	*state = *state * 1664525u + 1013904223u;
	return *state >> 16;
}

/* Some of its calls; and written and read again, it is no other. */
static void use_again(const struct claw_trace *trace)
{
	bool *keep = calloc((size_t)trace->call_count + 1, sizeof(*keep));
	struct claw_trace *some = NULL, *again = NULL;
	uint32_t state = trace->call_count;
	void *bytes = NULL;
	size_t size = 0;

	if (!keep)
		abort();
	for (uint32_t i = 0; i < trace->call_count; i++)
		keep[i] = random_bits(&state) % 4 != 0;
	some = claw_trace_select(trace, keep);
	use_trace(some);
	if (claw_trace_write_memory(some, NULL, NULL, &bytes, &size) != 0 ||
	    claw_trace_read_memory(bytes, size, NULL, 0, NULL, NULL, &again))
		abort();
	use_trace(again);
	use_must(again->call_count - again->first_ring_call ==
		 some->call_count - some->first_ring_call);
	claw_trace_free(again);
	claw_trace_free(some);
	free(bytes);
	free(keep);
}

static int find_api(uint16_t theirs, void *user)
{
	(void)user;
	return theirs < CLAW_API_COUNT ? theirs : -1;
}

static void read_input(const unsigned char *bytes, size_t size,
		       size_t contents)
{
	struct claw_trace *trace = NULL;

	if (claw_trace_read_memory(bytes, size, bytes + contents,
				   size - contents, find_api, NULL,
				   &trace) != 0)
		return;
	use_trace(trace);
	if (size % 4 == 0)	/* it takes longer than all the rest */
		use_again(trace);
	claw_trace_free(trace);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	unsigned char *copy;
	size_t contents;

	if (size < 2 || size > MOST_BYTES)
		return 0;
	copy = malloc(size);
	if (!copy)
		return 0;
	memcpy(copy, bytes, size);
	contents = (size_t)((bytes[size - 2] << 8 | bytes[size - 1]) * 8) %
		size;
	if (bytes[size - 1] % 2 == 0)
		mend(copy, size);
	read_input(copy, size, contents);
	free(copy);
	return 0;
}

#ifndef CLAW_LIBFUZZER

/* A made trace without its empty parts, some bytes for contents, and where
 * those are. */
static unsigned char *make_seed(const struct made_trace *made, size_t *ret_size)
{
	enum { CONTENTS = 512 };
	struct claw_trace *trace = NULL;
	unsigned char *seed;
	void *bytes = NULL;
	size_t size = 0;

	if (claw_trace_read_memory(made, MADE_TRACE_BYTES, made->contents,
				   made->contents_used, NULL, NULL, &trace) ||
	    claw_trace_write_memory(trace, NULL, NULL, &bytes, &size))
		die("fuzz_trace");
	claw_trace_free(trace);
	*ret_size = size + CONTENTS + 2;
	seed = calloc(1, *ret_size);
	if (!seed)
		die("memory");
	memcpy(seed, bytes, size);
	free(bytes);
	seed[*ret_size - 2] = (unsigned char)(size / 8 >> 8);
	seed[*ret_size - 1] = (unsigned char)(size / 8);
	return seed;
}

/* Launches that name the arguments of others, as the guest writes them: what is
 * read and written again does not any more. */
static unsigned char *make_named(size_t *ret_size)
{
	enum { CONTENTS = 512 };
	static struct made_trace made;
	const int value = 7;
	unsigned char *seed;
	size_t size;

	made_trace_init(&made);
	made.header.ring_used = 0;	/* without the padding before it */
	MADE_CALL(&made, clEnqueueWriteBuffer, MADE_QUEUE, MADE_BUFFER, 1, 0, 8,
		  0x7000, 0, 0, 0);
	made_data(&made, CLAW_PAYLOAD_CONTENT, 5, "content", 8);
	made_end(&made, 0, 0);
	MADE_CALL(&made, clEnqueueNDRangeKernel, MADE_QUEUE, MADE_KERNEL, 1, 0,
		  0x7ff0, 0, 0, 0, 0);
	made_argument(&made, 0, 0, &value, sizeof(value));
	made_end(&made, 0, 0);
	made_same(&made, MADE_QUEUE, MADE_KERNEL, made.last->position);
	made_same(&made, MADE_QUEUE, MADE_KERNEL, 8);
	made_base(&made, MADE_QUEUE, MADE_KERNEL, 8, value);
	size = made.header.ring_offset + made.header.ring_used;
	*ret_size = size + CONTENTS + 2;
	seed = calloc(1, *ret_size);
	if (!seed)
		die("memory");
	memcpy(seed, &made, size);
	memcpy(seed + size, made.contents, made.contents_used);
	seed[*ret_size - 2] = (unsigned char)(size / 8 >> 8);
	seed[*ret_size - 1] = (unsigned char)(size / 8);
	return seed;
}

/* The seed must be sound itself, or its mutations mean nothing. */
static void check_seed(const unsigned char *seed, size_t size, uint32_t calls)
{
	size_t contents = (size_t)(seed[size - 2] << 8 | seed[size - 1]) * 8;
	struct claw_trace *trace = NULL;

	if (claw_trace_read_memory(seed, size, seed + contents,
				   size - contents, NULL, NULL, &trace) != 0 ||
	    trace->damaged != 0 || trace->call_count != calls ||
	    !trace->contents[0].bytes) {
		fprintf(stderr, "fuzz_trace: a seed is not sound\n");
		exit(1);
	}
	claw_trace_free(trace);
}

static int show_files(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		struct claw_trace *trace = NULL;
		int ret = claw_trace_read(argv[i], &trace);

		if (ret < 0) {
			printf("%s: error %d\n", argv[i], ret);
			continue;
		}
		use_trace(trace);
		printf("%s: %" PRIu32 " calls, %" PRIu32 " objects, %" PRIu32
		       " contents, %" PRIu64 " damaged\n", argv[i],
		       trace->call_count, trace->object_count,
		       trace->content_count, trace->damaged);
		claw_trace_free(trace);
	}
	return 0;
}

static void run_seed(const unsigned char *seed, size_t size,
		     const char *count, const char *state)
{
	fuzz_run(&(struct fuzz_bytes) {
		.seed = seed, .size = size,
		/* The header, the slots, or all. */
		.reach = { sizeof(struct claw_trace_header), 8 << 10, 0 },
		.words = {
			0, 1, 2, 8, 63, 64, 72, 4096, 0x80000000, 0xffffffff,
			0x100000000, INT64_MAX, UINT64_MAX, UINT64_MAX - 63,
			MADE_BUFFER, MADE_SVM + 64,
		},
	}, count ? strtoul(count, NULL, 10) : 20000,
	   state ? strtoull(state, NULL, 10) : 1);
}

int main(int argc, char **argv)
{
	static struct made_trace made;
	unsigned char *seed, *kept, *named;
	size_t size, kept_size, named_size;

	if (argc > 1 && argv[1][0] != '-' && strspn(argv[1], "0123456789") !=
					     strlen(argv[1]))
		return show_files(argc, argv);
	made_program(&made);
	named = make_named(&named_size);
	check_seed(named, named_size, 4);
	seed = make_seed(&made, &size);
	check_seed(seed, size, 20);
	made_forget(&made);
	made_commands(&made);
	kept = make_seed(&made, &kept_size);
	check_seed(kept, kept_size, 10);
	if (argc == 3 && strcmp(argv[1], "--write") == 0) {
		fuzz_write_seed(argv[2], "whole", seed, size);
		fuzz_write_seed(argv[2], "kept", kept, kept_size);
		fuzz_write_seed(argv[2], "named", named, named_size);
	} else {
		run_seed(seed, size, argc > 1 ? argv[1] : NULL,
			 argc > 2 ? argv[2] : NULL);
		run_seed(kept, kept_size, argc > 1 ? argv[1] : NULL,
			 argc > 2 ? argv[2] : NULL);
		run_seed(named, named_size, argc > 1 ? argv[1] : NULL,
			 argc > 2 ? argv[2] : NULL);
	}
	free(seed);
	free(kept);
	free(named);
	return 0;
}

#endif
