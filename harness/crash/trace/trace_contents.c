/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Contents that records name, each once, by hash and length. Where two say
 * that they are the same, one of them may still know where the bytes are.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "trace_parts.h"

struct list {
	struct claw_trace_content *items;
	size_t count, room;
};

static void add(struct list *list, const struct claw_trace_content *content)
{
	if (list->count == list->room) {
		size_t room = list->room ? list->room * 2 : 64;

		list->items = claw_grow(list->items, room,
					sizeof(*list->items));
		list->room = room;
	}
	list->items[list->count++] = *content;
}

static void gather_record(const struct claw_trace_raw *raw, struct list *list)
{
	const struct claw_trace_payload *payload = NULL;

	while ((payload = claw_raw_next(raw, payload))) {
		struct claw_trace_content content;

		if (payload->kind != CLAW_PAYLOAD_CONTENT &&
		    payload->kind != CLAW_PAYLOAD_TEXTS &&
		    payload->kind != CLAW_PAYLOAD_BEFORE)
			continue;
		for (size_t at = 0; at + sizeof(content) <= payload->bytes;
		     at += sizeof(content)) {
			memcpy(&content, (const char *)(payload + 1) + at,
			       sizeof(content));
			add(list, &content);
		}
	}
}

/* with_records: slots' records that are contents, too. */
static void gather(const struct claw_trace_records *records, bool with_records,
		   struct list *list)
{
	for (size_t i = 0; i < records->count; i++)
		gather_record(&records->list[i], list);
	for (size_t i = 0; i < records->slot_count; i++) {
		const struct claw_trace_slot *slot = records->slots[i].slot;

		if (slot->content.length > 0)
			add(list, &slot->content);
		if (with_records && slot->record.offset != 0)
			add(list, &slot->record);
	}
}

static int compare_to(const uint64_t hash[2], uint64_t length,
		      const uint64_t other_hash[2], uint64_t other_length)
{
	int order = (hash[0] > other_hash[0]) - (hash[0] < other_hash[0]);

	if (order == 0)
		order = (hash[1] > other_hash[1]) - (hash[1] < other_hash[1]);
	return order ? order : (length > other_length) -
			       (length < other_length);
}

/* Those with an offset first. */
static int compare_contents(const void *a, const void *b)
{
	const struct claw_trace_content *first = a, *second = b;
	int order = compare_to(first->hash, first->length, second->hash,
			       second->length);

	return order ? order : (first->offset < second->offset) -
			       (first->offset > second->offset);
}

void claw_trace_contents_list(const struct claw_trace_records *records,
			      bool with_records,
			      struct claw_trace_content **ret_list,
			      size_t *ret_count)
{
	struct list list = { .items = NULL };

	gather(records, with_records, &list);
	if (list.count > 0)
		qsort(list.items, list.count, sizeof(*list.items),
		      compare_contents);
	*ret_list = list.items;
	*ret_count = list.count;
}

int claw_trace_content_compare(const struct claw_trace_content *a,
			       const struct claw_trace_content *b)
{
	return compare_to(a->hash, a->length, b->hash, b->length);
}

void claw_trace_contents_read(const struct claw_trace_input *input,
			      const struct claw_trace_records *records,
			      struct claw_arena *arena,
			      struct claw_trace *trace)
{
	struct claw_trace_content *list;
	struct claw_trace_bytes *last = NULL;
	size_t count;

	claw_trace_contents_list(records, false, &list, &count);
	trace->contents = claw_arena_array(arena, count,
					   sizeof(*trace->contents));
	for (size_t i = 0; i < count; i++) {
		if (i == 0 || claw_trace_content_compare(&list[i - 1],
							 &list[i])) {
			last = &trace->contents[trace->content_count++];
			last->length = list[i].length;
			memcpy(last->hash, list[i].hash, sizeof(last->hash));
		}
		if (!last->bytes && input->find_content)
			last->bytes = input->find_content(&list[i],
						input->content_user);
	}
	free(list);
}

uint32_t claw_trace_contents_find(const struct claw_trace *trace,
				  const struct claw_trace_content *content)
{
	size_t low = 0, high = trace->content_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct claw_trace_bytes *bytes = &trace->contents[middle];
		int order = compare_to(content->hash, content->length,
				       bytes->hash, bytes->length);

		if (order == 0)
			return (uint32_t)middle + 1;
		if (order < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return 0;
}

uint32_t claw_trace_payload_content(const struct claw_trace *trace,
				    const struct claw_trace_payload *payload,
				    uint32_t number)
{
	struct claw_trace_content content;

	memcpy(&content, (const char *)(payload + 1) +
	       number * sizeof(content), sizeof(content));
	return claw_trace_contents_find(trace, &content);
}
