/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The trace's layout on disk: what a program asked of OpenCL, whole enough to
 * ask it again. One file beside the journal of a process, trace.<pid>.<n> for
 * journal.<pid>.<n>, written by the guest where config has "capture"; and one
 * beside it, contents.<pid>.<n>, with the bytes that the program handed over.
 * doc/dump-format.md says the same in prose. Byte order and offsets are as in
 * journal_format.h.
 *
 * The trace has a ring of bytes with the last calls, and slots with the
 * records that are kept as long as an object lives: what made it, what built
 * it. A ring that came round has forgotten calls, but no live object.
 */
#ifndef CLAW_TRACE_FORMAT_H
#define CLAW_TRACE_FORMAT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "journal_format.h"
#include "trace_hash.h"

#define CLAW_TRACE_MAGIC	"CLAWTRAC"
#define CLAW_TRACE_VERSION	2u	/* 1: no CLAW_PAYLOAD_SAME */
#define CLAW_CONTENTS_MAGIC	"CLAWBYTE"

/* config key "capture": what is kept of the bytes in memory objects. */
enum claw_capture_buffers {
	CLAW_CAPTURE_OFF,	/* no trace at all */
	CLAW_CAPTURE_NONE,	/* sizes only */
	CLAW_CAPTURE_HASH,	/* what the host wrote, each content once */
	CLAW_CAPTURE_LAUNCH,	/* the same, and chosen launches' arguments are read
				 * back before them (keys capture_kernel, capture_launch) */
	CLAW_CAPTURE_ALL,	/* before every launch */
};

enum {
	CLAW_TRACE_RING_DEFAULT = 16 << 20,	/* bytes; a power of two */
	CLAW_TRACE_BLOCK_BYTES = 64 << 10,	/* no record lies across two blocks */
	CLAW_TRACE_SLOTS = 1 << 16,
	CLAW_TRACE_SLOT_BYTES = 256,
	CLAW_TRACE_RECORD_MAX = 32 << 10,	/* longer payloads are contents */
	CLAW_TRACE_SAME_PART = 16,	/* SAME names what is at most that part of the
					 * ring behind */
};

/* Why a launch's arguments were not read back before it. */
enum claw_unread_reason {
	CLAW_UNREAD_CALLBACK,	/* within a callback, which must not wait */
	CLAW_UNREAD_WAITS,	/* something waits for the program itself */
	CLAW_UNREAD_FAILED,	/* a device had failed */
	CLAW_UNREAD_REASONS
};

struct claw_trace_header {
	char magic[8];
	uint32_t version;
	uint32_t header_bytes;
	uint32_t endian;
	uint32_t pid;
	uint32_t buffers;		/* enum claw_capture_buffers */
	uint32_t redacted;		/* 1: contents have hashes only, launches no
					 * arguments but memory objects */
	uint64_t file_bytes;
	uint64_t ring_offset, ring_bytes;
	uint64_t ring_used;		/* bytes ever claimed (atomic): the record at
					 * position P lies at ring_offset + P mod ring_bytes */
	uint64_t slots_offset;
	uint32_t slot_count, slot_bytes;
	uint64_t slots_dropped;		/* records of live objects without room */
	uint64_t calls;			/* records ever begun */
	uint64_t contents_used;		/* bytes of the contents file, holes included */
	uint64_t contents_lost;		/* contents that were not kept: no room */
	uint64_t first_ticks;		/* of the first record */
	uint64_t trigger_position;	/* of the first record that is a trigger; 0: none */
	uint64_t unread[CLAW_UNREAD_REASONS];	/* chosen launches whose arguments were
						 * not read back, by why */
	uint64_t reserved[5];
};

enum claw_trace_state {
	CLAW_TRACE_BEGUN = 1,	/* the call has not returned (or never did) */
	CLAW_TRACE_DONE = 2,
	CLAW_TRACE_PADDING = 3,	/* nothing, up to the end of the block: only bytes,
				 * state and api (0) are there */
	CLAW_TRACE_BASE = 4,	/* no call: the arguments of a launch again, which
				 * later ones name and which the ring is to forget.
				 * The words are its queue and its kernel; SAME says
				 * where it was */
};

/*
 * One call. Claimed, filled and marked BEGUN before the driver is called;
 * result, made handles and DONE come after it. Multiple of 8 bytes. Then come
 * word_count words, the parameters as they were passed, each widened to 64
 * bits (unsigned; a pointer is its address), then the payloads.
 *
 * The state is 0 while it is filled. Position 0 is padding, one
 * block of it. A record whose position is not where it lies is an older one,
 * or torn: the next one begins somewhere in the rest of its block.
 *
 * Asynchronous: word_count 1; handle and the word are the event, or the
 * context that was told something (result is 0 then, and the text is a
 * payload, param 0).
 */
struct claw_trace_record {
	uint32_t bytes;			/* of all, this header included */
	uint16_t state;			/* enum claw_trace_state, written last */
	uint16_t api;			/* as in the journal; UINT16_MAX: asynchronous:
					 * handle is an event, result its status */
	uint64_t position;		/* claw_trace_header.ring_used when it was claimed */
	uint64_t ticks, end_ticks;	/* entered, returned (0: has not). The clock is
					 * not read for each of those that are called
					 * most: of references, arguments, launches and
					 * of what makes memory objects, kernels,
					 * samplers, user events, ticks are what one of
					 * the last fifty calls has, and end_ticks no
					 * less and only for the order */
	uint64_t handle;		/* returned handle or pointer; else 0 */
	uint64_t ordinal;		/* of this function in this thread, from 1 */
	uint32_t thread;
	int32_t result;			/* CL code */
	uint32_t site;			/* number in the journal, or 0 */
	uint16_t flags;			/* enum claw_record_flags */
	uint8_t word_count, payload_count;
	uint32_t check;			/* claw_trace_record_check() */
	uint16_t rule, fault;		/* as in claw_journal_record */
};

enum claw_payload_kind {
	CLAW_PAYLOAD_BYTES = 1,	/* what the pointer pointed at: sizes, properties with
				 * the 0 at their end, lists of handles, a text with its
				 * NUL, an argument's value, clSetKernelArg's included */
	CLAW_PAYLOAD_CONTENT,	/* a claw_trace_content: bytes of a memory object or text
				 * that are in the contents file */
	CLAW_PAYLOAD_MADE,	/* handles that the call gave out through this pointer
				 * (event, kernels, sub-devices, platforms); filled when it
				 * returns, 0 for what was not given out */
	CLAW_PAYLOAD_TEXTS,	/* for clCreateProgramWith*: claw_trace_contents, one an
				 * item of the list; of sources in more pieces than are told
				 * apart one, all of them behind each other. Lengths have no
				 * payload: a content has its length */
	CLAW_PAYLOAD_ARGUMENT,	/* of a launch: the kernel's argument number `index` at
				 * that time: its bytes (a handle is 8 bytes, local memory
				 * none: length in `value`) */
	CLAW_PAYLOAD_BEFORE,	/* of a launch: claw_trace_content of argument `index`'s
				 * memory object, read back before it */
	CLAW_PAYLOAD_SAME,	/* of a launch, in the place of its ARGUMENTs: they are
				 * those of the record at position `value`, an earlier
				 * launch of that kernel that has its own and no BEFORE;
				 * or, when that is forgotten, of the BASE with the same
				 * value */
};

enum claw_payload_flags {
	CLAW_PAYLOAD_IS_MEM = 1 << 0,	/* ARGUMENT: the value is a live memory object's
					 * handle; a sampler's or queue's: IS_HANDLE */
	CLAW_PAYLOAD_IS_HANDLE = 1 << 1,
	CLAW_PAYLOAD_IS_SVM = 1 << 2,	/* ARGUMENT: set by clSetKernelArgSVMPointer */
	CLAW_PAYLOAD_IS_LOCAL = 1 << 3,	/* ARGUMENT: NULL with a size */
	CLAW_PAYLOAD_CUT = 1 << 4,	/* not all of it */
};

struct claw_trace_payload {
	uint32_t bytes;			/* of what follows, without padding to 8 */
	uint8_t kind;			/* enum claw_payload_kind */
	uint8_t param;			/* position of the parameter, from 0 */
	uint16_t flags;			/* enum claw_payload_flags */
	uint32_t index;			/* ARGUMENT, BEFORE: the argument's */
	uint32_t pad;
	uint64_t value;			/* ARGUMENT: arg_size; SAME: a position; else 0 */
};

/*
 * Bytes by their content. offset 0: only the hash is known. Of a region with
 * pitches (rectangles, images) only the region's bytes, without what lies
 * between its rows: the rows of the first slice, of the second ... A host
 * pointer's parameters origin and pitches tell where it lay in the program's
 * memory, not in these. Of a mapping what was mapped, packed in the same way.
 * Hashes of a redacted trace are salted: they tell equal contents of this
 * process and nothing else.
 */
struct claw_trace_content {
	uint64_t hash[2];		/* claw_trace_hash() of length bytes */
	uint64_t length;
	uint64_t offset;		/* in the contents file, from its start */
};

enum claw_slot_state { CLAW_SLOT_FREE, CLAW_SLOT_LIVE = 1, CLAW_SLOT_GONE = 2 };

/*
 * A record that is kept: a copy of a creation, a build, a link. It goes when
 * its owner is gone and the ring has forgotten that, too. What is too long
 * for a slot lies in the contents file.
 */
struct claw_trace_slot {
	uint32_t state;			/* enum claw_slot_state, written last */
	uint32_t check;			/* claw_trace_slot_check() */
	uint64_t owner;			/* handle */
	uint64_t gone_position;		/* of the ring, when the owner went */
	uint64_t gone_ticks;
	/* Of a memory object: the last content that covered all of it, and the
	 * position of the first call since that may have changed it. */
	struct claw_trace_content content;
	uint64_t content_position, changed_position;
	struct claw_trace_content record;	/* length: of the record; offset 0: it
						 * follows here, in the slot */
};

_Static_assert(sizeof(struct claw_trace_record) == 72, "format");
_Static_assert(sizeof(struct claw_trace_payload) == 24, "format");
_Static_assert(sizeof(struct claw_trace_content) == 32, "format");
_Static_assert(sizeof(struct claw_trace_slot) == 112, "format");

/* FNV-1a over 64-bit words, folded to 32 bits. */
#define CLAW_TRACE_CHECK_START UINT64_C(0xcbf29ce484222325)

static inline uint64_t claw_trace_check_word(uint64_t hash, uint64_t word)
{
	hash = (hash ^ word) * UINT64_C(0x100000001b3);
	return hash ^ hash >> 32;
}

#define CLAW_TRACE_FACTOR_START	UINT64_C(0x8ebc6af09c88c6e3)
#define CLAW_TRACE_FACTOR_STEP	UINT64_C(0xa0761d6478bd642e)	/* stays odd */

/* One of the products that are summed, 0 of a word that is not there. */
static inline __attribute__((always_inline)) uint64_t
claw_trace_word_product(const unsigned char *words, unsigned int i,
			unsigned int count)
{
	uint64_t word;

	if (i >= count)
		return 0;
	memcpy(&word, words + (size_t)i * 8, sizeof(word));
	return word * (CLAW_TRACE_FACTOR_START + i * CLAW_TRACE_FACTOR_STEP);
}

/* Those from i on, four of them. */
static inline __attribute__((always_inline)) uint64_t
claw_trace_word_products(const unsigned char *words, unsigned int i,
			 unsigned int count)
{
	return claw_trace_word_product(words, i, count) +
		claw_trace_word_product(words, i + 1, count) +
		claw_trace_word_product(words, i + 2, count) +
		claw_trace_word_product(words, i + 3, count);
}

/* What claw_trace_record.check is: of the words, which follow the record, and
 * of what in it the call's end does not change. A sum of products, which a
 * processor can do side by side. */
static inline __attribute__((always_inline)) uint32_t
claw_trace_words_check(const struct claw_trace_record *record,
		       unsigned int word_count)
{
	const unsigned char *words = (const unsigned char *)(record + 1);
	uint64_t sum = record->position * UINT64_C(0x9e3779b97f4a7c15) +
		record->ticks * UINT64_C(0xbf58476d1ce4e5b9) +
		record->ordinal * UINT64_C(0x94d049bb133111eb) +
		((uint64_t)record->bytes << 32 |
		 record->api) * UINT64_C(0xd6e8feb86659fd93) +
		((uint64_t)record->thread << 32 |
		 (uint64_t)word_count << 8 |
		 record->payload_count) * UINT64_C(0xe7037ed1a0b428db);

	/* Without a loop, for those who know how many they are. */
	if (__builtin_constant_p(word_count) && word_count <= 12)
		sum += claw_trace_word_products(words, 0, word_count) +
			claw_trace_word_products(words, 4, word_count) +
			claw_trace_word_products(words, 8, word_count);
	else
		for (unsigned int i = 0; i < word_count; i += 4)
			sum += claw_trace_word_products(words, i, word_count);
	return (uint32_t)(sum >> 32);
}

static inline uint32_t
claw_trace_record_check(const struct claw_trace_record *record)
{
	return claw_trace_words_check(record, record->word_count);
}

/* What claw_trace_slot.check is: of what never changes in it, owner and
 * record; the record that may follow has a check of its own. */
static inline uint32_t claw_trace_slot_check(const struct claw_trace_slot *slot)
{
	const struct claw_trace_content *record = &slot->record;
	uint64_t hash = claw_trace_check_word(CLAW_TRACE_CHECK_START,
					      slot->owner);

	hash ^= hash >> 32;	/* each part is folded by itself */
	hash = CLAW_TRACE_CHECK_START ^ (uint32_t)hash;
	hash = claw_trace_check_word(hash, record->hash[0]);
	hash = claw_trace_check_word(hash, record->hash[1]);
	hash = claw_trace_check_word(hash, record->length);
	hash = claw_trace_check_word(hash, record->offset);
	return (uint32_t)(hash ^ hash >> 32);
}

#endif
