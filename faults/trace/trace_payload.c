/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a call's pointers point at. Most of it follows from the roles and the
 * names of the parameters, worked out once a function; the table by name is
 * below.
 */
#include "config.h"

#include "trace_private.h"

#include <string.h>
#include <sys/mman.h>

#include "faults/shared/api_sig.h"

/* How long what a pointer points at is. */
enum how {
	HOW_NONE,
	HOW_LIST,		/* as many handles as the parameter aux says */
	HOW_SIZES,		/* three of size_t */
	HOW_DIMENSIONS,		/* as many as work_dim says */
	HOW_FIXED,		/* aux bytes */
	HOW_VALUE,		/* bytes: parameter aux; not in a redacted trace */
	HOW_COLOR,		/* aux bytes; not in a redacted trace */
	HOW_POINTERS,		/* bytes: parameter aux; in any */
	HOW_PROPERTIES,		/* pairs, up to a key 0 */
	HOW_PARTITION,		/* the same, and lists that end with a 0 */
	HOW_TEXT,		/* up to its NUL; not in a redacted trace */
	HOW_NAME,		/* the same; in any */
	HOW_SOURCES,		/* texts, as many as the parameter aux says */
	HOW_NAMES,		/* the same, without lengths */
	HOW_BINARIES,
	HOW_IL,
	HOW_MADE,		/* handles that come out: one, or parameter aux */
	HOW_DATA,		/* bytes of a memory object (trace_data.c) */
};

enum {
	ONE = UINT8_MAX,	/* aux of MADE */
	BEFORE = UINT8_MAX - 1,	/* aux: the parameter before it */
	AFTER = UINT8_MAX - 2,	/* the one after it */
	BYTES_MAX = 4096,	/* of a payload; longer ones are contents */
	PROPERTIES_MAX = 64,	/* words */
	TEXT_MAX = 64 << 20,
};

/* The first row that fits; function "": any that has such a parameter. */
static const struct {
	const char *function, *param;
	enum how how;
	uint8_t aux;
} rows[] = {
	{ "clSetKernelArg", "arg_value", HOW_VALUE, BEFORE },
	{ "clSetKernelExecInfo", "param_value", HOW_POINTERS, BEFORE },
	{ "clSetProgramSpecializationConstant", "spec_value", HOW_VALUE,
	  BEFORE },
	{ "clCreateSubDevices", "properties", HOW_PARTITION, 0 },
	{ "clCreateSubDevicesEXT", "properties", HOW_PARTITION, 0 },
	{ "clCreateCommandQueue", "properties", HOW_NONE, 0 },
	{ "clSetCommandQueueProperty", "properties", HOW_NONE, 0 },
	{ "clGetPlatformIDs", "platforms", HOW_MADE, BEFORE },
	{ "clGetDeviceIDs", "devices", HOW_MADE, BEFORE },
	{ "clEnqueueSVMFree", "svm_pointers", HOW_LIST, BEFORE },
	{ "clEnqueueSVMMigrateMem", "svm_pointers", HOW_LIST, BEFORE },
	{ "clEnqueueSVMMigrateMem", "sizes", HOW_LIST, 1 },
	{ "clEnqueueNativeKernel", "args", HOW_VALUE, AFTER },
	{ "clEnqueueNativeKernel", "args_mem_loc", HOW_LIST, 4 },
	{ "clEnqueueWriteBuffer", "ptr", HOW_DATA, 0 },
	{ "clEnqueueWriteBufferRect", "ptr", HOW_DATA, 0 },
	{ "clEnqueueWriteImage", "ptr", HOW_DATA, 0 },
	{ "clEnqueueUnmapMemObject", "mapped_ptr", HOW_DATA, 0 },
	{ "clEnqueueSVMUnmap", "svm_ptr", HOW_DATA, 0 },
	{ "clEnqueueSVMMemcpy", "src_ptr", HOW_DATA, 0 },
	{ "clEnqueueMemcpyINTEL", "src_ptr", HOW_DATA, 0 },
	{ "", "host_ptr", HOW_DATA, 0 },
	{ "", "kernels", HOW_MADE, BEFORE },
	{ "", "out_devices", HOW_MADE, BEFORE },
	{ "", "properties", HOW_PROPERTIES, 0 },
	{ "", "sampler_properties", HOW_PROPERTIES, 0 },
	{ "", "sema_props", HOW_PROPERTIES, 0 },
	{ "", "origin", HOW_SIZES, 0 },
	{ "", "region", HOW_SIZES, 0 },
	{ "", "src_origin", HOW_SIZES, 0 },
	{ "", "dst_origin", HOW_SIZES, 0 },
	{ "", "buffer_origin", HOW_SIZES, 0 },
	{ "", "host_origin", HOW_SIZES, 0 },
	{ "", "global_work_offset", HOW_DIMENSIONS, 2 },
	{ "", "global_work_size", HOW_DIMENSIONS, 2 },
	{ "", "local_work_size", HOW_DIMENSIONS, 2 },
	{ "", "image_format", HOW_FIXED, sizeof(cl_image_format) },
	{ "", "image_desc", HOW_FIXED, sizeof(cl_image_desc) },
	{ "", "buffer_create_info", HOW_FIXED, sizeof(cl_buffer_region) },
	{ "", "fill_color", HOW_COLOR, 16 },
	{ "", "pattern", HOW_VALUE, AFTER },
	{ "", "options", HOW_TEXT, 0 },
	{ "", "kernel_name", HOW_NAME, 0 },
	{ "", "kernel_names", HOW_NAME, 0 },
	{ "", "strings", HOW_SOURCES, BEFORE },
	{ "", "binaries", HOW_BINARIES, 1 },
	{ "", "header_include_names", HOW_NAMES, 4 },
	{ "", "il", HOW_IL, AFTER },
};

struct claw_trace_shape claw_shapes[CLAW_API_COUNT] CLAW_HIDDEN;
static bool shapes_known;

#define WIDTH_P(role_, name_) sizeof(((struct fields *)0)->name_),

/* A structure has to have a member. */
#define LEARN_WIDTHS(name_)						\
	static void learn_##name_(uint8_t *widths)			\
	{								\
		struct fields { CLAW_FIELDS_##name_ char end; };	\
		const size_t sizes[] = {				\
			CLAW_SIG_##name_(WIDTH_P) sizeof(char),		\
		};							\
									\
		for (size_t i = 0; i + 1 < sizeof(sizes) /		\
						sizeof(*sizes) &&	\
				   i < CLAW_MAX_PARAMS; i++)		\
			widths[i] = (uint8_t)sizes[i];			\
	}
#define API(name_, ...) LEARN_WIDTHS(name_)
#define EXT(name_, ...) LEARN_WIDTHS(name_)
#include "faults/shared/api.def"
#undef API
#undef EXT

static void learn_widths(enum claw_api api, uint8_t *widths)
{
	switch (api) {
#define API(name_, ...) case CLAW_API_##name_: learn_##name_(widths); break;
#define EXT API
#include "faults/shared/api.def"
#undef EXT
#undef API
	case CLAW_API_COUNT:
		break;
	}
}

static enum how how_by_role(enum claw_role role, uint8_t *ret_aux)
{
	*ret_aux = BEFORE;
	switch (role) {
	case CLAW_P_DEVICES: case CLAW_P_QUEUES: case CLAW_P_MEMS:
	case CLAW_P_PROGRAMS: case CLAW_P_SEMAPHORES:
	case CLAW_P_COMMAND_BUFFERS: case CLAW_P_EVENTS:
	case CLAW_P_WAIT_LIST:
		return HOW_LIST;
	case CLAW_P_EVENT_OUT:
		*ret_aux = ONE;
		return HOW_MADE;
	default:
		return HOW_NONE;
	}
}

static enum how how_by_name(const struct claw_api_info *info, unsigned int param,
			    uint8_t *ret_aux)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (!strcmp(rows[i].param, info->params[param]) &&
		    (!*rows[i].function ||
		     !strcmp(rows[i].function, info->name))) {
			*ret_aux = rows[i].aux;
			return rows[i].how;
		}
	return HOW_NONE;
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

	learn_widths(api, shape->widths);
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
	/* Its words are whatever its revision makes of them. */
	if (!strncmp(info->name, "clCommand", 9))
		return;
	for (unsigned int i = 0; i < info->param_count; i++) {
		uint8_t aux;
		enum how how = how_by_role((enum claw_role)info->roles[i],
					   &aux);

		if (!how && info->roles[i] == CLAW_P_OTHER)
			how = how_by_name(info, i, &aux);
		if (!how)
			continue;
		aux = aux == BEFORE ? (uint8_t)(i - 1) :
			aux == AFTER ? (uint8_t)(i + 1) : aux;
		shape->makes |= how == HOW_MADE;
		shape->item[shape->items].param = (uint8_t)i;
		shape->item[shape->items].how = (uint8_t)how;
		shape->item[shape->items++].aux = aux;
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

static void add_sources(const struct claw_call *call,
			const struct claw_trace_shape *shape,
			struct claw_trace_items *items, unsigned int i)
{
	unsigned int param = shape->item[i].param;
	enum how how = (enum how)shape->item[i].how;
	struct list list = {
		.texts = CLAW_TRACE_ARG(call, char const *const *, param),
		.lengths = how == HOW_SOURCES ?
			CLAW_TRACE_ARG(call, size_t *, param + 1) :
			how == HOW_BINARIES ?
			CLAW_TRACE_ARG(call, size_t *, param - 1) : NULL,
		.count = read_word(call, shape, shape->item[i].aux),
	};

	if (list.count < UINT16_MAX)
		add_texts(items, param, &list, how == HOW_SOURCES);
}

static void add_item(const struct claw_call *call,
		     const struct claw_trace_shape *shape,
		     struct claw_trace_items *items, unsigned int i)
{
	unsigned int param = shape->item[i].param, aux = shape->item[i].aux;
	const void *at = (const void *)(uintptr_t)read_word(call, shape, param);
	uint64_t count = aux < shape->words ? read_word(call, shape, aux) : 0;
	struct claw_trace_source source;
	struct claw_trace_content content;

	switch ((enum how)shape->item[i].how) {
	case HOW_LIST:
		if (count && count < UINT16_MAX)
			add_bytes(items, param, at, count * sizeof(void *));
		break;
	case HOW_SIZES:
		add_bytes(items, param, at, 3 * sizeof(size_t));
		break;
	case HOW_DIMENSIONS:
		add_bytes(items, param, at,
			  (count < 3 ? count : 3) * sizeof(size_t));
		break;
	case HOW_FIXED:
		add_bytes(items, param, at, aux);
		break;
	case HOW_VALUE:
		add_value(items, param, at, count);
		break;
	case HOW_COLOR:
		add_value(items, param, at, aux);
		break;
	case HOW_POINTERS:
		add_bytes(items, param, at, count);
		break;
	case HOW_PROPERTIES: case HOW_PARTITION:
		add_bytes(items, param, at, property_bytes(at,
			(enum how)shape->item[i].how == HOW_PARTITION));
		break;
	case HOW_TEXT:
		add_text(items, param, at, true);
		break;
	case HOW_NAME:
		add_text(items, param, at, false);
		break;
	case HOW_SOURCES: case HOW_NAMES: case HOW_BINARIES:
		add_sources(call, shape, items, i);
		break;
	case HOW_IL:
		source = claw_source_plain(at, count);
		if (claw_contents_keep(&source, &content))
			claw_items_content(items, CLAW_PAYLOAD_TEXTS, param, 0,
					   &content);
		break;
	case HOW_MADE:
		count = aux == ONE ? 1 : count;
		claw_items_add(items, CLAW_PAYLOAD_MADE, param, NULL,
			       (uint32_t)(count < BYTES_MAX / 8 ? count :
					  BYTES_MAX / 8) * 8,
			       count > BYTES_MAX / 8 ? CLAW_PAYLOAD_CUT : 0);
		break;
	case HOW_DATA:
		add_data(call, items, param);
		break;
	case HOW_NONE:
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
	payload = (const void *)(start + at);
	return payload->bytes <= size - at - sizeof(*payload) ?
		(void *)(start + at) : NULL;
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
