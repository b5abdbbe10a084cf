/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Slots: records that are kept as long as an object lives, found by its
 * handle. A slot whose owner is gone is free when the ring has forgotten that,
 * too.
 */
#include "config.h"

#include "trace_private.h"

#include <string.h>

enum {
	BUCKETS = 1 << 15,
	ROOM = CLAW_TRACE_SLOT_BYTES - sizeof(struct claw_trace_slot),
	BUILDS = 8,			/* that are kept of one program */
	PARENTS = 16,			/* of parts of parts */
};

/* What the file does not say. */
struct note {
	uint64_t parent;	/* memory that it is a part of, or 0 */
	uint32_t next;		/* in its bucket, or of free or gone ones: index + 1 */
	uint16_t api;
	uint8_t object;		/* enum claw_obj */
	uint8_t first;		/* 1: what made the object */
};

static struct {
	struct note *notes;
	uint32_t *buckets;	/* index + 1 */
	uint32_t fresh, free;
	uint32_t gone_first, gone_last;
	uint32_t gates;		/* user events that are not set */
	uint64_t epoch;		/* of what arguments may be */
} own;

static struct claw_trace_slot *slot_at(uint32_t number)
{
	return (void *)(claw_own_trace.slots +
			(uint64_t)(number - 1) * CLAW_TRACE_SLOT_BYTES);
}

static struct note *note_at(uint32_t number)
{
	return &own.notes[number - 1];
}

static uint32_t *bucket_of(uint64_t owner)
{
	return &own.buckets[claw_entry_mix(owner, 0) >> 32 & (BUCKETS - 1)];
}

/* ---- under the lock */

static void set_state(struct claw_trace_slot *slot, enum claw_slot_state state)
{
	__atomic_store_n(&slot->state, (uint32_t)state, __ATOMIC_RELEASE);
}

/* What its record refers to need not stay for its sake. */
static void drop_contents(const struct claw_trace_slot *slot)
{
	static union {		/* under the lock */
		struct claw_trace_record record;
		unsigned char bytes[CLAW_TRACE_RECORD_MAX];
	} copy;

	claw_contents_drop(&slot->content);
	if (!slot->record.offset) {
		const struct claw_trace_record *record =
			(const void *)(slot + 1);

		if (record->payload_count)
			claw_record_contents(record, ROOM, claw_contents_drop);
		return;
	}
	if (slot->record.length <= sizeof(copy) &&
	    claw_contents_read(slot->record.offset, copy.bytes,
			       slot->record.length))
		claw_record_contents(&copy.record, slot->record.length,
				     claw_contents_drop);
	claw_contents_drop(&slot->record);
}

void claw_slots_expire(void)
{
	while (own.gone_first) {
		uint32_t number = own.gone_first;
		struct claw_trace_slot *slot = slot_at(number);

		if (!claw_ring_forgot(slot->gone_position))
			break;
		own.gone_first = note_at(number)->next;
		set_state(slot, CLAW_SLOT_FREE);
		drop_contents(slot);
		note_at(number)->next = own.free;
		own.free = number;
	}
	if (!own.gone_first)
		own.gone_last = 0;
}

static uint32_t take_slot(void)
{
	uint32_t number;

	if (!own.free && own.fresh < CLAW_TRACE_SLOTS)
		return ++own.fresh;
	if (!own.free)
		claw_slots_expire();
	number = own.free;
	if (number)
		own.free = note_at(number)->next;
	else
		claw_own_trace.header->slots_dropped++;
	return number;
}

/* What may be an argument begins, ends, or is another's. */
static void turn_epoch(const struct note *note)
{
	if (note->object != CLAW_OBJ_EVENT && note->object != CLAW_OBJ_KERNEL &&
	    note->object != CLAW_OBJ_PROGRAM)
		own.epoch++;
}

uint64_t claw_slots_epoch(void)
{
	return own.epoch;
}

/* Out of its bucket, to the end of those that are gone. */
static void end_slot(uint32_t *link)
{
	uint32_t number = *link;
	struct claw_trace_slot *slot = slot_at(number);
	struct note *note = note_at(number);

	*link = note->next;
	note->next = 0;
	if (own.gone_last)
		note_at(own.gone_last)->next = number;
	else
		own.gone_first = number;
	own.gone_last = number;
	turn_epoch(note);
	slot->gone_ticks = claw_trace_last_ticks();
	slot->gone_position = claw_ring_used();
	set_state(slot, CLAW_SLOT_GONE);
}

static bool is_of(uint32_t number, uint64_t owner, enum claw_obj object)
{
	return slot_at(number)->owner == owner &&
	       claw_class_of(note_at(number)->object) == claw_class_of(object);
}

static uint32_t find_first(uint64_t owner)
{
	uint32_t number = *bucket_of(owner);

	while (number && (slot_at(number)->owner != owner ||
			  !note_at(number)->first))
		number = note_at(number)->next;
	return number;
}

static void count_gate(const struct note *note, int more)
{
	if (note->api == CLAW_API_clCreateUserEvent && note->first)
		own.gates += (uint32_t)more;
}

void claw_slots_gone(uint64_t owner, enum claw_obj object)
{
	uint32_t *link = bucket_of(owner);

	while (*link) {
		if (!is_of(*link, owner, object)) {
			link = &note_at(*link)->next;
			continue;
		}
		count_gate(note_at(*link), -1);
		end_slot(link);
	}
}

/* A release that the driver refused: what went last comes back. */
void claw_slots_back(uint64_t owner, enum claw_obj object)
{
	uint32_t last = 0, number = own.gone_first;

	while (number) {
		uint32_t next = note_at(number)->next;
		uint32_t *bucket = bucket_of(owner);

		if (!is_of(number, owner, object) ||
		    slot_at(number)->state != CLAW_SLOT_GONE) {
			last = number;
			number = next;
			continue;
		}
		if (last)
			note_at(last)->next = next;
		else
			own.gone_first = next;
		if (own.gone_last == number)
			own.gone_last = last;
		slot_at(number)->gone_position = 0;
		slot_at(number)->gone_ticks = 0;
		note_at(number)->next = *bucket;
		*bucket = number;
		turn_epoch(note_at(number));
		count_gate(note_at(number), 1);
		set_state(slot_at(number), CLAW_SLOT_LIVE);
		number = next;
	}
}

enum claw_obj claw_slots_find(uint64_t handle)
{
	uint32_t number = handle > CLAW_CLEARED ? find_first(handle) : 0;

	return number ? (enum claw_obj)note_at(number)->object : CLAW_OBJ_NONE;
}

void claw_slots_filled(uint64_t mem, uint64_t position,
		       const struct claw_trace_content *content)
{
	uint32_t number = find_first(mem);
	struct claw_trace_slot *slot;

	if (!number || note_at(number)->object != CLAW_OBJ_MEM)
		return;
	/* Two ways to the same bytes: what is in them is not kept here. */
	if (note_at(number)->parent) {
		claw_slots_changed(mem, position);
		return;
	}
	slot = slot_at(number);
	claw_contents_hold(content);
	claw_contents_drop(&slot->content);
	/* Killed in between it has none, which is nothing wrong. */
	__atomic_store_n(&slot->content_position, 0, __ATOMIC_RELEASE);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	slot->content = *content;
	slot->changed_position = 0;
	own.epoch++;
	__atomic_store_n(&slot->content_position, position, __ATOMIC_RELEASE);
}

/* A description that names what is long gone may name its own object. */
void claw_slots_changed(uint64_t mem, uint64_t position)
{
	for (unsigned int i = 0; mem && i < PARENTS; i++) {
		uint32_t number = find_first(mem);

		if (number && !slot_at(number)->changed_position)
			slot_at(number)->changed_position = position;
		mem = number ? note_at(number)->parent : 0;
	}
}

bool claw_slots_have_gates(void)
{
	return own.gates;
}

void claw_slots_gate_set(uint64_t event)
{
	uint32_t number = find_first(event);

	if (number && note_at(number)->api == CLAW_API_clCreateUserEvent) {
		count_gate(note_at(number), -1);
		note_at(number)->api = 0;
	}
}

/* ---- outside of it */

/* A program that is built again and again keeps the latest builds. */
static void limit_builds(uint64_t owner)
{
	unsigned int count = 0;

	for (uint32_t *link = bucket_of(owner); *link;) {
		struct note *note = note_at(*link);
		bool is_build = slot_at(*link)->owner == owner &&
			!note->first && note->api < CLAW_API_COUNT &&
			claw_api_table[note->api].groups & CLAW_G_BUILD;

		if (is_build && ++count > BUILDS)
			end_slot(link);
		else
			link = &note->next;
	}
}

/* False: others have written over it in the meantime. */
static bool fill(uint32_t number, uint64_t owner,
		 const struct claw_trace_record *record, uint64_t position,
		 const struct claw_trace_content *kept)
{
	struct claw_trace_slot *slot = slot_at(number);

	*slot = (struct claw_trace_slot){ .owner = owner, .record = *kept };
	if (!kept->offset) {
		memcpy(slot + 1, record, kept->length);
		record = (const void *)(slot + 1);
	}
	slot->check = claw_trace_slot_check(slot);
	if (!claw_ring_has(position))
		return false;
	if (record->payload_count)
		claw_record_contents(record, kept->length, claw_contents_hold);
	claw_contents_hold(&slot->record);
	return true;
}

/* A part of a buffer, or an image on one. */
static uint64_t find_parent(const struct claw_trace_record *record)
{
	const uint64_t *words = (const void *)(record + 1);
	const cl_image_desc *desc;
	enum claw_api api = (enum claw_api)record->api;
	int param = claw_api_find_param(api, CLAW_P_IMAGE_DESC);

	if (claw_api_makes_part(api))
		return words[claw_api_find_param(api, CLAW_P_MEM)];
	desc = param < 0 ? NULL :
		claw_record_bytes(record, claw_ring_left(record),
				  (unsigned int)param, sizeof(*desc));
	return desc ? claw_number(desc->mem_object) : 0;
}

/* Bytes of what is in the ring: in a slot, or in the contents. False: neither,
 * or it is no record any more. */
static bool keep_record(const struct claw_trace_record *record,
			uint64_t position, struct claw_trace_content *ret)
{
	uint32_t bytes = record->bytes;

	*ret = (struct claw_trace_content){ .length = bytes };
	if (record->position != position || !claw_ring_has(position) ||
	    bytes > claw_ring_left(record))
		return false;
	return bytes <= ROOM || claw_contents_keep_record(record, bytes, ret);
}

/* Under the lock. */
static bool add(uint64_t owner, enum claw_obj object,
		const struct claw_trace_record *record, uint64_t position,
		const struct claw_trace_content *kept, bool is_first)
{
	uint32_t number = take_slot();
	uint32_t *bucket = bucket_of(owner);
	uint16_t api = record->api;
	struct note *note;

	if (!number)
		return true;	/* that was counted */
	note = note_at(number);
	*note = (struct note){
		.api = api, .object = (uint8_t)object, .first = is_first,
		.parent = find_parent(record),
	};
	if (!fill(number, owner, record, position, kept)) {
		note->next = own.free;
		own.free = number;
		return false;
	}
	note->next = *bucket;
	*bucket = number;
	turn_epoch(note);
	count_gate(note, 1);
	set_state(slot_at(number), CLAW_SLOT_LIVE);
	return true;
}

void claw_slots_add(uint64_t owner, enum claw_obj object,
		    const struct claw_trace_record *record, uint64_t position)
{
	struct claw_trace_content kept;
	uint16_t api = record->api;
	const struct claw_api_info *info = &claw_api_table[api];
	bool is_first, fits;
	enum claw_turn turn;

	if (api >= CLAW_API_COUNT)
		return;
	is_first = (!(info->groups & CLAW_G_BUILD) ||
		    info->effect == CLAW_CREATES) &&
		   (info->effect == CLAW_CREATES ||
		    info->groups & (CLAW_G_CREATE | CLAW_G_QUERY));
	fits = keep_record(record, position, &kept);
	turn = claw_trace_enter();
	if (turn == CLAW_TURN_NONE)
		return;
	if (is_first)		/* somebody who went without a word */
		claw_slots_gone(owner, object);
	if (!fits || !add(owner, object, record, position, &kept, is_first))
		claw_own_trace.header->slots_dropped++;
	else if (!is_first)
		limit_builds(owner);
	claw_trace_leave(turn);
}

void claw_slots_add_words(uint64_t owner, enum claw_obj object,
			  const struct claw_trace_record *record,
			  uint64_t position, unsigned int words)
{
	const uint64_t bytes = sizeof(*record) + words * sizeof(uint64_t);
	enum claw_turn turn = claw_trace_enter();
	uint32_t *bucket = bucket_of(owner);
	struct claw_trace_slot *slot;
	uint32_t number;

	if (turn == CLAW_TURN_NONE)
		return;
	if (*bucket)		/* somebody who went without a word? */
		claw_slots_gone(owner, object);
	number = take_slot();
	if (!number) {
		claw_trace_leave(turn);
		return;
	}
	slot = slot_at(number);
	*slot = (struct claw_trace_slot){
		.owner = owner, .record.length = bytes,
	};
	memcpy(slot + 1, record, bytes);
	slot->check = claw_trace_slot_check(slot);
	*note_at(number) = (struct note){
		.api = record->api, .object = (uint8_t)object, .first = true,
		.next = *bucket,
	};
	if (__builtin_expect(claw_ring_has(position), 1)) {
		*bucket = number;
		own.epoch++;
		set_state(slot, CLAW_SLOT_LIVE);
	} else {		/* others have written over it */
		note_at(number)->next = own.free;
		own.free = number;
		claw_own_trace.header->slots_dropped++;
	}
	claw_trace_leave(turn);
}

/* ---- the process */

bool claw_slots_begin(void)
{
	struct note *notes = own.notes;
	uint32_t *buckets = own.buckets;

	memset(&own, 0, sizeof(own));
	own.notes = claw_trace_memory(notes, CLAW_TRACE_SLOTS * sizeof(*notes));
	own.buckets = claw_trace_memory(buckets, BUCKETS * sizeof(*buckets));
	return own.notes && own.buckets;
}
