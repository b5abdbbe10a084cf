/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a call's pointers point at, worked out once a function from what its
 * parameters hold (api_sig.h).
 */
#include "config.h"

#include "trace_private.h"

#include <string.h>

enum {
	BYTES_MAX = 4096,	/* of a payload; longer ones are contents */
	COLOR_BYTES = 16,
	PROPERTIES_MAX = 64,	/* words */
	TEXT_MAX = 64 << 20,
};

struct claw_trace_shape claw_shapes[CLAW_API_COUNT] CLAW_HIDDEN;
static bool shapes_known;

/* Is what the parameter holds a part of the record? */
static bool is_item(enum claw_api api, unsigned int param)
{
	switch ((enum claw_holds)claw_api_table[api].holds[param]) {
	case CLAW_HOLDS_WORD: case CLAW_HOLDS_OBJECT:
	case CLAW_HOLDS_WORD_POINTER: case CLAW_HOLDS_IN:
	case CLAW_HOLDS_LENGTHS: case CLAW_HOLDS_DATA_OUT:
	case CLAW_HOLDS_SVM: case CLAW_HOLDS_VALUE_OUT: case CLAW_HOLDS_OUT:
	case CLAW_HOLDS_OUT_LIST: case CLAW_HOLDS_ERRCODE:
	case CLAW_HOLDS_NOTIFY: case CLAW_HOLDS_USER_DATA:
		return false;
	default:
		return true;
	}
}

static enum claw_trace_interest find_interest(enum claw_api api)
{
	if (api == CLAW_API_clGetExtensionFunctionAddress ||
	    api == CLAW_API_clGetExtensionFunctionAddressForPlatform)
		return CLAW_TRACE_NOTHING;
	return claw_api_table[api].groups & CLAW_G_QUERY ? CLAW_TRACE_RESULTS :
		CLAW_TRACE_CALLS;
}

/* Retains and releases are for the ledger to say. */
static bool is_noted(enum claw_api api)
{
	const struct claw_api_info *info = &claw_api_table[api];

	return info->effect == CLAW_CREATES ||
	       info->groups & (CLAW_G_CREATE | CLAW_G_BUILD | CLAW_G_ENQUEUE) ||
	       (info->effect == CLAW_NOTHING &&
		!(info->groups & (CLAW_G_SYNC | CLAW_G_QUERY)));
}

static enum claw_trace_clock find_clock(enum claw_api api)
{
	const struct claw_api_info *info = &claw_api_table[api];

	if (claw_api_is_launch(api))
		return CLAW_CLOCK_STEP;
	switch (info->effect) {
	case CLAW_RETAINS: case CLAW_RELEASES:
		return CLAW_CLOCK_NONE;
	case CLAW_CREATES:
		return info->object == CLAW_OBJ_MEM ||
		       info->object == CLAW_OBJ_KERNEL ||
		       info->object == CLAW_OBJ_SAMPLER ||
		       info->object == CLAW_OBJ_EVENT ? CLAW_CLOCK_STEP :
			CLAW_CLOCK_READ;
	case CLAW_NOTHING:
		break;
	}
	return api == CLAW_API_clSetKernelArg ? CLAW_CLOCK_NONE :
		CLAW_CLOCK_READ;
}

static enum claw_trace_owner find_owner(enum claw_api api)
{
	const struct claw_api_info *info = &claw_api_table[api];

	if (info->effect == CLAW_CREATES)
		return CLAW_OWNER_MADE;
	if (info->groups & CLAW_G_BUILD ||
	    api == CLAW_API_clSetProgramSpecializationConstant)
		return CLAW_OWNER_PROGRAM;
	if (api == CLAW_API_clSetKernelExecInfo)
		return CLAW_OWNER_KERNEL;
	if (!strncmp(info->name, "clCommand", 9) ||
	    !strncmp(info->name, "clFinalizeCommand", 17))
		return CLAW_OWNER_COMMAND_BUFFER;
	return CLAW_OWNER_NONE;
}

static void learn(enum claw_api api)
{
	const struct claw_api_info *info = &claw_api_table[api];
	struct claw_trace_shape *shape = &claw_shapes[api];

	shape->words = info->param_count;
	shape->interest = (uint8_t)find_interest(api);
	shape->errcode = (int8_t)claw_api_find_param(api, CLAW_P_ERRCODE);
	shape->noted = is_noted(api);
	shape->placed = claw_api_is_launch(api) ||
		info->effect == CLAW_CREATES || info->groups & CLAW_G_BUILD;
	shape->told = claw_api_find_param(api, CLAW_P_NOTIFY) >= 0;
	shape->clock = (uint8_t)find_clock(api);
	shape->owner = (uint8_t)find_owner(api);
	shape->fills = claw_data_is_changed(api);
	for (unsigned int i = 0; i < info->param_count; i++) {
		shape->widths[i] = info->holds[i] == CLAW_HOLDS_WORD ?
			info->bytes[i] : sizeof(void *);
		if (!is_item(api, i))
			continue;
		shape->makes |= info->holds[i] == CLAW_HOLDS_OBJECTS_OUT;
		shape->item[shape->items].param = (uint8_t)i;
		shape->item[shape->items].how = info->holds[i];
		shape->item[shape->items].bytes = info->bytes[i];
		shape->item[shape->items++].count = info->counts[i];
	}
}

void claw_shapes_begin(void)
{
	for (unsigned int i = 0; !shapes_known && i < CLAW_API_COUNT; i++)
		learn((enum claw_api)i);
	shapes_known = true;
}

/* ---- items */

void claw_items_add(struct claw_trace_items *items,
		    enum claw_payload_kind kind, unsigned int param,
		    const void *from, uint32_t bytes, uint16_t flags)
{
	struct claw_trace_item *item = &items->items[items->count];

	if (items->count == CLAW_TRACE_ITEM_ROOM) {
		claw_contents_lose();
		return;
	}
	items->count++;
	item->kind = (uint8_t)kind;
	item->param = (uint8_t)param;
	item->flags = flags;
	item->bytes = bytes;
	item->index = 0;
	item->from = from;
	items->bytes += claw_payload_room(bytes);
}

void claw_items_content(struct claw_trace_items *items,
			enum claw_payload_kind kind, unsigned int param,
			uint32_t index,
			const struct claw_trace_content *content)
{
	unsigned int i = items->count;

	claw_items_add(items, kind, param, NULL, sizeof(*content), 0);
	if (items->count == i)
		return;
	items->items[i].content = *content;
	items->items[i].index = index;
}

static uint64_t read_word(const struct claw_call *call,
			  const struct claw_trace_shape *shape, unsigned int i)
{
	return claw_trace_word(call->args[i], shape->widths[i]);
}

/* Bytes that are there, or else none. */
static void add_bytes(struct claw_trace_items *items, unsigned int param,
		      const void *from, uint64_t bytes)
{
	struct claw_trace_source source = claw_source_plain(from, bytes);
	struct claw_trace_content content;

	if (bytes <= BYTES_MAX)
		claw_items_add(items, CLAW_PAYLOAD_BYTES, param, from,
			       (uint32_t)bytes, 0);
	else if (bytes < UINT32_MAX && claw_contents_keep(&source, &content))
		claw_items_content(items, CLAW_PAYLOAD_CONTENT, param, 0,
				   &content);
}

/* Of a redacted trace: nothing but how long it is. */
static void add_secret(struct claw_trace_items *items, unsigned int param,
		       const void *from, uint64_t bytes)
{
	struct claw_trace_source source = claw_source_plain(from, bytes);
	struct claw_trace_content content;

	if (!claw_own_trace.config.redact)
		add_bytes(items, param, from, bytes);
	else if (claw_contents_hash(&source, &content))
		claw_items_content(items, CLAW_PAYLOAD_CONTENT, param, 0,
				   &content);
}

static uint64_t property_bytes(const uint64_t *words, bool is_partition)
{
	unsigned int i = 0;

	while (i + 1 < PROPERTIES_MAX) {
		uint64_t key;

		if (!claw_source_copy(&key, words + i, sizeof(key)))
			return 0;
		i++;
		if (!key)
			break;
		/* CL_DEVICE_PARTITION_BY_COUNTS, ..._EXT, ..._BY_NAMES_EXT,
		 * CL_DEVICE_HANDLE_LIST_KHR */
		if ((is_partition && (key == 0x1087 || key == 0x4051 ||
				      key == 0x4052)) || key == 0x2051)
			while (i < PROPERTIES_MAX && words[i] &&
			       words[i] != UINT64_MAX)
				i++;
		i++;
	}
	return i * sizeof(*words);
}

static void add_text(struct claw_trace_items *items, unsigned int param,
		     const char *text, bool is_secret)
{
	uint64_t length = claw_source_text(text, TEXT_MAX);

	if (length == UINT64_MAX)
		return;
	if (is_secret)
		add_secret(items, param, text, length + 1);
	else
		add_bytes(items, param, text, length + 1);
}

/* ---- texts */

struct list {
	const char *const *texts;
	const size_t *lengths;		/* NULL, or 0: up to the NUL */
	uint64_t count;
};

static bool text_at(const struct list *list, uint64_t i, const char **ret_text,
		    uint64_t *ret_length)
{
	*ret_text = list->texts[i];
	*ret_length = list->lengths ? list->lengths[i] : 0;
	if (!*ret_text)
		return false;
	if (!*ret_length)
		*ret_length = claw_source_text(*ret_text, TEXT_MAX);
	return *ret_length != UINT64_MAX;
}

/* All of them behind each other. */
static bool read_texts(void *user, uint64_t offset, void *to, uint64_t bytes)
{
	const struct list *list = user;
	unsigned char *at = to;

	for (uint64_t i = 0; i < list->count && bytes; i++) {
		const char *text;
		uint64_t length, piece;

		if (!text_at(list, i, &text, &length))
			return false;
		if (offset >= length) {
			offset -= length;
			continue;
		}
		piece = length - offset < bytes ? length - offset : bytes;
		if (!claw_source_copy(at, text + offset, piece))
			return false;
		at += piece;
		bytes -= piece;
		offset = 0;
	}
	return !bytes;
}

static bool keep_all(struct list *list, struct claw_trace_content *content)
{
	struct claw_trace_source source = claw_source_plain(NULL, 0);

	for (uint64_t i = 0; i < list->count; i++) {
		const char *text;
		uint64_t length;

		if (!text_at(list, i, &text, &length))
			return false;
		source.row_bytes += length;
	}
	source.read = read_texts;
	source.user = list;
	return claw_contents_keep(&source, content);
}

static void add_texts(struct claw_trace_items *items, unsigned int param,
		      struct list *list, bool may_join)
{
	unsigned int first = items->text_count;

	if (!list->texts || !list->count)
		return;
	if (list->count > CLAW_TRACE_TEXTS - first) {
		if (!may_join || first == CLAW_TRACE_TEXTS ||
		    !keep_all(list, &items->texts[first]))
			return;
		items->text_count++;
	} else {
		for (uint64_t i = 0; i < list->count; i++) {
			struct claw_trace_content *content =
				&items->texts[items->text_count++];
			struct claw_trace_source source;
			const char *text;
			uint64_t length;

			memset(content, 0, sizeof(*content));
			if (!text_at(list, i, &text, &length))
				continue;
			source = claw_source_plain(text, length);
			claw_contents_keep(&source, content);
		}
	}
	claw_items_add(items, CLAW_PAYLOAD_TEXTS, param, &items->texts[first],
		       (items->text_count - first) *
		       (uint32_t)sizeof(*items->texts), 0);
}

/* ---- a call's */

static void add_data(const struct claw_call *call,
		     struct claw_trace_items *items, unsigned int param)
{
	struct claw_trace_content content = { .offset = 0 };
	struct claw_trace_source source;
	bool whole;

	if (!claw_data_find(call, param, &source, &whole) ||
	    !claw_source_bytes(&source))
		return;
	if (claw_own_trace.config.buffers == CLAW_CAPTURE_NONE)
		content.length = claw_source_bytes(&source);
	else if (!claw_contents_keep(&source, &content))
		return;
	claw_items_content(items, CLAW_PAYLOAD_CONTENT, param, 0, &content);
}

static void add_value(struct claw_trace_items *items, unsigned int param,
		      const void *from, uint64_t bytes)
{
	if (claw_own_trace.config.redact && bytes)
		claw_items_add(items, CLAW_PAYLOAD_BYTES, param, from, 0,
			       CLAW_PAYLOAD_CUT);
	else
		add_bytes(items, param, from, bytes);
}

/* What the parameter says that has the count; 1: there is none. */
static uint64_t count_of(const struct claw_call *call,
			 const struct claw_trace_shape *shape, unsigned int i)
{
	return shape->item[i].count < 0 ? 1 :
		read_word(call, shape, (unsigned int)shape->item[i].count);
}

static void add_sources(const struct claw_call *call,
			const struct claw_trace_shape *shape,
			struct claw_trace_items *items, unsigned int i)
{
	unsigned int param = shape->item[i].param;
	enum claw_holds how = (enum claw_holds)shape->item[i].how;
	struct list list = {
		.texts = CLAW_ARG_AT(call, char const *const *, param),
		.lengths = how == CLAW_HOLDS_SOURCES ?
			CLAW_ARG_AT(call, size_t *, param + 1) :
			how == CLAW_HOLDS_BINARIES ?
			CLAW_ARG_AT(call, size_t *, param - 1) : NULL,
		.count = count_of(call, shape, i),
	};

	if (list.count < UINT16_MAX)
		add_texts(items, param, &list, how == CLAW_HOLDS_SOURCES);
}

static void add_item(const struct claw_call *call,
		     const struct claw_trace_shape *shape,
		     struct claw_trace_items *items, unsigned int i)
{
	unsigned int param = shape->item[i].param;
	const void *at = (const void *)(uintptr_t)read_word(call, shape, param);
	uint64_t count = count_of(call, shape, i);
	struct claw_trace_source source;
	struct claw_trace_content content;

	switch ((enum claw_holds)shape->item[i].how) {
	case CLAW_HOLDS_OBJECTS: case CLAW_HOLDS_LIST:
	case CLAW_HOLDS_SVM_LIST:
		if (count && count < UINT16_MAX)
			add_bytes(items, param, at, count * sizeof(void *));
		break;
	case CLAW_HOLDS_SIZES:
		add_bytes(items, param, at, 3 * sizeof(size_t));
		break;
	case CLAW_HOLDS_DIMENSIONS:
		add_bytes(items, param, at,
			  (count < 3 ? count : 3) * sizeof(size_t));
		break;
	case CLAW_HOLDS_FIXED:
		add_bytes(items, param, at, shape->item[i].bytes);
		break;
	case CLAW_HOLDS_VALUE:
		add_value(items, param, at, count);
		break;
	case CLAW_HOLDS_COLOR:
		add_value(items, param, at, COLOR_BYTES);
		break;
	case CLAW_HOLDS_POINTERS:
		add_bytes(items, param, at, count);
		break;
	case CLAW_HOLDS_PROPERTIES: case CLAW_HOLDS_PARTITION:
		add_bytes(items, param, at, property_bytes(at,
			(enum claw_holds)shape->item[i].how == CLAW_HOLDS_PARTITION));
		break;
	case CLAW_HOLDS_TEXT:
		add_text(items, param, at, true);
		break;
	case CLAW_HOLDS_NAME:
		add_text(items, param, at, false);
		break;
	case CLAW_HOLDS_SOURCES: case CLAW_HOLDS_NAMES: case CLAW_HOLDS_BINARIES:
		add_sources(call, shape, items, i);
		break;
	case CLAW_HOLDS_IL:
		source = claw_source_plain(at, count);
		if (claw_contents_keep(&source, &content))
			claw_items_content(items, CLAW_PAYLOAD_TEXTS, param, 0,
					   &content);
		break;
	case CLAW_HOLDS_OBJECTS_OUT:
		claw_items_add(items, CLAW_PAYLOAD_MADE, param, NULL,
			       (uint32_t)(count < BYTES_MAX / 8 ? count :
					  BYTES_MAX / 8) * 8,
			       count > BYTES_MAX / 8 ? CLAW_PAYLOAD_CUT : 0);
		break;
	case CLAW_HOLDS_DATA_IN: case CLAW_HOLDS_MAPPED:
	case CLAW_HOLDS_SVM_IN: case CLAW_HOLDS_SVM_MAPPED:
		add_data(call, items, param);
		break;
	default:
		break;
	}
}

void claw_items_find(const struct claw_call *call,
		     const struct claw_trace_shape *shape,
		     struct claw_trace_items *items)
{
	for (unsigned int i = 0; i < shape->items; i++)
		if (read_word(call, shape, shape->item[i].param))
			add_item(call, shape, items, i);
}

/* ---- into the record */

unsigned char *claw_payload_write(unsigned char *to,
				  const struct claw_trace_payload *payload)
{
	memcpy(to, payload, sizeof(*payload));
	to += sizeof(*payload);
	/* What is behind the bytes is not what was there before. */
	if (payload->bytes % 8)
		memset(to + payload->bytes / 8 * 8, 0, 8);
	return to + ((payload->bytes + 7) & ~7u);
}

unsigned char *claw_items_write(const struct claw_trace_items *items,
				unsigned char *to)
{
	for (unsigned int i = 0; i < items->count; i++) {
		const struct claw_trace_item *item = &items->items[i];
		struct claw_trace_payload payload = {
			.bytes = item->bytes, .kind = item->kind,
			.param = item->param, .flags = item->flags,
			.index = item->index,
		};
		unsigned char *bytes = to + sizeof(payload);

		to = claw_payload_write(to, &payload);
		if (item->kind == CLAW_PAYLOAD_MADE)
			memset(bytes, 0, item->bytes);
		else if (!item->from)
			memcpy(bytes, &item->content, item->bytes);
		else if (item->bytes &&
			 !claw_source_copy(bytes, item->from, item->bytes))
			memset(bytes, 0, item->bytes);
	}
	return to;
}

/* ---- out of the record */

struct claw_trace_payload *
claw_payload_next(const struct claw_trace_record *record, uint64_t size,
		  const struct claw_trace_payload *payload)
{
	uintptr_t start = (uintptr_t)record;
	uint64_t at = sizeof(*record) + record->word_count * sizeof(uint64_t);

	if (size > record->bytes)
		size = record->bytes;
	if (payload)
		at = (uintptr_t)payload - start +
			claw_payload_room(payload->bytes);
	if (at > size || size - at < sizeof(*payload))
		return NULL;
	payload = (const void *)(start + (uintptr_t)at);
	return payload->bytes <= size - at - sizeof(*payload) ?
		(void *)(start + (uintptr_t)at) : NULL;
}

void claw_record_contents(const struct claw_trace_record *record, uint64_t size,
			  void (*use)(const struct claw_trace_content *content))
{
	const struct claw_trace_payload *payload = NULL;

	while ((payload = claw_payload_next(record, size, payload))) {
		const struct claw_trace_content *contents =
			(const void *)(payload + 1);
		uint32_t count = payload->bytes / sizeof(*contents);

		if (payload->kind != CLAW_PAYLOAD_CONTENT &&
		    payload->kind != CLAW_PAYLOAD_TEXTS)
			continue;
		for (uint32_t i = 0; i < count; i++)
			use(&contents[i]);
	}
}

const void *claw_record_bytes(const struct claw_trace_record *record,
			      uint64_t size, unsigned int param, uint32_t bytes)
{
	const struct claw_trace_payload *payload = NULL;

	while ((payload = claw_payload_next(record, size, payload)))
		if (payload->kind == CLAW_PAYLOAD_BYTES &&
		    payload->param == param && payload->bytes == bytes)
			return payload + 1;
	return NULL;
}
