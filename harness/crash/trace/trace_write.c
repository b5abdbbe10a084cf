/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Records from calls: the other way round of trace_args.c. Kept calls become
 * slots, and every object that a call made has one, which says what became
 * of it. Each object has a handle of its own, so that no ticks are needed to
 * tell two apart.
 */
#include "config.h"

#include "trace_write.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "trace_handles.h"

enum {
	ALIGN = 8,
	MAX_INLINE_BYTES = 2 << 10,	/* of a payload; longer ones are contents */
	SLOT_BYTES = 512,
	FIRST_BYTES = 4 << 10,
};

/* Bytes that grow. */
struct buffer {
	unsigned char *bytes;
	size_t size, room;
};

struct writing {
	const struct claw_trace *trace;
	int (*take)(const struct claw_trace_bytes *content, void *user);
	void *user;
	struct claw_trace_handles handles;
	struct buffer ring, slots;
	uint64_t *positions;	/* of the calls */
	uint64_t start;		/* of the ring */
	bool orders;		/* ticks are of no use: numbers instead */
	/* The record that is made: never longer than a block. */
	_Alignas(8) unsigned char record[CLAW_TRACE_BLOCK_BYTES];
	size_t used;
	int error;
};

static size_t padded(size_t size)
{
	return (size + ALIGN - 1) / ALIGN * ALIGN;
}

/* Room for size bytes more, all 0. */
static void *extend(struct buffer *buffer, size_t size)
{
	size_t wanted = buffer->size + size, room = buffer->room;
	void *at;

	if (wanted > room) {
		unsigned char *bytes;

		room = room ? room : FIRST_BYTES;
		while (room < wanted)
			room *= 2;
		bytes = claw_grow(buffer->bytes, room, 1);
		buffer->bytes = bytes;
		buffer->room = room;
	}
	at = buffer->bytes + buffer->size;
	memset(at, 0, size);
	buffer->size = wanted;
	return at;
}

/* ---- payloads */

static struct claw_trace_record *record_of(struct writing *writing)
{
	return (struct claw_trace_record *)(void *)writing->record;
}

/* One that has no room is left out: the call is what its words say. */
static void add_payload(struct writing *writing,
			struct claw_trace_payload payload, const void *bytes,
			size_t size)
{
	size_t room = sizeof(writing->record) - writing->used;
	unsigned char *at = writing->record + writing->used;

	if (room < sizeof(payload) || room - sizeof(payload) < padded(size) ||
	    record_of(writing)->payload_count == UINT8_MAX)
		return;
	payload.bytes = (uint32_t)size;
	memcpy(at, &payload, sizeof(payload));
	memset(at + sizeof(payload), 0, padded(size));
	if (size > 0)
		memcpy(at + sizeof(payload), bytes, size);
	writing->used += sizeof(payload) + padded(size);
	record_of(writing)->payload_count++;
}

static struct claw_trace_content content_of(const struct writing *writing,
					    uint32_t number)
{
	struct claw_trace_content content = { .length = 0 };
	const struct claw_trace_bytes *bytes;

	if (number == 0 || number > writing->trace->content_count)
		return content;
	bytes = &writing->trace->contents[number - 1];
	memcpy(content.hash, bytes->hash, sizeof(content.hash));
	content.length = bytes->length;
	content.offset = bytes->bytes != NULL;
	return content;
}

static void add_contents(struct writing *writing, enum claw_payload_kind kind,
			 unsigned int param, const uint32_t *numbers,
			 uint32_t count)
{
	struct claw_trace_content *list = claw_calloc((size_t)count + 1,
						      sizeof(*list));

	for (uint32_t i = 0; i < count; i++)
		list[i] = content_of(writing, numbers[i]);
	add_payload(writing, (struct claw_trace_payload) {
		.kind = (uint8_t)kind, .param = (uint8_t)param,
	}, list, count * sizeof(*list));
	free(list);
}

/* Bytes of a parameter; as a content when there are many. */
static void add_bytes(struct writing *writing, unsigned int param,
		      const void *bytes, size_t size)
{
	struct claw_trace_bytes content = { .length = size, .bytes = bytes };
	struct claw_trace_content named = { .length = size, .offset = 1 };

	if (size <= MAX_INLINE_BYTES) {
		add_payload(writing, (struct claw_trace_payload) {
			.kind = CLAW_PAYLOAD_BYTES, .param = (uint8_t)param,
		}, bytes, size);
		return;
	}
	claw_trace_hash(bytes, size, content.hash);
	memcpy(named.hash, content.hash, sizeof(named.hash));
	add_payload(writing, (struct claw_trace_payload) {
		.kind = CLAW_PAYLOAD_CONTENT, .param = (uint8_t)param,
	}, &named, sizeof(named));
	if (writing->error == 0 && writing->take)
		writing->error = writing->take(&content, writing->user);
}

/* Words of which some are objects' handles: those, as they are named here. */
static void add_words(struct writing *writing, unsigned int param,
		      enum claw_payload_kind kind,
		      const struct claw_trace_arg *arg)
{
	uint64_t *words = claw_calloc((size_t)arg->count + 1, sizeof(*words));

	for (uint32_t i = 0; i < arg->count; i++) {
		if (arg->bytes && arg->size >= (i + 1) * sizeof(*words))
			memcpy(&words[i], (const char *)arg->bytes +
			       i * sizeof(*words), sizeof(*words));
		if (arg->objects && arg->objects[i])
			words[i] = claw_trace_handles_get(&writing->handles,
							  arg->objects[i],
							  words[i]);
	}
	if (kind == CLAW_PAYLOAD_BYTES)
		add_bytes(writing, param, words, arg->count * sizeof(*words));
	else
		add_payload(writing, (struct claw_trace_payload) {
			.kind = (uint8_t)kind, .param = (uint8_t)param,
		}, words, arg->count * sizeof(*words));
	free(words);
}

/* Bytes that hold one handle somewhere. */
static void add_inner(struct writing *writing, unsigned int param,
		      const struct claw_trace_arg *arg)
{
	const struct claw_trace_object *object =
		claw_trace_object_get(writing->trace, arg->objects[0]);
	uint64_t handle, word;
	unsigned char *copy = claw_malloc(arg->size + 1);

	memcpy(copy, arg->bytes, arg->size);
	for (size_t at = 0; object && at + 8 <= arg->size; at += 8) {
		memcpy(&word, copy + at, sizeof(word));
		handle = claw_trace_handles_get(&writing->handles,
						arg->objects[0], word);
		if (word == object->handle)
			memcpy(copy + at, &handle, sizeof(handle));
	}
	add_bytes(writing, param, copy, arg->size);
	free(copy);
}

static void add_arg(struct writing *writing, unsigned int param,
		    const struct claw_trace_arg *arg)
{
	switch (arg->kind) {
	case CLAW_ARG_OBJECTS:
	case CLAW_ARG_PROPERTIES:
		if (arg->objects)
			add_words(writing, param, CLAW_PAYLOAD_BYTES, arg);
		else if (arg->bytes)
			add_bytes(writing, param, arg->bytes, arg->size);
		break;
	case CLAW_ARG_MADE:
		if (arg->objects)
			add_words(writing, param, CLAW_PAYLOAD_MADE, arg);
		break;
	case CLAW_ARG_CONTENT:
	case CLAW_ARG_MAPPED:
	case CLAW_ARG_SVM:
		if (arg->contents && arg->count > 0 && arg->contents[0])
			add_contents(writing, CLAW_PAYLOAD_CONTENT, param,
				     arg->contents, 1);
		break;
	case CLAW_ARG_TEXTS:
		if (arg->contents)
			add_contents(writing, CLAW_PAYLOAD_TEXTS, param,
				     arg->contents, arg->count);
		break;
	case CLAW_ARG_BYTES:
	case CLAW_ARG_LENGTHS:
	case CLAW_ARG_OBJECT:	/* an asynchronous record's text */
		if (!arg->bytes)
			break;
		if (arg->objects && arg->kind == CLAW_ARG_BYTES &&
		    arg->count == arg->size / 8 && arg->size % 8 == 0)
			add_words(writing, param, CLAW_PAYLOAD_BYTES, arg);
		else if (arg->objects && arg->kind == CLAW_ARG_BYTES)
			add_inner(writing, param, arg);
		else
			add_bytes(writing, param, arg->bytes, arg->size);
		break;
	case CLAW_ARG_WORD: case CLAW_ARG_NULL: case CLAW_ARG_OUT:
	case CLAW_ARG_ERRCODE: case CLAW_ARG_CALLBACK: case CLAW_ARG_USER_DATA:
		break;
	}
}

static unsigned int handle_flag(const struct writing *writing,
				const struct claw_trace_kernel_arg *arg)
{
	const struct claw_trace_object *object =
		claw_trace_object_get(writing->trace, arg->object);

	if (arg->is_local)
		return CLAW_PAYLOAD_IS_LOCAL;
	if (arg->is_svm)
		return CLAW_PAYLOAD_IS_SVM;
	if (arg->is_null || (object && object->type == CLAW_OBJ_MEM))
		return CLAW_PAYLOAD_IS_MEM;
	return object ? CLAW_PAYLOAD_IS_HANDLE : 0;
}

static void add_kernel_arg(struct writing *writing,
			   const struct claw_trace_kernel_arg *arg)
{
	struct claw_trace_payload payload = {
		.kind = CLAW_PAYLOAD_ARGUMENT, .index = arg->index,
		.value = arg->size,
		.flags = (uint16_t)handle_flag(writing, arg),
	};
	uint64_t handle = 0;
	const void *bytes = arg->value;
	size_t size = arg->value ? (size_t)arg->size : 0;

	if (arg->object)
		handle = claw_trace_handles_get(&writing->handles, arg->object,
						0) + arg->offset;
	if (arg->object || arg->is_null) {
		bytes = &handle;
		size = sizeof(handle);
	} else if (!arg->value && !arg->is_local) {
		payload.flags |= CLAW_PAYLOAD_CUT;
	}
	add_payload(writing, payload, bytes, size);
	if (arg->before) {
		struct claw_trace_content content =
			content_of(writing, arg->before);

		add_payload(writing, (struct claw_trace_payload) {
			.kind = CLAW_PAYLOAD_BEFORE, .index = arg->index,
		}, &content, sizeof(content));
	}
}

/* ---- records */

static uint64_t word_of(const struct writing *writing,
			const struct claw_trace_arg *arg)
{
	claw_object_id id = arg->objects && arg->count > 0 ?
		arg->objects[0] : 0;

	switch (arg->kind) {
	case CLAW_ARG_NULL:
		return 0;
	case CLAW_ARG_OBJECT:
		return id ? claw_trace_handles_get(&writing->handles, id,
						   arg->word) : arg->word;
	case CLAW_ARG_MAPPED:
	case CLAW_ARG_SVM:
		return id ? claw_trace_handles_get(&writing->handles, id, 0) +
			    arg->word : arg->word;
	case CLAW_ARG_WORD:
		return arg->word;
	default:
		return arg->word ? arg->word : 1;	/* not NULL */
	}
}

static void set_ticks(const struct writing *writing, uint32_t index,
		      struct claw_trace_record *record)
{
	const struct claw_trace_call *call = &writing->trace->calls[index];

	record->ticks = writing->orders ? index * 2 + 1ull :
		call->begin_ticks;
	if (call->returned)
		record->end_ticks = writing->orders ? index * 2 + 2ull :
			call->end_ticks;
}

static void begin_record(struct writing *writing, uint32_t index)
{
	const struct claw_trace_call *call = &writing->trace->calls[index];
	struct claw_trace_record *record = record_of(writing);

	*record = (struct claw_trace_record) {
		.state = call->returned ? CLAW_TRACE_DONE : CLAW_TRACE_BEGUN,
		.api = call->api == CLAW_API_COUNT ? UINT16_MAX :
			(uint16_t)call->api,
		.ordinal = call->ordinal, .thread = call->thread,
		.result = call->result, .site = call->site,
		.flags = call->flags, .rule = call->rule,
		.fault = call->fault, .word_count = (uint8_t)call->arg_count,
	};
	set_ticks(writing, index, record);
	if (call->made)
		record->handle = claw_trace_handles_get(&writing->handles,
							call->made, 0);
	writing->used = sizeof(*record) + call->arg_count * 8u;
	for (uint32_t i = 0; i < call->arg_count; i++) {
		uint64_t word = word_of(writing, &call->args[i]);

		memcpy(writing->record + sizeof(*record) + i * 8u, &word,
		       sizeof(word));
	}
	if (call->api == CLAW_API_COUNT)
		memcpy(&record->handle, record + 1, sizeof(record->handle));
}

/* All of a call but its position and check. */
static void make_record(struct writing *writing, uint32_t index)
{
	const struct claw_trace_call *call = &writing->trace->calls[index];

	begin_record(writing, index);
	for (uint32_t i = 0; i < call->arg_count; i++)
		add_arg(writing, i, &call->args[i]);
	for (uint32_t i = 0; i < call->kernel_arg_count; i++)
		add_kernel_arg(writing, &call->kernel_args[i]);
	record_of(writing)->bytes = (uint32_t)writing->used;
}

static void add_padding(struct writing *writing, size_t bytes)
{
	struct claw_trace_record *record = extend(&writing->ring, bytes);

	record->bytes = (uint32_t)bytes;
	record->state = CLAW_TRACE_PADDING;
}

static void write_ring_record(struct writing *writing, uint32_t index)
{
	size_t left = CLAW_TRACE_BLOCK_BYTES -
		writing->ring.size % CLAW_TRACE_BLOCK_BYTES;
	void *at;

	if (writing->used > left)
		add_padding(writing, left);
	writing->positions[index] = writing->ring.size;
	at = extend(&writing->ring, writing->used);
	memcpy(at, writing->record, writing->used);
}

/*
 * Records know where they lie: say that the ring has gone round, and is behind
 * all positions of kept calls.
 */
static void place_ring(struct writing *writing)
{
	const struct claw_trace *trace = writing->trace;
	uint64_t least = (trace->call_count + 2ull) * ALIGN;

	if (writing->ring.size == 0)
		return;
	writing->start = (least / writing->ring.size + 1) * writing->ring.size;
	for (uint32_t i = 0; i < trace->call_count; i++) {
		struct claw_trace_record *record = (void *)
			(writing->ring.bytes + writing->positions[i]);

		if (trace->calls[i].kept)
			continue;
		writing->positions[i] += writing->start;
		record->position = writing->positions[i];
		record->check = claw_trace_record_check(record);
	}
}

/* ---- slots */

static void set_life(const struct writing *writing,
		     const struct claw_trace_object *object,
		     struct claw_trace_slot *slot)
{
	const struct claw_trace_call *end;

	slot->state = CLAW_SLOT_LIVE;
	if (!object || !object->gone_by)
		return;
	end = &writing->trace->calls[object->gone_by - 1];
	slot->state = CLAW_SLOT_GONE;
	/* Of exactly that call (doc/dump-format.md). */
	slot->gone_position = writing->positions[object->gone_by - 1] + 1;
	slot->gone_ticks = writing->orders ? object->gone_by * 2ull - 1 :
		end->begin_ticks;
}

static void set_content(const struct writing *writing,
			const struct claw_trace_object *object,
			struct claw_trace_slot *slot)
{
	if (!object)
		return;
	slot->content = content_of(writing, object->first_content);
	if (slot->content.length > 0)
		slot->content_position = ALIGN;
	if (object->first_content_lost)
		slot->changed_position = ALIGN;
}

/* The record that was made, or only its header, for an object of this handle
 * (NULL: none; a build). */
static int add_slot(struct writing *writing, uint64_t owner,
		    const struct claw_trace_object *object)
{
	struct claw_trace_slot *slot = extend(&writing->slots, SLOT_BYTES);
	struct claw_trace_bytes content = {
		.length = writing->used, .bytes = writing->record,
	};

	slot->owner = owner;
	set_life(writing, object, slot);
	set_content(writing, object, slot);
	slot->record.length = writing->used;
	if (writing->used <= SLOT_BYTES - sizeof(*slot)) {
		memcpy(slot + 1, writing->record, writing->used);
	} else {
		claw_trace_hash(content.bytes, content.length, content.hash);
		memcpy(slot->record.hash, content.hash, sizeof(content.hash));
		slot->record.offset = 1;
		if (writing->take)
			writing->error = writing->take(&content, writing->user);
	}
	slot->check = claw_trace_slot_check(slot);
	return writing->error;
}

/* Of a call in the ring: who made it is enough. */
static void cut_record(struct writing *writing)
{
	struct claw_trace_record *record = record_of(writing);

	writing->used = sizeof(*record);
	record->bytes = sizeof(*record);
	record->word_count = record->payload_count = 0;
	record->check = claw_trace_record_check(record);
}

static int write_slot(struct writing *writing, uint32_t index,
		      claw_object_id id)
{
	const struct claw_trace_object *object =
		claw_trace_object_get(writing->trace, id);

	return object && object->made_by == index + 1 ?
		add_slot(writing, claw_trace_handles_get(&writing->handles, id,
							 0), object) : 0;
}

/* A call's slots: one an object that it made; a kept one's at least one. */
static int write_slots(struct writing *writing, uint32_t index)
{
	const struct claw_trace_call *call = &writing->trace->calls[index];
	size_t before = writing->slots.size;
	int ret;

	make_record(writing, index);
	record_of(writing)->position = writing->positions[index];
	record_of(writing)->check = claw_trace_record_check(record_of(writing));
	if (!call->kept)
		cut_record(writing);
	ret = write_slot(writing, index, call->made);
	for (uint32_t i = 0; ret == 0 && i < call->arg_count; i++) {
		const struct claw_trace_arg *arg = &call->args[i];

		for (uint32_t n = 0; ret == 0 && arg->kind == CLAW_ARG_MADE &&
		     arg->objects && n < arg->count; n++)
			ret = write_slot(writing, index, arg->objects[n]);
	}
	if (ret == 0 && call->kept && writing->slots.size == before)
		ret = add_slot(writing, 0, NULL);
	return ret;
}

/* ---- whole traces */

/* Are ticks in the order in which calls were entered, as far as can be seen? */
static bool has_ticks(const struct claw_trace *trace)
{
	for (uint32_t i = 0; i < trace->call_count; i++) {
		const struct claw_trace_call *call = &trace->calls[i];

		if (call->begin_ticks == 0 ||
		    (call->returned && call->end_ticks < call->begin_ticks))
			return false;
	}
	return true;
}

/* Objects without a beginning that are no devices: something was dropped. */
static bool has_older(const struct claw_trace *trace)
{
	for (uint32_t i = 0; i < trace->object_count; i++)
		if (!trace->objects[i].made_by &&
		    trace->objects[i].type != CLAW_OBJ_DEVICE &&
		    trace->objects[i].type != CLAW_OBJ_PLATFORM)
			return true;
	return false;
}

static int write_calls(struct writing *writing)
{
	const struct claw_trace *trace = writing->trace;
	int ret = 0;

	for (uint32_t i = 0; ret == 0 && i < trace->call_count; i++) {
		make_record(writing, i);
		ret = writing->error;
		if (trace->calls[i].kept)
			writing->positions[i] = (i + 2ull) * ALIGN;
		else if (ret == 0)
			write_ring_record(writing, i);
	}
	place_ring(writing);
	for (uint32_t i = 0; ret == 0 && i < trace->call_count; i++)
		ret = write_slots(writing, i);
	return ret ? ret : writing->error;
}

/* The ring has gone round once, so that no position in it is 0. */
static struct claw_trace_header make_header(const struct writing *writing)
{
	const struct claw_trace *trace = writing->trace;
	struct claw_trace_header header = {
		.version = CLAW_TRACE_VERSION, .header_bytes = sizeof(header),
		.endian = CLAW_JOURNAL_ENDIAN,
		.buffers = (uint32_t)trace->buffers,
		.redacted = trace->redacted,
		.slots_offset = sizeof(header),
		.slot_count = (uint32_t)(writing->slots.size / SLOT_BYTES),
		.slot_bytes = SLOT_BYTES,
		.slots_dropped = has_older(trace),
		.contents_lost = trace->contents_lost,
	};

	memcpy(header.magic, CLAW_TRACE_MAGIC, sizeof(header.magic));
	memcpy(header.unread, trace->unread, sizeof(header.unread));
	header.ring_offset = header.slots_offset + writing->slots.size;
	header.ring_bytes = writing->ring.size;
	header.ring_used = writing->start + writing->ring.size;
	header.file_bytes = header.ring_offset + writing->ring.size;
	for (uint32_t i = 0; i < trace->call_count; i++)
		header.calls += !trace->calls[i].kept;
	header.calls += trace->forgotten;
	if (trace->trigger && !trace->calls[trace->trigger - 1].kept)
		header.trigger_position = writing->positions[trace->trigger - 1];
	return header;
}

static void put_together(const struct writing *writing, void **ret_bytes,
			 size_t *ret_size)
{
	struct claw_trace_header header = make_header(writing);
	unsigned char *bytes = claw_malloc((size_t)header.file_bytes);

	memcpy(bytes, &header, sizeof(header));
	if (writing->slots.size > 0)
		memcpy(bytes + header.slots_offset, writing->slots.bytes,
		       writing->slots.size);
	if (writing->ring.size > 0)
		memcpy(bytes + header.ring_offset, writing->ring.bytes,
		       writing->ring.size);
	*ret_bytes = bytes;
	*ret_size = (size_t)header.file_bytes;
}

int claw_trace_write_memory(const struct claw_trace *trace,
			    int (*take)(const struct claw_trace_bytes *content,
					void *user),
			    void *user, void **ret_bytes, size_t *ret_size)
{
	struct writing *writing = claw_calloc(1, sizeof(*writing));
	int ret;

	writing->trace = trace;
	writing->take = take;
	writing->user = user;
	writing->orders = !has_ticks(trace);
	writing->positions = claw_calloc((size_t)trace->call_count + 1,
					 sizeof(*writing->positions));
	claw_trace_handles_init(&writing->handles, trace, writing->orders);
	ret = write_calls(writing);
	if (ret == 0)
		put_together(writing, ret_bytes, ret_size);
	claw_trace_handles_release(&writing->handles);
	free(writing->positions);
	free(writing->ring.bytes);
	free(writing->slots.bytes);
	free(writing);
	return ret;
}
