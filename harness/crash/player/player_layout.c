/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How what a transfer moves lies in the program's memory. A content is packed;
 * here its rows are put where the captured program had them, so that the
 * driver is given the same origins and pitches.
 */
#include "config.h"

#include "player.h"

#include <string.h>
#include <sys/mman.h>

#include "faults/shared/image_bytes.h"
#include "faults/shared/api.h"

/* ---- layouts ---------------------------------------------------------- */

/* How rows lie in the program's memory. */
struct layout {
	size_t region[3];	/* rows of so many bytes (once multiplied), rows,
				 * slices */
	size_t offset, row_pitch, slice_pitch;
	bool is_packed, is_image;
};

static const size_t *sizes_of(const struct claw_trace_call *call,
			      const char *name)
{
	int param = claw_api_find_name(call->api, name);

	return param >= 0 && (uint32_t)param < call->arg_count &&
		call->args[param].bytes &&
		call->args[param].size >= 3 * sizeof(size_t) ?
		call->args[param].bytes : NULL;
}

static size_t word_of(const struct claw_trace_call *call, const char *name)
{
	int param = claw_api_find_name(call->api, name);

	return param >= 0 && (uint32_t)param < call->arg_count &&
		call->args[param].kind == CLAW_ARG_WORD ?
		(size_t)call->args[param].word : 0;
}

static const cl_image_desc *desc_of(const struct claw_trace_call *call)
{
	int param = claw_api_find_name(call->api, "image_desc");

	return param >= 0 && (uint32_t)param < call->arg_count &&
		call->args[param].bytes &&
		call->args[param].size >= sizeof(cl_image_desc) ?
		call->args[param].bytes : NULL;
}

static size_t or_one(size_t number)
{
	return number ? number : 1;
}

/* Of an image that is made: what its host_ptr points at. */
static bool creation_layout(const struct claw_trace_call *call,
			    struct layout *layout)
{
	const cl_image_desc *desc = desc_of(call);
	bool is_line_array = desc && desc->image_type ==
		CL_MEM_OBJECT_IMAGE1D_ARRAY;

	if (desc) {
		uint64_t region[3];

		claw_image_region(desc, region);
		for (unsigned int i = 0; i < 3; i++)
			layout->region[i] = or_one(region[i]);
		layout->row_pitch = is_line_array && desc->image_slice_pitch ?
			desc->image_slice_pitch : desc->image_row_pitch;
		layout->slice_pitch = is_line_array ? 0 :
			desc->image_slice_pitch;
		return true;
	}
	if (call->api != CLAW_API_clCreateImage2D &&
	    call->api != CLAW_API_clCreateImage3D)
		return false;
	layout->region[0] = or_one(word_of(call, "image_width"));
	layout->region[1] = or_one(word_of(call, "image_height"));
	layout->region[2] = or_one(word_of(call, "image_depth"));
	layout->row_pitch = word_of(call, "image_row_pitch");
	layout->slice_pitch = word_of(call, "image_slice_pitch");
	return true;
}

static bool transfer_layout(const struct claw_trace_call *call,
			    struct layout *layout)
{
	const size_t *region = sizes_of(call, "region");
	const size_t *origin = sizes_of(call, "host_origin");

	switch (call->api) {
	case CLAW_API_clEnqueueReadBufferRect:
	case CLAW_API_clEnqueueWriteBufferRect:
		layout->row_pitch = word_of(call, "host_row_pitch");
		layout->slice_pitch = word_of(call, "host_slice_pitch");
		break;
	case CLAW_API_clEnqueueReadImage:
		layout->row_pitch = word_of(call, "row_pitch");
		layout->slice_pitch = word_of(call, "slice_pitch");
		layout->is_image = true;
		break;
	case CLAW_API_clEnqueueWriteImage:
		layout->row_pitch = word_of(call, "input_row_pitch");
		layout->slice_pitch = word_of(call, "input_slice_pitch");
		layout->is_image = true;
		break;
	default:
		return false;
	}
	if (!region)
		return false;
	memcpy(layout->region, region, sizeof(layout->region));
	if (origin && !layout->is_image) {
		size_t row = layout->row_pitch ? layout->row_pitch : region[0];
		size_t slice = layout->slice_pitch ? layout->slice_pitch :
			row * region[1];

		layout->offset = origin[0] + origin[1] * row +
			origin[2] * slice;
	}
	return true;
}

/* False: the bytes simply lie behind each other. packed: their number. */
static bool find_layout(const struct claw_trace_call *call, size_t packed,
			struct layout *layout)
{
	size_t items;

	memset(layout, 0, sizeof(*layout));
	if (transfer_layout(call, layout)) {
		if (!layout->is_image)
			packed = layout->region[0] * layout->region[1] *
				layout->region[2];
	} else if (!creation_layout(call, layout)) {
		return false;
	}
	items = layout->region[0] * layout->region[1] * layout->region[2];
	if (items == 0 || packed < items)
		return false;
	layout->region[0] *= packed / items;	/* bytes of an element */
	if (layout->row_pitch < layout->region[0])
		layout->row_pitch = layout->region[0];
	if (layout->slice_pitch < layout->row_pitch * layout->region[1])
		layout->slice_pitch = layout->row_pitch * layout->region[1];
	layout->is_packed = layout->offset == 0 &&
		layout->row_pitch == layout->region[0] &&
		layout->slice_pitch == layout->row_pitch * layout->region[1];
	return true;
}

/* SIZE_MAX: no memory is that large. */
static size_t layout_reach(const struct layout *layout)
{
	size_t slices, rows, reach;

	if (__builtin_mul_overflow(layout->slice_pitch, layout->region[2] - 1,
				   &slices) ||
	    __builtin_mul_overflow(layout->row_pitch, layout->region[1] - 1,
				   &rows) ||
	    __builtin_add_overflow(slices, rows, &reach) ||
	    __builtin_add_overflow(reach, layout->region[0], &reach) ||
	    __builtin_add_overflow(reach, layout->offset, &reach))
		return SIZE_MAX;
	return reach;
}

static size_t layout_bytes(const struct layout *layout)
{
	size_t bytes;

	return __builtin_mul_overflow(layout->region[0], layout->region[1],
				      &bytes) ||
	       __builtin_mul_overflow(bytes, layout->region[2], &bytes) ?
		SIZE_MAX : bytes;
}

static void spread(const struct layout *layout, const unsigned char *from,
		   unsigned char *to)
{
	to += layout->offset;
	for (size_t z = 0; z < layout->region[2]; z++)
		for (size_t y = 0; y < layout->region[1]; y++) {
			memcpy(to + z * layout->slice_pitch +
			       y * layout->row_pitch, from, layout->region[0]);
			from += layout->region[0];
		}
}

/* What an image's element has, asked of the driver; 0: no image. */
static size_t element_bytes(struct claw_player *player,
			    const struct claw_trace_call *call)
{
	size_t bytes = 0;
	uint64_t handle = 0;
	int param = claw_api_find_param(call->api, CLAW_P_MEM);

	if (param < 0 || (uint32_t)param >= call->arg_count ||
	    call->args[param].count == 0 ||
	    !claw_player_handle(player, call->args[param].objects[0], 0,
				&handle) || !handle)
		return 0;
	clGetImageInfo((cl_mem)(uintptr_t)handle, CL_IMAGE_ELEMENT_SIZE,
		       sizeof(bytes), &bytes, NULL);
	return bytes;
}

size_t claw_player_reach(struct claw_player *player,
			 const struct claw_trace_call *call, size_t packed)
{
	const size_t *region = sizes_of(call, "region");
	struct layout layout;
	size_t reach;

	if (call->api == CLAW_API_clEnqueueReadImage && region)
		packed = element_bytes(player, call) * region[0] * region[1] *
			region[2];
	if (!find_layout(call, packed, &layout))
		return packed;
	reach = layout_reach(&layout);
	return reach > packed ? reach : packed;
}

/* ---- what the host gives ---------------------------------------------- */

static size_t content_length(const struct claw_player *player,
			     const struct claw_trace_arg *arg)
{
	uint32_t number = arg->contents && arg->count ? arg->contents[0] : 0;

	if (number && number <= player->trace->content_count)
		return player->trace->contents[number - 1].length;
	return arg->size;
}

static bool keeps_host_pointer(const struct claw_trace_call *call)
{
	int param = claw_api_find_name(call->api, "flags");

	return claw_api_table[call->api].object == CLAW_OBJ_MEM &&
		claw_api_table[call->api].effect == CLAW_CREATES &&
		param >= 0 && (uint32_t)param < call->arg_count &&
		call->args[param].word & CL_MEM_USE_HOST_PTR;
}

/* What the driver will take, packed; 0: not known. */
static size_t taken_bytes(const struct claw_trace_call *call)
{
	int size = claw_api_find_param(call->api, CLAW_P_SIZE);
	struct layout layout = { .offset = 0 };

	if (size >= 0 && (uint32_t)size < call->arg_count)
		return (size_t)call->args[size].word;
	return transfer_layout(call, &layout) && !layout.is_image ?
		layout_bytes(&layout) : 0;
}

/* A content that is shorter than that, with 0 behind it. What is too large for
 * any memory is for the driver to refuse. */
static const void *take_all(const struct claw_trace_call *call,
			    const void *bytes, size_t *packed)
{
	size_t taken = taken_bytes(call);
	void *memory;

	if (!bytes || taken <= *packed)
		return bytes;
	memory = mmap(NULL, taken, PROT_READ | PROT_WRITE, MAP_PRIVATE |
		      MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (memory == MAP_FAILED)
		return bytes;
	if (*packed)
		memcpy(memory, bytes, *packed);
	*packed = taken;
	return memory;
}

const void *claw_player_source(struct claw_player *player,
			       const struct claw_trace_call *call,
			       const struct claw_trace_arg *arg)
{
	size_t packed = content_length(player, arg);
	const void *bytes = take_all(call, claw_player_content(player,
					arg->contents && arg->count ?
					arg->contents[0] : 0, packed), &packed);
	struct layout layout;
	unsigned char *memory;
	bool is_spread = find_layout(call, packed, &layout) &&
		!layout.is_packed && layout_bytes(&layout) <= packed;
	size_t reach = is_spread ? layout_reach(&layout) : packed;

	if (!bytes || (!is_spread && !keeps_host_pointer(call)))
		return bytes;
	memory = claw_player_scratch(player, arg->word, reach);
	if (memory && is_spread)
		spread(&layout, bytes, memory);
	else if (memory && packed)
		memcpy(memory, bytes, packed);
	return memory;
}

/* ---- mappings --------------------------------------------------------- */

static void wait_for_mapping(struct claw_player *player,
			     struct claw_played *mapping)
{
	if (mapping->is_ready || !mapping->queue)
		return;
	if (player->waiting_events == 0)
		clFinish(mapping->queue);
	mapping->is_ready = true;
}

void claw_player_write_mapping(struct claw_player *player,
			       const struct claw_trace_call *call,
			       const struct claw_trace_arg *arg)
{
	uint32_t number = arg->contents ? arg->contents[0] : 0;
	struct claw_played *mapping;
	struct layout layout = { .offset = 0 };
	const void *bytes;
	size_t length, room;

	if (!number || !arg->objects || !arg->objects[0] ||
	    arg->objects[0] > player->trace->object_count ||
	    number > player->trace->content_count)
		return;
	mapping = &player->objects[arg->objects[0] - 1];
	if (!mapping->is_made)
		return;
	wait_for_mapping(player, mapping);
	length = player->trace->contents[number - 1].length;
	/* No further than what was mapped, or allocated. */
	room = player->trace->objects[arg->objects[0] - 1].bytes;
	room = arg->word < room ? room - arg->word : 0;
	if (length > room)
		length = room;
	bytes = claw_player_content(player, number, length);
	memcpy(layout.region, mapping->region, sizeof(layout.region));
	if (bytes && mapping->region[0] && mapping->row_pitch) {
		layout.region[0] *= length / (mapping->region[0] *
			mapping->region[1] * mapping->region[2]);
		layout.row_pitch = mapping->row_pitch;
		layout.slice_pitch = mapping->slice_pitch ?
			mapping->slice_pitch :
			mapping->row_pitch * mapping->region[1];
		spread(&layout, bytes,
		       (unsigned char *)(uintptr_t)mapping->value);
	} else if (bytes && length) {
		memcpy((unsigned char *)(uintptr_t)mapping->value + arg->word,
		       bytes, length);
	}
	(void)call;
}
