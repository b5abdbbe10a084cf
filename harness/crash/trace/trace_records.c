/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The records of a trace of which nothing is believed: one is intact when its
 * place is the one that it says and its check is right. Behind what is not
 * intact, the next one is looked for.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "harness/files/byte_source.h"
#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "trace_parts.h"

enum {
	ALIGN = 8,
	MAX_SLOT_BYTES = 1 << 20,
};

struct reading {
	const struct claw_trace_input *input;
	const unsigned char *bytes;	/* the input's, aligned */
	struct claw_arena *arena;
	struct claw_trace_records *records;
};

static size_t padded(size_t bytes)
{
	return (bytes + ALIGN - 1) / ALIGN * ALIGN;
}

/* Is that a record, whole, within so many bytes? */
static bool is_record(const struct claw_trace_record *record, size_t room)
{
	return room >= sizeof(*record) && record->bytes <= room &&
		record->bytes % ALIGN == 0 &&
		record->word_count <= CLAW_MAX_PARAMS &&
		record->bytes >= sizeof(*record) + record->word_count * 8u &&
		(record->state == CLAW_TRACE_BEGUN ||
		 record->state == CLAW_TRACE_DONE ||
		 record->state == CLAW_TRACE_BASE) &&
		claw_trace_record_check(record) == record->check;
}

/* Our number for the function of a record; false: we have no such one. */
static bool find_api(const struct reading *reading, uint16_t theirs,
		     enum claw_api *ret_api)
{
	int api = theirs;

	if (theirs == UINT16_MAX) {
		*ret_api = CLAW_API_COUNT;
		return true;
	}
	if (reading->input->find_api)
		api = reading->input->find_api(theirs,
					       reading->input->api_user);
	if (api < 0 || api >= CLAW_API_COUNT)
		return false;
	*ret_api = (enum claw_api)api;
	return true;
}

static void add_base(struct claw_trace_records *records,
		     const struct claw_trace_raw *raw)
{
	const struct claw_trace_payload *same =
		claw_raw_find(raw, CLAW_PAYLOAD_SAME, 1);

	if (raw->kept || !same) {
		records->damaged++;
		return;
	}
	if (records->base_count == records->base_room) {
		size_t room = records->base_room ? records->base_room * 2 : 64;

		records->bases = claw_grow(records->bases, room,
					   sizeof(*records->bases));
		records->base_room = room;
	}
	records->bases[records->base_count++] = (struct claw_trace_raw_base) {
		.raw = *raw, .position = same->value,
	};
}

static void add_record(const struct reading *reading,
		       const struct claw_trace_record *record, bool kept)
{
	struct claw_trace_records *records = reading->records;
	struct claw_trace_raw raw = { .record = record, .kept = kept };

	if (!find_api(reading, record->api, &raw.api)) {
		records->damaged++;
		return;
	}
	if (record->state == CLAW_TRACE_BASE) {
		add_base(records, &raw);
		return;
	}
	if (records->count == records->room) {
		size_t room = records->room ? records->room * 2 : 64;

		records->list = claw_grow(records->list, room,
					  sizeof(*records->list));
		records->room = room;
	}
	records->list[records->count++] = raw;
}

/* ---- the ring */

/* The last position before ring_used that lies at this offset of the ring. */
static uint64_t position_at(const struct claw_trace_header *header,
			    uint64_t offset, bool *ret_known)
{
	uint64_t lap = header->ring_used - header->ring_used %
		header->ring_bytes;

	*ret_known = true;
	if (offset < header->ring_used - lap)
		return lap + offset;
	*ret_known = lap > 0;
	return lap - header->ring_bytes + offset;
}

/*
 * One block: nothing lies across its end.
 *
 * start: its offset in the ring; room: bytes of it that are in the file.
 */
static void scan_block(const struct reading *reading, uint64_t start,
		       size_t room)
{
	struct claw_trace_records *records = reading->records;
	const struct claw_trace_header *header = &records->header;
	/* Where this lap's records end: behind that is the last lap's rest. */
	uint64_t end = header->ring_used % header->ring_bytes;
	bool in_order = true;
	size_t at = 0;

	while (at + ALIGN <= room) {
		const struct claw_trace_record *record =
			(const void *)(reading->bytes + header->ring_offset +
				       start + at);
		bool known;
		uint64_t position = position_at(header, start + at, &known);
		bool is_rest = start + at >= end && start < end;

		if (!known)
			break;
		if (in_order && record->state == CLAW_TRACE_PADDING &&
		    record->bytes % ALIGN == 0)
			break;
		if (room - at >= sizeof(*record) &&
		    record->position == position &&
		    is_record(record, room - at)) {
			add_record(reading, record, false);
			at += record->bytes;
			in_order = true;
			continue;
		}
		if (in_order && !is_rest)
			records->damaged++;
		in_order = false;
		at += ALIGN;
	}
}

static void scan_ring(const struct reading *reading)
{
	struct claw_trace_header *header = &reading->records->header;
	uint64_t size = reading->input->size, room;

	if (header->ring_bytes == 0 || header->ring_used == 0)
		return;
	if (header->ring_offset % ALIGN || header->ring_bytes % ALIGN ||
	    header->ring_offset < sizeof(*header) ||
	    header->ring_offset > size) {
		reading->records->damaged++;
		return;
	}
	room = size - header->ring_offset;
	if (room > header->ring_bytes)
		room = header->ring_bytes;
	else if (room < header->ring_bytes && room < header->ring_used)
		reading->records->damaged++;
	for (uint64_t at = 0; at < room; at += CLAW_TRACE_BLOCK_BYTES) {
		size_t bytes = room - at < CLAW_TRACE_BLOCK_BYTES ?
			(size_t)(room - at) : CLAW_TRACE_BLOCK_BYTES;

		scan_block(reading, at, bytes);
	}
}

/* ---- slots */

/* The record of a slot, behind it or a content; NULL: damaged. */
static const struct claw_trace_record *
slot_record(const struct reading *reading, const struct claw_trace_slot *slot)
{
	const struct claw_trace_content *content = &slot->record;
	const void *bytes = slot + 1;

	if (content->length < sizeof(struct claw_trace_record) ||
	    content->length > CLAW_TRACE_BLOCK_BYTES)
		return NULL;
	if (content->offset == 0 &&
	    content->length > reading->records->header.slot_bytes -
			      sizeof(*slot))
		return NULL;
	if (content->offset != 0) {
		bytes = reading->input->find_content ?
			reading->input->find_content(content,
				reading->input->content_user) : NULL;
		if (bytes && (uintptr_t)bytes % ALIGN)
			bytes = claw_arena_copy(reading->arena, bytes,
						(size_t)content->length);
	}
	return bytes && is_record(bytes, (size_t)content->length) ? bytes : NULL;
}

static void add_slot(const struct reading *reading,
		     const struct claw_trace_slot *slot)
{
	struct claw_trace_records *records = reading->records;
	const struct claw_trace_record *record;

	if (slot->state == CLAW_SLOT_FREE)
		return;
	record = slot->state <= CLAW_SLOT_GONE &&
		slot->check == claw_trace_slot_check(slot) ?
		slot_record(reading, slot) : NULL;
	if (!record) {
		records->damaged++;
		return;
	}
	if (records->slot_count == records->slot_room) {
		size_t room = records->slot_room ? records->slot_room * 2 : 64;

		records->slots = claw_grow(records->slots, room,
					   sizeof(*records->slots));
		records->slot_room = room;
	}
	records->slots[records->slot_count++] = (struct claw_trace_raw_slot) {
		.slot = slot, .position = record->position,
	};
	add_record(reading, record, true);
}

static void scan_slots(const struct reading *reading)
{
	struct claw_trace_header *header = &reading->records->header;
	uint64_t size = reading->input->size, count = header->slot_count;

	if (count == 0)
		return;
	if (header->slots_offset % ALIGN || header->slot_bytes % ALIGN ||
	    header->slot_bytes < sizeof(struct claw_trace_slot) ||
	    header->slot_bytes > MAX_SLOT_BYTES ||
	    header->slots_offset < sizeof(*header) ||
	    header->slots_offset > size) {
		reading->records->damaged++;
		return;
	}
	if (count > (size - header->slots_offset) / header->slot_bytes) {
		count = (size - header->slots_offset) / header->slot_bytes;
		reading->records->damaged++;
	}
	for (uint64_t i = 0; i < count; i++)
		add_slot(reading, (const void *)(reading->bytes +
				header->slots_offset + i * header->slot_bytes));
}

/* ---- order */

static int compare_numbers(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

/* The ring's before a kept one of the same call. */
static int compare_records(const void *a, const void *b)
{
	const struct claw_trace_raw *first = a, *second = b;
	int order = compare_numbers(first->record->position,
				    second->record->position);

	if (order == 0)
		order = first->kept - second->kept;
	return order ? order : compare_numbers((uintptr_t)first->record,
					       (uintptr_t)second->record);
}

static int compare_slots(const void *a, const void *b)
{
	const struct claw_trace_raw_slot *first = a, *second = b;
	int order = compare_numbers(first->position, second->position);

	if (order == 0)
		order = compare_numbers(first->slot->owner,
					second->slot->owner);
	return order ? order : compare_numbers((uintptr_t)first->slot,
					       (uintptr_t)second->slot);
}

static int compare_bases(const void *a, const void *b)
{
	const struct claw_trace_raw_base *first = a, *second = b;
	int order = compare_numbers(first->position, second->position);

	return order ? order :
		compare_numbers(first->raw.record->position,
				second->raw.record->position);
}

/* Calls each once, and kept ones before those of the ring. */
static void sort_records(struct claw_trace_records *records)
{
	struct claw_trace_raw *list = records->list, *sorted;
	size_t count = 0, kept = 0, at;

	if (records->slot_count > 0)
		qsort(records->slots, records->slot_count,
		      sizeof(*records->slots), compare_slots);
	if (records->base_count > 0)
		qsort(records->bases, records->base_count,
		      sizeof(*records->bases), compare_bases);
	if (records->count == 0)
		return;
	qsort(list, records->count, sizeof(*list), compare_records);
	for (size_t i = 0; i < records->count; i++)
		if (count == 0 || list[count - 1].record->position !=
				  list[i].record->position)
			list[count++] = list[i];
	for (size_t i = 0; i < count; i++)
		kept += list[i].kept;
	sorted = claw_malloc(count * sizeof(*sorted));
	records->kept = kept;
	at = 0;
	for (size_t i = 0; i < count; i++)
		sorted[list[i].kept ? at++ : kept++] = list[i];
	free(list);
	records->list = sorted;
	records->count = records->room = count;
}

/* ---- whole traces */

static int read_header(struct reading *reading)
{
	struct claw_trace_header *header = &reading->records->header;
	const struct claw_source source = {
		.fd = -1, .bytes = reading->input->bytes,
		.size = reading->input->size,
	};

	int ret = claw_source_read_head(&source, header, sizeof(*header),
					CLAW_TRACE_MAGIC, CLAW_TRACE_VERSION);

	/* The first version lacks a kind of payload, and that is all. */
	return ret == -CLAW_E_VERSION ?
		claw_source_read_head(&source, header, sizeof(*header),
				      CLAW_TRACE_MAGIC, 1) : ret;
}

int claw_trace_records_read(const struct claw_trace_input *input,
			    struct claw_arena *arena,
			    struct claw_trace_records *ret_records)
{
	struct reading reading = {
		.input = input, .bytes = input->bytes, .arena = arena,
		.records = ret_records,
	};
	int ret;

	memset(ret_records, 0, sizeof(*ret_records));
	if (!input->bytes)
		return -CLAW_E_DAMAGED;
	ret = read_header(&reading);
	if (ret < 0)
		return ret;
	if ((uintptr_t)input->bytes % ALIGN) {
		ret_records->aligned = claw_malloc(input->size);
		memcpy(ret_records->aligned, input->bytes, input->size);
		reading.bytes = ret_records->aligned;
	}
	scan_ring(&reading);
	scan_slots(&reading);
	sort_records(ret_records);
	return 0;
}

void claw_trace_records_release(struct claw_trace_records *records)
{
	free(records->list);
	free(records->slots);
	free(records->bases);
	free(records->aligned);
}

/* ---- payloads */

const struct claw_trace_payload *
claw_raw_next(const struct claw_trace_raw *raw,
	      const struct claw_trace_payload *payload)
{
	const char *record = (const char *)raw->record;
	const char *end = record + raw->record->bytes;
	const char *at = payload ?
		(const char *)(payload + 1) + padded(payload->bytes) :
		record + sizeof(*raw->record) + raw->record->word_count * 8u;
	size_t room = (size_t)(end - at);

	payload = (const void *)at;
	if (room < sizeof(*payload) ||
	    payload->bytes > room - sizeof(*payload) ||
	    padded(payload->bytes) > room - sizeof(*payload) ||
	    payload->kind == 0)
		return NULL;
	return payload;
}

const struct claw_trace_payload *
claw_raw_find(const struct claw_trace_raw *raw, enum claw_payload_kind kind,
	      unsigned int param)
{
	const struct claw_trace_payload *payload = NULL;

	while ((payload = claw_raw_next(raw, payload)))
		if (payload->kind == kind && payload->param == param)
			return payload;
	return NULL;
}
