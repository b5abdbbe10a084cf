/* SPDX-License-Identifier: Apache-2.0 */
/* A call's parameters, from what was captured of them. */
#include "config.h"

#include "player.h"

#include <stdio.h>
#include <string.h>

#include "faults/shared/api.h"

enum {
	SCRATCH_BYTES = 4096,		/* where it is not known how much */
	MAX_MADE = 4096,		/* handles that one call gives out */
};

/* ---- values ------------------------------------------------------------ */

/* By the type's width: the low bytes of a word. */
static void fill_word(uint64_t word, void *local, size_t size)
{
	switch (size) {
	case 1:
		*(uint8_t *)local = (uint8_t)word;
		break;
	case 2:
		*(uint16_t *)local = (uint16_t)word;
		break;
	case 4:
		memcpy(local, &(uint32_t){ (uint32_t)word }, 4);
		break;
	default:
		memcpy(local, &word, sizeof(word));
	}
}

static bool fill_pointer(struct claw_player *player, const void *pointer,
			 void *local, size_t size)
{
	if (!pointer || size != sizeof(pointer)) {
		claw_player_skip(player, "out of memory");
		return false;
	}
	memcpy(local, &pointer, sizeof(pointer));
	return true;
}

static bool fill_object(struct claw_player *player,
			const struct claw_trace_arg *arg, void *local,
			size_t size)
{
	uint64_t value;

	if (!claw_player_handle(player, arg->count && arg->objects ?
				arg->objects[0] : 0, arg->word, &value))
		return false;
	fill_word(value, local, size);
	return true;
}

static bool is_wait_list(enum claw_api api, unsigned int param)
{
	enum claw_role role = (enum claw_role)claw_api_table[api].roles[param];

	return role == CLAW_P_WAIT_LIST || role == CLAW_P_EVENTS;
}

/* An item of a list. An event that is not there leaves a hole (0), which
 * claw_player_shorten() closes. */
static bool fill_item(struct claw_player *player, claw_object_id object,
		      bool waits, uint64_t *item)
{
	if (object && claw_player_handle(player, object, 0, item))
		return true;
	if (!object && !waits)
		return claw_player_handle(player, 0, UINT64_MAX, item);
	if (!waits)
		return false;
	claw_player_say(player, CLAW_PLAYER_ADAPTED, "it does not wait for an "
			"event: %s", object ? player->why : "that one is older "
			"than what was captured");
	player->why[0] = '\0';
	*item = 0;
	return true;
}

static bool fill_objects(struct claw_player *player,
			 const struct claw_trace_call *call,
			 unsigned int param, void *local, size_t size)
{
	const struct claw_trace_arg *arg = &call->args[param];
	const bool waits = is_wait_list(call->api, param);
	size_t room = (arg->count + 1u) * sizeof(uint64_t);
	uint64_t *list;

	if (!claw_player_room(player, call, param, &room))
		return false;
	list = claw_arena_array(player->arena, room, 1);
	for (uint32_t i = 0; list && i < arg->count; i++)
		if (!fill_item(player, arg->objects[i], waits, &list[i]))
			return false;
	return fill_pointer(player, list, local, size);
}

/* ---- bytes ------------------------------------------------------------- */

/* The program's handles in the structure are ours in the copy. */
static bool fix_bytes(struct claw_player *player,
		      const struct claw_trace_call *call, unsigned int param,
		      unsigned char *copy, size_t size)
{
	const struct claw_trace_arg *arg = &call->args[param];
	const char *name = claw_api_table[call->api].params[param];
	cl_image_desc *desc = (cl_image_desc *)(void *)copy;
	claw_object_id object;
	uint64_t value, word, offset;

	if (!strcmp(name, "image_desc") && size >= sizeof(*desc) &&
	    desc->buffer) {
		word = (uintptr_t)desc->buffer;
		object = arg->objects && arg->count ? arg->objects[0] :
			claw_player_find(player, CLAW_OBJ_MEM, word, NULL);
		if (!claw_player_handle(player, object, word, &value))
			return false;
		desc->buffer = (cl_mem)(uintptr_t)value;
	} else if (call->api == CLAW_API_clSetKernelExecInfo &&
		   call->args[1].word == CL_KERNEL_EXEC_INFO_SVM_PTRS) {
		for (size_t i = 0; i + sizeof(word) <= size;
		     i += sizeof(word)) {
			memcpy(&word, copy + i, sizeof(word));
			object = claw_player_find(player, CLAW_OBJ_SVM, word,
						  &offset);
			if (!claw_player_handle(player, object, word, &value))
				return false;
			value += object ? offset : 0;
			memcpy(copy + i, &value, sizeof(value));
		}
	} else if (call->api == CLAW_API_clSetKernelArg && arg->objects &&
		   arg->count && size == sizeof(value)) {
		memcpy(&word, copy, sizeof(word));
		if (!claw_player_handle(player, arg->objects[0], word, &value))
			return false;
		memcpy(copy, &value, sizeof(value));
	}
	return true;
}

static bool fill_bytes(struct claw_player *player,
		       const struct claw_trace_call *call, unsigned int param,
		       void *local, size_t size)
{
	const struct claw_trace_arg *arg = &call->args[param];
	size_t room = arg->size;
	unsigned char *copy;

	if (!arg->bytes) {
		claw_player_skip(player, "%s is not known",
				 claw_api_table[call->api].params[param]);
		return false;
	}
	if (!claw_player_room(player, call, param, &room))
		return false;
	copy = claw_arena_array(player->arena, room + 8, 1);
	if (copy && arg->size)
		memcpy(copy, arg->bytes, arg->size);
	if (copy && !fix_bytes(player, call, param, copy, arg->size))
		return false;
	return fill_pointer(player, copy, local, size);
}

static bool fill_properties(struct claw_player *player,
			    const struct claw_trace_call *call,
			    unsigned int param, void *local, size_t size)
{
	const struct claw_trace_arg *arg = &call->args[param];
	uint64_t *words = arg->bytes ? claw_arena_copy(player->arena,
						       arg->bytes, arg->size) :
		NULL;

	for (uint32_t i = 0; words && arg->objects && i < arg->count &&
	     i < arg->size / sizeof(*words); i++)
		if (arg->objects[i] &&
		    !claw_player_handle(player, arg->objects[i], 0, &words[i]))
			return false;
	return fill_pointer(player, words, local, size);
}

static bool fill_texts(struct claw_player *player,
		       const struct claw_trace_call *call, unsigned int param,
		       void *local, size_t size)
{
	const struct claw_trace_arg *arg = &call->args[param];
	const struct claw_trace *trace = player->trace;
	size_t room = (arg->count + 1u) * sizeof(char *);
	bool is_il = call->api == CLAW_API_clCreateProgramWithIL;
	char **list;

	if (!is_il && !claw_player_room(player, call, param, &room))
		return false;
	list = claw_arena_array(player->kept, room, 1);
	for (uint32_t i = 0; list && i < arg->count; i++) {
		uint32_t number = arg->contents ? arg->contents[i] : 0;
		const struct claw_trace_bytes *text = number &&
			number <= trace->content_count ?
			&trace->contents[number - 1] : NULL;

		if (!text || !text->bytes) {
			claw_player_skip(player, "the program's text is not "
					 "in the dump");
			return false;
		}
		room = text->length;
		if (is_il && !claw_player_room(player, call, param, &room))
			return false;
		list[i] = claw_arena_array(player->kept, room + 8, 1);
		if (list[i] && text->length)
			memcpy(list[i], text->bytes, text->length);
		if (is_il)
			return fill_pointer(player, list[i], local, size);
	}
	return fill_pointer(player, list, local, size);
}

static bool fill_lengths(struct claw_player *player,
			 const struct claw_trace_call *call,
			 unsigned int param, void *local, size_t size)
{
	const struct claw_trace_arg *arg = &call->args[param];
	const struct claw_trace_arg *texts = NULL;
	size_t room = 0, *list;

	if (arg->bytes)
		return fill_bytes(player, call, param, local, size);
	for (uint32_t i = 0; i < call->arg_count; i++)
		if (call->args[i].kind == CLAW_ARG_TEXTS)
			texts = &call->args[i];
	if (!texts) {
		claw_player_skip(player, "lengths are not known");
		return false;
	}
	room = (texts->count + 1u) * sizeof(*list);
	if (!claw_player_room(player, call, param, &room))
		return false;
	list = claw_arena_array(player->arena, room, 1);
	for (uint32_t i = 0; list && texts->contents && i < texts->count; i++) {
		uint32_t number = texts->contents[i];

		if (number && number <= player->trace->content_count)
			list[i] = player->trace->contents[number - 1].length;
	}
	return fill_pointer(player, list, local, size);
}

/* ---- memory ------------------------------------------------------------ */

static bool fill_out(struct claw_player *player,
		     const struct claw_trace_call *call, unsigned int param,
		     void *local, size_t size)
{
	const struct claw_trace_arg *arg = &call->args[param];
	size_t bytes = arg->size;

	if (claw_api_table[call->api].holds[param] == CLAW_HOLDS_DATA_OUT)
		bytes = claw_player_reach(player, call, bytes);
	else if (bytes < SCRATCH_BYTES)
		bytes = SCRATCH_BYTES;
	return fill_pointer(player, claw_player_scratch(player, arg->word,
							bytes), local, size);
}

static bool fill_made(struct claw_player *player,
		      const struct claw_trace_call *call, unsigned int param,
		      void *local, size_t size)
{
	uint64_t room = call->args[param].count;

	if (param > 0 && call->args[param - 1].kind == CLAW_ARG_WORD &&
	    call->args[param - 1].word > room)
		room = call->args[param - 1].word;
	if (room > MAX_MADE) {
		claw_player_skip(player, "it gives out more handles than %d",
				 MAX_MADE);
		return false;
	}
	return fill_pointer(player, claw_arena_array(player->arena, room + 1,
						     sizeof(void *)),
			    local, size);
}

/* SVM memory or a mapping; a pointer of the host's own otherwise. */
static bool fill_memory(struct claw_player *player,
			const struct claw_trace_call *call, unsigned int param,
			void *local, size_t size)
{
	const struct claw_trace_arg *arg = &call->args[param];
	int size_param = claw_api_find_param(call->api, CLAW_P_SIZE);
	uint64_t value;

	if (arg->objects && arg->count && arg->objects[0]) {
		if (!claw_player_handle(player, arg->objects[0], 0, &value))
			return false;
		fill_word(value + arg->word, local, size);
		return true;
	}
	if (arg->contents && arg->contents[0])
		return fill_pointer(player, claw_player_source(player, call,
							       arg),
				    local, size);
	if (arg->kind == CLAW_ARG_SVM && size_param >= 0)
		return fill_pointer(player, claw_player_scratch(player,
				arg->word, call->args[size_param].word),
				    local, size);
	if (!claw_player_handle(player, 0, arg->word, &value))
		return false;
	fill_word(value, local, size);
	return true;
}

bool claw_player_fill(struct claw_player *player,
		      const struct claw_trace_call *call, unsigned int param,
		      void *local, size_t size)
{
	const struct claw_trace_arg *arg = &call->args[param];

	memset(local, 0, size);
	if (param >= call->arg_count)
		return true;
	switch (arg->kind) {
	case CLAW_ARG_NULL:
		return true;
	case CLAW_ARG_OBJECT:
		if (call->api == CLAW_API_clSetKernelArg && param == 3)
			break;
		return fill_object(player, arg, local, size);
	case CLAW_ARG_OBJECTS:
		return fill_objects(player, call, param, local, size);
	case CLAW_ARG_BYTES:
		return fill_bytes(player, call, param, local, size);
	case CLAW_ARG_PROPERTIES:
		return fill_properties(player, call, param, local, size);
	case CLAW_ARG_CONTENT:
		return fill_pointer(player, claw_player_source(player, call,
							       arg),
				    local, size);
	case CLAW_ARG_TEXTS:
		return fill_texts(player, call, param, local, size);
	case CLAW_ARG_LENGTHS:
		return fill_lengths(player, call, param, local, size);
	case CLAW_ARG_OUT:
		return fill_out(player, call, param, local, size);
	case CLAW_ARG_MADE:
		return fill_made(player, call, param, local, size);
	case CLAW_ARG_ERRCODE:
		return fill_pointer(player, &player->errcode, local, size);
	case CLAW_ARG_CALLBACK:
		claw_player_fill_callback(call->api, local, size);
		return true;
	case CLAW_ARG_MAPPED:
	case CLAW_ARG_SVM:
		return fill_memory(player, call, param, local, size);
	case CLAW_ARG_WORD:
	case CLAW_ARG_USER_DATA:
	default:
		fill_word(arg->word, local, size);
		return true;
	}
	/* A handle as a kernel's argument. */
	return fill_pointer(player, claw_arena_copy(player->arena,
				&(uint64_t){ 0 }, sizeof(uint64_t)),
			    local, size) &&
		fill_object(player, arg, *(void **)local, sizeof(uint64_t));
}

void claw_player_shorten(struct claw_player *player,
			 const struct claw_trace_call *call,
			 void *const *locals)
{
	for (uint32_t i = 1; i < call->arg_count; i++) {
		uint64_t **list = locals[i];
		cl_uint *count = locals[i - 1], kept = 0;

		if (!is_wait_list(call->api, i) ||
		    call->args[i].kind != CLAW_ARG_OBJECTS || !*list)
			continue;
		for (uint32_t k = 0; k < call->args[i].count; k++)
			if ((*list)[k])
				(*list)[kept++] = (*list)[k];
		if (kept == call->args[i].count)
			continue;
		*count = kept;
		if (kept)
			continue;
		*list = NULL;
		if (call->api == CLAW_API_clWaitForEvents)
			claw_player_skip(player, "none of the events that it "
					 "waits for is there");
	}
}

/* ---- after the call ---------------------------------------------------- */

static size_t size_out(const struct claw_trace_call *call,
		       void *const *locals, const char *name)
{
	int param = claw_api_find_name(call->api, name);
	const size_t *value = param >= 0 ? *(size_t *const *)locals[param] :
		NULL;

	return value ? *value : 0;
}

/* What was mapped has rows as the driver said. */
static void take_mapping(struct claw_player *player,
			 const struct claw_trace_call *call,
			 void *const *locals)
{
	struct claw_played *mapping = &player->objects[call->made - 1];
	int region = claw_api_find_name(call->api, "region");

	mapping->queue = *(cl_command_queue *)locals[0];
	mapping->is_ready = claw_replay_waits(call);
	memset(mapping->region, 0, sizeof(mapping->region));
	if (call->api != CLAW_API_clEnqueueMapImage || region < 0)
		return;
	if (*(const size_t *const *)locals[region])
		memcpy(mapping->region, *(const size_t *const *)locals[region],
		       sizeof(mapping->region));
	mapping->row_pitch = size_out(call, locals, "image_row_pitch");
	mapping->slice_pitch = size_out(call, locals, "image_slice_pitch");
}

void claw_player_take(struct claw_player *player,
		      const struct claw_trace_call *call, void *const *locals)
{
	for (uint32_t i = 0; i < call->arg_count; i++) {
		const struct claw_trace_arg *arg = &call->args[i];
		uint64_t *list;

		if (arg->kind != CLAW_ARG_MADE)
			continue;
		list = *(uint64_t **)locals[i];
		for (uint32_t k = 0; list && k < arg->count; k++)
			claw_player_made(player, arg->objects[k], list[k]);
	}
	if (call->made && claw_api_is_map(call->api) &&
	    player->objects[call->made - 1].is_made)
		take_mapping(player, call, locals);
}
