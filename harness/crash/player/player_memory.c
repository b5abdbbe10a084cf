/* SPDX-License-Identifier: Apache-2.0 */
/* The bytes of a replay: what goes in, and room for what comes out. */
#include "config.h"

#include "player.h"

#include <inttypes.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "faults/shared/api.h"
#include "harness/base/memory.h"

enum { PAGE_BYTES = 4096, REPORTED_READS = 64 };

/* ---- scratch ---------------------------------------------------------- */

struct block {
	uint64_t address;	/* in the captured process */
	size_t bytes;
	unsigned char *memory;
};

static int compare_blocks(const void *a, const void *b)
{
	const struct block *one = a, *other = b;

	return (one->address > other->address) -
		(one->address < other->address);
}

static struct block *find_block(struct claw_player *player, uint64_t address)
{
	struct block key = { .address = address }, *made;
	struct block **found = tfind(&key, &player->scratch, compare_blocks);

	if (found)
		return *found;
	made = claw_calloc(1, sizeof(*made));
	made->address = address;
	claw_made(tsearch(made, &player->scratch, compare_blocks));
	return made;
}

/* What was smaller stays: a command may still write to it. Memory is as
 * aligned as the program's was. */
void *claw_player_scratch(struct claw_player *player, uint64_t address,
			  size_t bytes)
{
	const size_t within = address % PAGE_BYTES;
	struct block *block = find_block(player, address);
	unsigned char *memory;
	size_t room;

	if (block->memory && block->bytes >= bytes)
		return block->memory;
	if (bytes > SIZE_MAX - 3 * PAGE_BYTES)
		return NULL;
	room = (within + bytes + 2 * PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
	memory = aligned_alloc(PAGE_BYTES, room);
	if (!memory)
		return NULL;
	memset(memory, 0, room);
	block->memory = memory + within;
	block->bytes = bytes;
	return block->memory;
}

/* ---- contents --------------------------------------------------------- */

/* Words of 1: an index that is in most arrays, and no division by 0. */
static const void *made_up(struct claw_player *player, size_t bytes)
{
	size_t room = player->made_up_bytes ? player->made_up_bytes :
		PAGE_BYTES;
	unsigned char *memory;

	if (player->made_up && bytes <= player->made_up_bytes)
		return player->made_up;
	while (room < bytes && room <= SIZE_MAX / 4)
		room *= 2;
	memory = room < bytes ? NULL : malloc(room);
	if (!memory)
		return NULL;
	for (size_t i = 0; i + 4 <= room; i += 4)
		memcpy(memory + i, &(uint32_t){ 1 }, 4);
	player->made_up = memory;	/* the old one may be in use */
	player->made_up_bytes = room;
	return memory;
}

const void *claw_player_content(struct claw_player *player, uint32_t number,
				size_t length)
{
	const struct claw_trace *trace = player->trace;
	const struct claw_trace_bytes *content =
		number && number <= trace->content_count ?
		&trace->contents[number - 1] : NULL;

	if (content && content->bytes && content->length >= length)
		return content->bytes;
	claw_player_say(player, CLAW_PLAYER_MADE_UP, "%s, %zu bytes",
			player->filled ? claw_trace_object_name(trace,
			player->filled) : "what the host gave", length);
	player->is_incomplete = true;
	return made_up(player, length);
}

/* ---- memory objects --------------------------------------------------- */

static bool make_queue(cl_mem mem, cl_command_queue *ret_queue)
{
	cl_context context = NULL;
	cl_device_id devices[64];
	cl_int err = CL_SUCCESS;

	if (clGetMemObjectInfo(mem, CL_MEM_CONTEXT, sizeof(context), &context,
			       NULL) != CL_SUCCESS ||
	    clGetContextInfo(context, CL_CONTEXT_DEVICES, sizeof(devices),
			     devices, NULL) != CL_SUCCESS)
		return false;
	*ret_queue = clCreateCommandQueue(context, devices[0], 0, &err);
	return *ret_queue != NULL;
}

static cl_int write_image(cl_command_queue queue, cl_mem image,
			  const void *bytes, size_t length)
{
	size_t origin[3] = { 0 }, region[3] = { 1, 1, 1 }, layers = 0;
	size_t element = 0;

	clGetImageInfo(image, CL_IMAGE_WIDTH, sizeof(size_t), &region[0],
		       NULL);
	clGetImageInfo(image, CL_IMAGE_HEIGHT, sizeof(size_t), &region[1],
		       NULL);
	clGetImageInfo(image, CL_IMAGE_DEPTH, sizeof(size_t), &region[2],
		       NULL);
	clGetImageInfo(image, CL_IMAGE_ARRAY_SIZE, sizeof(size_t), &layers,
		       NULL);
	clGetImageInfo(image, CL_IMAGE_ELEMENT_SIZE, sizeof(size_t), &element,
		       NULL);
	if (layers)
		region[region[1] ? 2 : 1] = layers;
	for (int i = 1; i < 3; i++)
		region[i] = region[i] ? region[i] : 1;
	if (region[0] * region[1] * region[2] * element > length)
		return CL_INVALID_VALUE;
	return clEnqueueWriteImage(queue, image, CL_TRUE, origin, region, 0, 0,
				   bytes, 0, NULL, NULL);
}

static bool is_image(cl_mem mem)
{
	cl_mem_object_type type = CL_MEM_OBJECT_BUFFER;

	clGetMemObjectInfo(mem, CL_MEM_TYPE, sizeof(type), &type, NULL);
	return type >= CL_MEM_OBJECT_IMAGE2D &&
		type <= CL_MEM_OBJECT_IMAGE1D_BUFFER;
}

void claw_player_fill_object(struct claw_player *player, claw_object_id object,
			     uint32_t content, bool lost)
{
	const struct claw_trace *trace = player->trace;
	cl_mem mem = (cl_mem)(uintptr_t)player->objects[object - 1].value;
	size_t bytes = 0;
	cl_command_queue queue = NULL;
	const void *from;
	cl_int err = CL_OUT_OF_RESOURCES;

	if ((!content && !lost) || !player->objects[object - 1].is_made ||
	    clGetMemObjectInfo(mem, CL_MEM_SIZE, sizeof(bytes), &bytes,
			       NULL) != CL_SUCCESS)
		return;
	if (content && content <= trace->content_count &&
	    trace->contents[content - 1].length < bytes)
		bytes = trace->contents[content - 1].length;
	player->filled = object;
	from = claw_player_content(player, content, bytes);
	player->filled = 0;
	if (from && bytes && make_queue(mem, &queue)) {
		err = is_image(mem) ? write_image(queue, mem, from, bytes) :
			clEnqueueWriteBuffer(queue, mem, CL_TRUE, 0, bytes,
					     from, 0, NULL, NULL);
		clReleaseCommandQueue(queue);
	}
	if (err != CL_SUCCESS)
		claw_player_say(player, CLAW_PLAYER_ADAPTED, "%s could not be "
				"filled", claw_trace_object_name(trace,
								 object));
}

void claw_player_fill_memory(struct claw_player *player)
{
	const struct claw_trace *trace = player->trace;

	player->index = UINT32_MAX;	/* of no call */
	for (claw_object_id id = 1; id <= trace->object_count; id++) {
		const struct claw_trace_object *object = &trace->objects[id - 1];

		if (object->type == CLAW_OBJ_MEM &&
		    object->made_by <= trace->first_ring_call)
			claw_player_fill_object(player, id,
						object->first_content,
						object->first_content_lost);
	}
}

/* ---- reads ------------------------------------------------------------ */

static struct {
	uint32_t number;
	const void *memory;
	size_t bytes;
	uint64_t hash[2];
	bool is_known;
} reads[REPORTED_READS];
static uint64_t read_count;

/* For whoever wants more of it than its hash. */
static void save_read(const struct claw_player *player, uint32_t number,
		      const void *memory, size_t bytes)
{
	char *path;
	FILE *out;

	if (!memory)
		return;
	path = claw_format("%s/%u", player->reads, number);
	out = fopen(path, "we");
	if (out && bytes)
		fwrite(memory, 1, bytes, out);
	if (out)
		fclose(out);
	free(path);
}

void claw_player_read_done(struct claw_player *player,
			   const struct claw_trace_call *call)
{
	int param = claw_api_find_name(call->api, "ptr");
	const struct claw_trace_arg *arg = param >= 0 ? &call->args[param] :
		NULL;
	size_t at = read_count % REPORTED_READS, bytes;
	const void *memory;

	if (!arg || arg->kind != CLAW_ARG_OUT || !arg->word)
		return;
	bytes = claw_player_reach(player, call, arg->size);
	memory = claw_player_scratch(player, arg->word, bytes);
	for (size_t i = 0; i < REPORTED_READS; i++)	/* overwritten */
		if (!reads[i].is_known && reads[i].memory == memory)
			reads[i].memory = NULL;
	reads[at].number = call->number;
	reads[at].memory = memory;
	reads[at].bytes = bytes;
	reads[at].is_known = claw_replay_waits(call);
	if (reads[at].is_known)
		claw_trace_hash(memory, bytes, reads[at].hash);
	if (reads[at].is_known && player->reads)
		save_read(player, call->number, memory, bytes);
	read_count++;
}

void claw_player_report_reads(struct claw_player *player)
{
	uint64_t first = read_count > REPORTED_READS ?
		read_count - REPORTED_READS : 0;

	for (uint64_t i = first; i < read_count; i++) {
		size_t at = i % REPORTED_READS;

		if (!reads[at].memory)
			continue;
		if (!reads[at].is_known)
			claw_trace_hash(reads[at].memory, reads[at].bytes,
					reads[at].hash);
		player->index = reads[at].number - 1;
		claw_player_say(player, CLAW_PLAYER_READ, "%zu %016" PRIx64
				"%016" PRIx64, reads[at].bytes,
				reads[at].hash[0], reads[at].hash[1]);
	}
}
