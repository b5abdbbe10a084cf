/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the files of the trace's writer share and nobody else uses: the ring
 * (trace_ring.c), slots of live objects (trace_slots.c), contents
 * (trace_contents.c, trace_source.c), payloads (trace_payload.c,
 * trace_data.c), arguments of kernels (trace_kernels.c, trace_bases.c), mappings
 * and shared memory (trace_maps.c), reading back (trace_before.c).
 *
 * All tables are under the ledger's turns and one lock, trace's own: nothing
 * of the ledger is asked within it, and nothing slow is done.
 */
#ifndef CLAW_TRACE_PRIVATE_H
#define CLAW_TRACE_PRIVATE_H

#include "faults/ledger/ledger_turn.h"
#include "trace.h"

struct claw_trace_process {
	struct claw_trace_header *header;	/* NULL: off */
	unsigned char *ring;
	uint64_t ring_bytes;		/* a power of two */
	uint64_t ready;			/* positions below this have their pages */
	uint64_t due;			/* from there on trace_bases.c has to write */
	uint64_t look;			/* the lesser of the two */
	uint64_t last_ticks;		/* that were read for a record */
	unsigned char *slots;
	struct claw_trace_config config;
	uint64_t salt[2];		/* of a redacted trace's hashes */
	bool short_launches;		/* nothing is read back, nor left out */
	bool told_failure;		/* a device was lost: it is not read any more */
	uint32_t lock;
};
extern struct claw_trace_process claw_own_trace CLAW_HIDDEN;

/* A turn and the lock; NONE: neither. */
static inline enum claw_turn claw_trace_enter(void)
{
	enum claw_turn turn = claw_turn_begin();

	if (turn != CLAW_TURN_NONE && !claw_lock(turn, &claw_own_trace.lock)) {
		claw_turn_end(turn);
		turn = CLAW_TURN_NONE;
	}
	return turn;
}

static inline void claw_trace_leave(enum claw_turn turn)
{
	claw_unlock(turn, &claw_own_trace.lock);
	claw_turn_end(turn);
}

/* Zeros, of this process alone; NULL: no memory. */
CLAW_HIDDEN void *claw_trace_memory(void *old, size_t bytes);

/* ---- the ring */

CLAW_HIDDEN bool claw_ring_begin(const char *path);
CLAW_HIDDEN void claw_ring_end(void);
/* Something is to be done at that position: pages, bases. */
CLAW_HIDDEN void claw_ring_look(enum claw_turn turn, uint64_t end);
CLAW_HIDDEN void claw_ring_set_due(uint64_t position);
CLAW_HIDDEN void claw_ring_pad(uint64_t position, uint64_t bytes);

static inline uint64_t claw_ring_start(uint64_t used, uint32_t bytes)
{
	uint64_t left = CLAW_TRACE_BLOCK_BYTES - used % CLAW_TRACE_BLOCK_BYTES;

	return bytes <= left ? used : used + left;
}

/* Within a turn: so many bytes (a multiple of 8, at most CLAW_TRACE_RECORD_MAX)
 * of one block, whose record is not valid until it is shown. */
static inline __attribute__((always_inline)) struct claw_trace_record *
claw_ring_claim_uncounted(enum claw_turn turn, uint32_t bytes,
			  uint64_t *ret_position)
{
	struct claw_trace_header *header = claw_own_trace.header;
	uint64_t used = header->ring_used, start;
	struct claw_trace_record *record;

	if (__builtin_expect(turn == CLAW_TURN_ALONE, 1)) {
		start = claw_ring_start(used, bytes);
		__atomic_store_n(&header->ring_used, start + bytes,
				 __ATOMIC_RELAXED);
	} else {
		do {
			start = claw_ring_start(used, bytes);
		} while (!__atomic_compare_exchange_n(&header->ring_used, &used,
				start + bytes, false, __ATOMIC_RELAXED,
				__ATOMIC_RELAXED));
	}
	if (__builtin_expect(start != used, 0))
		claw_ring_pad(used, start - used);
	if (__builtin_expect(start + bytes > __atomic_load_n(
				&claw_own_trace.look, __ATOMIC_RELAXED), 0))
		claw_ring_look(turn, start + bytes);
	record = (void *)(claw_own_trace.ring +
			  (start & (claw_own_trace.ring_bytes - 1)));
	__atomic_store_n((uint64_t *)(void *)record, 0, __ATOMIC_RELAXED);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	*ret_position = record->position = start;
	return record;
}

/* The same, of a call. */
static inline __attribute__((always_inline)) struct claw_trace_record *
claw_ring_claim(enum claw_turn turn, uint32_t bytes, uint64_t *ret_position)
{
	uint64_t *calls = &claw_own_trace.header->calls;

	if (__builtin_expect(turn == CLAW_TURN_ALONE, 1))
		++*calls;
	else
		__atomic_fetch_add(calls, 1, __ATOMIC_RELAXED);
	return claw_ring_claim_uncounted(turn, bytes, ret_position);
}

static inline void claw_ring_set_state(struct claw_trace_record *record,
				       enum claw_trace_state state)
{
	__atomic_store_n(&record->state, (uint16_t)state, __ATOMIC_RELEASE);
}

/* Set its check and show it; words: record->word_count. */
static inline __attribute__((always_inline)) void
claw_ring_show(struct claw_trace_record *record, uint16_t api, uint32_t bytes,
	       unsigned int words, enum claw_trace_state state)
{
	record->bytes = bytes;
	record->api = api;
	record->check = claw_trace_words_check(record, words);
	claw_ring_set_state(record, state);
}

/* What was read last never goes back: whoever has an object's handle from
 * another thread sees no less than the end of the call that made it. */
static inline uint64_t claw_trace_ticks(void)
{
	uint64_t *last = &claw_own_trace.last_ticks;
	uint64_t before = __atomic_load_n(last, __ATOMIC_RELAXED);
	uint64_t ticks = claw_journal_ticks();

	if (!__atomic_load_n(&claw_own_ledger.shared, __ATOMIC_RELAXED)) {
		if (before < ticks)
			__atomic_store_n(last, ticks, __ATOMIC_RELAXED);
		return before < ticks ? ticks : before;
	}
	while (before < ticks &&
	       !__atomic_compare_exchange_n(last, &before, ticks, false,
					    __ATOMIC_RELEASE, __ATOMIC_RELAXED))
		;
	return before < ticks ? ticks : before;
}

static inline uint64_t claw_trace_last_ticks(void)
{
	return __atomic_load_n(&claw_own_trace.last_ticks, __ATOMIC_RELAXED);
}

/* Of what is called most, so many bytes of the ring at that position. Reading
 * the clock would cost as much as all the rest: it is read once in 4 KiB, and
 * by the other calls in between. The order is the ring's. */
static inline uint64_t claw_trace_ticks_at(uint64_t position, uint32_t bytes)
{
	if (__builtin_expect(position % 4096 < bytes, 0))
		return claw_trace_ticks();
	return claw_trace_last_ticks();
}

/* That something was made, without the clock: whatever was begun before is
 * earlier, whatever is begun by somebody who has it is no earlier. */
static inline uint64_t claw_trace_step(void)
{
	uint64_t *last = &claw_own_trace.last_ticks;
	uint64_t ticks;

	if (__atomic_load_n(&claw_own_ledger.shared, __ATOMIC_RELAXED))
		return __atomic_add_fetch(last, 1, __ATOMIC_RELEASE);
	ticks = __atomic_load_n(last, __ATOMIC_RELAXED) + 1;
	__atomic_store_n(last, ticks, __ATOMIC_RELAXED);
	return ticks;
}

/* What a record has at the beginning of its call, but for the words. */
static inline void claw_record_fill(struct claw_trace_record *record,
				    uint64_t ticks, uint64_t ordinal,
				    unsigned int words, unsigned int payloads)
{
	record->ticks = ticks;
	record->end_ticks = 0;
	record->handle = 0;
	record->ordinal = ordinal;
	record->thread = claw_journal_thread_number();
	record->result = 0;
	record->site = 0;
	record->flags = 0;
	record->word_count = (uint8_t)words;
	record->payload_count = (uint8_t)payloads;
	record->rule = record->fault = 0;
	if (__builtin_expect(!claw_own_trace.header->first_ticks, 0))
		claw_own_trace.header->first_ticks = ticks;
}

static inline uint64_t claw_ring_used(void)
{
	return __atomic_load_n(&claw_own_trace.header->ring_used,
			       __ATOMIC_RELAXED);
}

/* May what lies at that position still be written to? Others may be writing
 * there soon: an eighth of the ring is left between them and us. */
static inline bool claw_ring_has(uint64_t position)
{
	uint64_t bytes = claw_own_trace.ring_bytes;

	return claw_ring_used() - position < bytes - bytes / 8;
}

/* The same, and it is still that record's: of a child that was forked within
 * the call it is none of its ring's. */
static inline bool claw_ring_is_at(const struct claw_trace_record *record,
				   uint64_t position)
{
	return claw_ring_has(position) &&
	       (const unsigned char *)record == claw_own_trace.ring +
	       (position & (claw_own_trace.ring_bytes - 1)) &&
	       record->position == position;
}

/* A record has been ended. Others may have come round meanwhile: then what was
 * written may be in a record of theirs. */
static inline void claw_ring_check_end(uint64_t position)
{
	if (__builtin_expect(claw_ring_used() - position >=
			     claw_own_trace.ring_bytes, 0))
		claw_journal_add_damaged();
}

/* From there to the end of its block: nothing goes further, whatever others
 * have written over it since. */
static inline uint64_t claw_ring_left(const void *at)
{
	uint64_t offset = (uint64_t)((const unsigned char *)at -
				     claw_own_trace.ring);

	return CLAW_TRACE_BLOCK_BYTES - offset % CLAW_TRACE_BLOCK_BYTES;
}

/* Has the ring forgotten all that was recorded up to then? */
static inline bool claw_ring_forgot(uint64_t position)
{
	uint64_t bytes = claw_own_trace.ring_bytes;

	return claw_ring_used() - position > bytes + bytes / 4;
}

/* ---- bytes of the program's (trace_source.c) */

/* Rows of bytes at equal distances, or whatever read gives. */
struct claw_trace_source {
	const unsigned char *base;
	uint64_t row_bytes, row_pitch, slice_pitch;
	uint64_t rows, slices;
	/* Or: the bytes from that offset on; called one after the other. */
	bool (*read)(void *user, uint64_t offset, void *to, uint64_t bytes);
	void *user;
};

static inline uint64_t
claw_source_bytes(const struct claw_trace_source *source)
{
	return source->row_bytes * source->rows * source->slices;
}

static inline struct claw_trace_source claw_source_plain(const void *base,
							 uint64_t bytes)
{
	return (struct claw_trace_source){
		.base = base, .row_bytes = bytes, .row_pitch = bytes,
		.slice_pitch = bytes, .rows = 1, .slices = 1,
	};
}

/* Copy bytes of the program's. False: they are not there. */
CLAW_HIDDEN bool claw_source_copy(void *to, const void *from, uint64_t bytes);
/* Length of a text, at most max; UINT64_MAX: it is not there. */
CLAW_HIDDEN uint64_t claw_source_text(const char *text, uint64_t max);
CLAW_HIDDEN bool claw_source_fetch(const struct claw_trace_source *source,
				   uint64_t offset, void *to, uint64_t bytes);

/* ---- contents */

CLAW_HIDDEN bool claw_contents_begin(const char *path);
CLAW_HIDDEN void claw_contents_end(void);
/* Not within a turn. Keep them, if there is room; else know their hash. False:
 * they cannot be read, and *ret is nothing. */
CLAW_HIDDEN bool claw_contents_keep(const struct claw_trace_source *source,
				    struct claw_trace_content *ret);
/* The same, without giving anything to the disk. */
CLAW_HIDDEN bool claw_contents_hash(const struct claw_trace_source *source,
				    struct claw_trace_content *ret);
/* Of a slot that has the record: kept although the trace keeps no contents. */
CLAW_HIDDEN bool claw_contents_keep_record(const void *bytes, uint64_t size,
					   struct claw_trace_content *ret);
/* Some of a record that was kept. */
CLAW_HIDDEN bool claw_contents_read(uint64_t offset, void *to, uint64_t bytes);
/* One more that is not kept: there was no room. */
CLAW_HIDDEN void claw_contents_lose(void);
/* Under the lock: a slot refers to it, or no more. */
CLAW_HIDDEN void claw_contents_hold(const struct claw_trace_content *content);
CLAW_HIDDEN void claw_contents_drop(const struct claw_trace_content *content);

/* ---- slots of live objects; under the lock but where said */

CLAW_HIDDEN bool claw_slots_begin(void);
/* Not within a turn. The record was claimed at that position of the ring; no
 * slot is made of what others have written over since. */
CLAW_HIDDEN void claw_slots_add(uint64_t owner, enum claw_obj object,
				const struct claw_trace_record *record,
				uint64_t position);
CLAW_HIDDEN void claw_slots_gone(uint64_t owner, enum claw_obj object);
CLAW_HIDDEN void claw_slots_back(uint64_t owner, enum claw_obj object);
/* The same of a new object's record without payloads, of so many words. */
CLAW_HIDDEN void claw_slots_add_words(uint64_t owner, enum claw_obj object,
				      const struct claw_trace_record *record,
				      uint64_t position, unsigned int words);
/* The object that lives at that handle, or NONE. */
CLAW_HIDDEN enum claw_obj claw_slots_find(uint64_t handle);
/* What is in a memory object is this from now on; or may be something else. */
CLAW_HIDDEN void claw_slots_filled(uint64_t mem, uint64_t position,
				   const struct claw_trace_content *content);
CLAW_HIDDEN void claw_slots_changed(uint64_t mem, uint64_t position);
/* Slots that are free again, since their time is over. */
CLAW_HIDDEN void claw_slots_expire(void);
/* User events that the program has not set: is there any? */
CLAW_HIDDEN bool claw_slots_have_gates(void);
/* Changes whenever claw_slots_find() may answer anew of what an argument can
 * be, or claw_slots_changed() has something to do again. */
CLAW_HIDDEN uint64_t claw_slots_epoch(void);
CLAW_HIDDEN void claw_slots_gate_set(uint64_t event);

/* ---- arguments of kernels; under the lock but where said */

CLAW_HIDDEN bool claw_args_begin(void);
CLAW_HIDDEN void claw_args_new(uint64_t kernel, bool chosen);
CLAW_HIDDEN void claw_args_copy(uint64_t from, uint64_t to);
CLAW_HIDDEN void claw_args_gone(uint64_t kernel);
CLAW_HIDDEN void claw_args_set(uint64_t kernel, uint32_t index, uint64_t size,
			       const void *value, uint16_t flags);
/* What a launch's record says of the arguments: the payloads, or that they are
 * those of an earlier one's. */
struct claw_trace_plan {
	struct claw_trace_kernel *kernel;	/* NULL: not known */
	uint64_t base;		/* position of the earlier one, or 0 */
	uint32_t bytes;
	uint8_t count;
};
/* alone: not those of an earlier one, nor those of a later one. */
CLAW_HIDDEN void claw_args_plan(uint64_t kernel, bool alone,
				struct claw_trace_plan *ret_plan);
/* Only: the position of the earlier one, or 0: there is none, or there may be
 * something to be read before the launch. Asked once a launch. */
CLAW_HIDDEN uint64_t claw_args_base(uint64_t kernel);
/* The whole plan, with what claw_args_base() said; false: something may be to
 * be read. */
CLAW_HIDDEN bool claw_args_plan_short(uint64_t kernel, uint64_t base,
				      struct claw_trace_plan *ret_plan);
CLAW_HIDDEN unsigned char *claw_args_write(const struct claw_trace_plan *plan,
					   unsigned char *to, uint64_t position,
					   bool alone);
/* A launch that later ones name: keep its arguments for as long as they are in
 * the ring. False: no room. */
CLAW_HIDDEN bool claw_bases_begin(void);
CLAW_HIDDEN bool claw_bases_add(uint64_t position);
/* Write those again that are due. */
CLAW_HIDDEN void claw_bases_keep(enum claw_turn turn);
static inline void claw_bases_look(enum claw_turn turn)
{
	if (__builtin_expect(__atomic_load_n(&claw_own_trace.header->ring_used,
					     __ATOMIC_RELAXED) >
			     __atomic_load_n(&claw_own_trace.due,
					     __ATOMIC_RELAXED), 0))
		claw_bases_keep(turn);
}
/* Its memory objects and pointers: at most max; is the launch a chosen one? */
struct claw_trace_held {
	uint32_t index;
	uint16_t flags;		/* enum claw_payload_flags: IS_MEM or IS_SVM */
	uint64_t value;
};
CLAW_HIDDEN unsigned int claw_args_held(uint64_t kernel,
					struct claw_trace_held *held,
					unsigned int max);
CLAW_HIDDEN bool claw_args_is_chosen(uint64_t kernel);

/* ---- mappings and shared memory; under the lock */

struct claw_trace_range {
	uint64_t start, bytes;		/* start 0: free */
	uint64_t mem;			/* of a mapping; 0: shared memory */
	struct claw_trace_source source;
	bool writes;			/* a mapping that is written through */
	bool whole;			/* it is of the whole object */
	bool host;			/* shared memory that the host may use any time */
};
CLAW_HIDDEN bool claw_ranges_begin(void);
CLAW_HIDDEN void claw_ranges_add(const struct claw_trace_range *range);
/* The latest mapping that begins there; false: none. */
CLAW_HIDDEN bool claw_ranges_mapping(uint64_t start,
				     struct claw_trace_range *ret);
CLAW_HIDDEN void claw_ranges_unmapped(uint64_t start);
/* The shared memory that this address lies in. */
CLAW_HIDDEN bool claw_ranges_shared(uint64_t address,
				    struct claw_trace_range *ret);
CLAW_HIDDEN void claw_ranges_gone(uint64_t start_or_mem, bool is_mem);

/* ---- payloads */

enum {
	CLAW_TRACE_ITEMS = 16,		/* of a call's parameters */
	CLAW_TRACE_TEXTS = 64,
	CLAW_TRACE_HELD = 64,		/* memory that a launch is given */
	CLAW_TRACE_ITEM_ROOM = CLAW_TRACE_ITEMS + CLAW_TRACE_HELD,
};

struct claw_trace_item {
	uint8_t kind, param;
	uint16_t flags;
	uint32_t bytes, index;
	const void *from;		/* NULL: content, or 0 for MADE */
	struct claw_trace_content content;
};

struct claw_trace_items {
	unsigned int count;
	uint32_t bytes;			/* of all, with their headers */
	unsigned int text_count;
	struct claw_trace_item items[CLAW_TRACE_ITEM_ROOM];
	struct claw_trace_content texts[CLAW_TRACE_TEXTS];
};

/* A parameter's word; its lower bytes come first on every machine that there is
 * a driver for. */
static inline uint64_t claw_trace_word(const void *at, unsigned int width)
{
	uint64_t word = 0;

	if (__builtin_expect(width == 8, 1))
		memcpy(&word, at, 8);
	else if (width == 4)
		memcpy(&word, at, 4);
	else
		memcpy(&word, at, width);
	return word;
}

/* Whose slot keeps a call. */
enum claw_trace_owner {
	CLAW_OWNER_NONE, CLAW_OWNER_MADE, CLAW_OWNER_PROGRAM,
	CLAW_OWNER_KERNEL, CLAW_OWNER_COMMAND_BUFFER,
};

/* Where its times are from. */
enum claw_trace_clock {
	CLAW_CLOCK_READ,	/* both are read */
	CLAW_CLOCK_STEP,	/* neither is: claw_trace_ticks_at(), _step() */
	CLAW_CLOCK_NONE,	/* the same, and no step at its end */
};

struct claw_trace_shape {
	uint8_t words, items;
	uint8_t interest;		/* enum claw_trace_interest */
	int8_t errcode;			/* parameter, or -1 */
	uint8_t clock;			/* enum claw_trace_clock */
	uint8_t owner;			/* enum claw_trace_owner */
	bool makes;			/* handles come out through a pointer */
	bool noted;			/* a success changes what is known */
	bool fills;			/* ... of what is in memory */
	bool placed;			/* where it was called is kept: what makes or
					 * starts something; of others when they fail */
	bool told;			/* it gives the driver a callback to wrap */
	uint8_t widths[CLAW_MAX_PARAMS];
	struct {
		uint8_t param, how, bytes;
		int8_t count;
	} item[CLAW_TRACE_ITEMS];
};

CLAW_HIDDEN void claw_shapes_begin(void);
extern struct claw_trace_shape claw_shapes[CLAW_API_COUNT] CLAW_HIDDEN;
static inline const struct claw_trace_shape *claw_shape_of(enum claw_api api)
{
	return &claw_shapes[api];
}
/* The payload behind that one (NULL: the first) of a record of which so many
 * bytes may be looked at; NULL: that was the last. */
CLAW_HIDDEN struct claw_trace_payload *
claw_payload_next(const struct claw_trace_record *record, uint64_t size,
		  const struct claw_trace_payload *payload);
/* Each content that such a record refers to. */
CLAW_HIDDEN void
claw_record_contents(const struct claw_trace_record *record, uint64_t size,
		     void (*use)(const struct claw_trace_content *content));
/* Bytes of a parameter, if the record has them; else NULL. */
CLAW_HIDDEN const void *
claw_record_bytes(const struct claw_trace_record *record, uint64_t size,
		  unsigned int param, uint32_t bytes);
/* Not within a turn: find what the pointers point at; contents are kept. */
CLAW_HIDDEN void claw_items_find(const struct claw_call *call,
				 const struct claw_trace_shape *shape,
				 struct claw_trace_items *items);
CLAW_HIDDEN void claw_items_add(struct claw_trace_items *items,
				enum claw_payload_kind kind, unsigned int param,
				const void *from, uint32_t bytes,
				uint16_t flags);
CLAW_HIDDEN void claw_items_content(struct claw_trace_items *items,
				    enum claw_payload_kind kind,
				    unsigned int param, uint32_t index,
				    const struct claw_trace_content *content);
CLAW_HIDDEN unsigned char *
claw_items_write(const struct claw_trace_items *items, unsigned char *to);
/* One payload's header; returns where its bytes go. */
CLAW_HIDDEN unsigned char *
claw_payload_write(unsigned char *to, const struct claw_trace_payload *payload);
static inline uint32_t claw_payload_room(uint32_t bytes)
{
	return (uint32_t)sizeof(struct claw_trace_payload) +
	       ((bytes + 7) & ~7u);
}

/* What the call hands over as contents of a memory object. False: nothing.
 * *ret_whole: of all of the object. */
CLAW_HIDDEN bool claw_data_find(const struct claw_call *call,
				unsigned int param,
				struct claw_trace_source *ret_source,
				bool *ret_whole);
/* Is there something to do after a success: mappings, shared memory, what is
 * changed by the call? */
CLAW_HIDDEN bool claw_data_is_changed(enum claw_api api);
CLAW_HIDDEN void claw_data_done(const struct claw_call *call,
				uint64_t position,
				const struct claw_trace_record *record);

/* Read back what a chosen launch is given. */
CLAW_HIDDEN void claw_before_launch(const struct claw_call *call,
				    struct claw_trace_items *items);

/* Callbacks of contexts and events: ours before the program's. */
CLAW_HIDDEN void claw_notify_begin(void);
CLAW_HIDDEN void claw_notify_wrap(struct claw_call *call);
CLAW_HIDDEN void claw_notify_end(struct claw_call *call);

/* Other callbacks, where launches are read back: not within them. */
CLAW_HIDDEN void claw_callbacks_wrap(struct claw_call *call);
CLAW_HIDDEN void claw_callbacks_end(struct claw_call *call);
/* False: the driver may call the program where we do not see it. */
CLAW_HIDDEN bool claw_callbacks_are_known(void);

/* The first record that tells of a lost device. */
CLAW_HIDDEN void claw_trace_pull(uint64_t position);

#endif
