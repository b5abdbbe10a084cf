/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What calls give to memory objects: host pointers of creations, writes,
 * mappings that were written through, shared memory. And what a call that was
 * a success makes of the objects: which one's content is known now, and which
 * one's may be another.
 */
#include "config.h"

#include "trace_private.h"

#include <string.h>

#include "faults/shared/image_bytes.h"

static const unsigned char *pointer_at(const struct claw_call *call,
				       unsigned int param)
{
	return CLAW_ARG_AT(call, unsigned char *, param);
}

static bool is_given(cl_mem_flags flags)
{
	return flags & (CL_MEM_COPY_HOST_PTR | CL_MEM_USE_HOST_PTR);
}

/* ---- boxes */

static bool read_sizes(const size_t *from, uint64_t *to)
{
	size_t sizes[3];

	if (!claw_source_copy(sizes, from, sizeof(sizes)))
		return false;
	for (int i = 0; i < 3; i++)
		to[i] = sizes[i];
	return true;
}

/* Rows of row_bytes in a memory with these pitches (0: none between). */
static struct claw_trace_source box(const unsigned char *base,
				    uint64_t row_bytes, uint64_t rows,
				    uint64_t slices, uint64_t row_pitch,
				    uint64_t slice_pitch)
{
	struct claw_trace_source source = {
		.base = base, .row_bytes = row_bytes, .rows = rows,
		.slices = slices,
		.row_pitch = row_pitch ? row_pitch : row_bytes,
	};

	source.slice_pitch = slice_pitch ? slice_pitch :
		source.row_pitch * rows;
	/* Without gaps it is one piece. */
	if (source.row_pitch == row_bytes &&
	    (slices == 1 || source.slice_pitch == row_bytes * rows))
		source = claw_source_plain(base, row_bytes * rows * slices);
	return source;
}

/* Lists of lines lie a slice apart. */
static struct claw_trace_source image_box(const unsigned char *base,
					  cl_mem_object_type type,
					  uint64_t element,
					  const uint64_t *region,
					  uint64_t row_pitch,
					  uint64_t slice_pitch)
{
	if (type == CL_MEM_OBJECT_IMAGE1D_ARRAY && slice_pitch)
		row_pitch = slice_pitch;
	return box(base, region[0] * element, region[1] ? region[1] : 1,
		   region[2] ? region[2] : 1, row_pitch, slice_pitch);
}

/* ---- host pointers of creations */

static bool new_image(const struct claw_call *call, unsigned int param,
		      struct claw_trace_source *ret)
{
	struct claw_new_image image;
	cl_image_format format;
	cl_image_desc desc;
	uint64_t region[3];

	if (!claw_call_new_image(call, &image) ||
	    !claw_source_copy(&format, image.format, sizeof(format)) ||
	    !claw_source_copy(&desc, image.desc, sizeof(desc)))
		return false;
	claw_image_region(&desc, region);
	*ret = image_box(pointer_at(call, param), desc.image_type,
			 claw_image_element_bytes(&format), region,
			 desc.image_row_pitch, desc.image_slice_pitch);
	return true;
}

/* ---- writes */

static uint64_t image_info(cl_mem image, cl_mem_object_type *ret_type)
{
	size_t element = 0;

	*ret_type = 0;
	claw_ours_begin();
	if (claw_next.clGetImageInfo(image, CL_IMAGE_ELEMENT_SIZE,
				     sizeof(element), &element, NULL))
		element = 0;
	if (claw_next.clGetMemObjectInfo(image, CL_MEM_TYPE, sizeof(*ret_type),
					 ret_type, NULL))
		*ret_type = 0;
	claw_ours_end();
	return element;
}

static bool is_memory(cl_mem mem)
{
	enum claw_turn turn = claw_trace_enter();
	bool is = false;

	if (turn == CLAW_TURN_NONE)
		return false;
	is = claw_slots_find(claw_number(mem)) == CLAW_OBJ_MEM;
	claw_trace_leave(turn);
	return is;
}

static bool write_image(const struct claw_call *call,
			const struct claw_touch *host,
			struct claw_trace_source *ret)
{
	const struct claw_touch *to =
		claw_api_find_touch(call->api, CLAW_TOUCH_IMAGE);
	cl_mem image = CLAW_ARG_AT(call, cl_mem, to->memory);
	cl_mem_object_type type;
	uint64_t region[3], element;

	/* The driver is not asked about what may be no handle. */
	if (!is_memory(image) ||
	    !read_sizes(CLAW_ARG_AT(call, size_t *, host->size), region))
		return false;
	element = image_info(image, &type);
	*ret = image_box(pointer_at(call, (unsigned int)host->memory), type,
			 element, region,
			 CLAW_ARG_AT(call, size_t, host->row),
			 CLAW_ARG_AT(call, size_t, host->slice));
	return element;
}

static bool write_rectangle(const struct claw_call *call,
			    const struct claw_touch *host,
			    struct claw_trace_source *ret)
{
	uint64_t origin[3], region[3];
	uint64_t row = CLAW_ARG_AT(call, size_t, host->row);
	uint64_t slice = CLAW_ARG_AT(call, size_t, host->slice);

	if (!read_sizes(CLAW_ARG_AT(call, size_t *, host->at), origin) ||
	    !read_sizes(CLAW_ARG_AT(call, size_t *, host->size), region))
		return false;
	row = row ? row : region[0];
	slice = slice ? slice : row * region[1];
	*ret = box(pointer_at(call, (unsigned int)host->memory) +
		   origin[2] * slice + origin[1] * row + origin[0], region[0],
		   region[1], region[2], row, slice);
	return true;
}

static bool is_all_of(const void *mem, uint64_t offset, uint64_t bytes)
{
	struct claw_ledger_entry entry;

	return !offset && claw_ledger_copy(CLAW_OBJ_MEM, mem, &entry) &&
	       entry.bytes == bytes;
}

/* Of a transfer of plain bytes: are they all of the object? */
static bool is_whole(const struct claw_call *call)
{
	const struct claw_touch *to =
		claw_api_find_touch(call->api, CLAW_TOUCH_BUFFER);

	return to && is_all_of(CLAW_ARG_AT(call, void *, to->memory),
			       CLAW_ARG_AT(call, size_t, to->at),
			       CLAW_ARG_AT(call, size_t, to->size));
}

static bool write_host(const struct claw_call *call,
		       const struct claw_touch *host,
		       struct claw_trace_source *ret, bool *ret_whole)
{
	if (host->kind == CLAW_TOUCH_HOST_RECT)
		return write_rectangle(call, host, ret);
	if (host->kind == CLAW_TOUCH_HOST_PIXELS)
		return write_image(call, host, ret);
	*ret = claw_source_plain(pointer_at(call, (unsigned int)host->memory),
				 CLAW_ARG_AT(call, size_t, host->size));
	*ret_whole = is_whole(call);
	return true;
}

/* ---- mappings and shared memory */

static bool mapped(const struct claw_call *call, unsigned int param,
		   struct claw_trace_source *ret, bool *ret_whole)
{
	enum claw_turn turn = claw_trace_enter();
	struct claw_trace_range range;
	bool found;

	if (turn == CLAW_TURN_NONE)
		return false;
	found = claw_ranges_mapping(claw_number(pointer_at(call, param)),
				    &range);
	claw_trace_leave(turn);
	if (!found || !range.writes)
		return false;
	*ret = range.source;
	*ret_whole = range.whole;
	return true;
}

static bool from_host(const struct claw_call *call, unsigned int param,
		      struct claw_trace_source *ret)
{
	int size = claw_api_table[call->api].counts[param];
	enum claw_turn turn = claw_trace_enter();
	struct claw_trace_range range;
	bool shared;

	if (turn == CLAW_TURN_NONE)
		return false;
	shared = claw_ranges_shared(claw_number(pointer_at(call, param)),
				    &range);
	claw_trace_leave(turn);
	*ret = claw_source_plain(pointer_at(call, param),
				 CLAW_ARG_AT(call, size_t, size));
	return !shared;
}

/* ---- before */

bool claw_data_find(const struct claw_call *call, unsigned int param,
		    struct claw_trace_source *ret, bool *ret_whole)
{
	const struct claw_api_info *info = &claw_api_table[call->api];
	const struct claw_touch *host = claw_api_find_host(call->api);

	*ret_whole = false;
	if (host)
		return write_host(call, host, ret, ret_whole);
	switch ((enum claw_holds)info->holds[param]) {
	case CLAW_HOLDS_MAPPED: case CLAW_HOLDS_SVM_MAPPED:
		return mapped(call, param, ret, ret_whole);
	case CLAW_HOLDS_SVM_IN:
		return from_host(call, param, ret);
	default:
		break;
	}
	*ret_whole = true;
	if (!is_given(claw_call_flags(call)))
		return false;
	if (claw_api_makes_image(call->api))
		return new_image(call, param, ret);
	*ret = claw_source_plain(pointer_at(call, param), claw_call_bytes(call));
	return claw_api_makes_buffer(call->api);
}

/* ---- after a success */

static void map_buffer(const struct claw_call *call)
{
	uint64_t bytes = CLAW_ARG(call, clEnqueueMapBuffer, size);
	struct claw_trace_range range = {
		.start = claw_number(call->ret), .bytes = bytes,
		.mem = claw_number(CLAW_ARG(call, clEnqueueMapBuffer, buffer)),
		.source = claw_source_plain(call->ret, bytes),
		.writes = CLAW_ARG(call, clEnqueueMapBuffer, map_flags) &
			(CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION),
		.whole = is_whole(call),
	};
	enum claw_turn turn = claw_trace_enter();

	if (turn == CLAW_TURN_NONE)
		return;
	claw_ranges_add(&range);
	claw_trace_leave(turn);
}

static void map_image(const struct claw_call *call)
{
	const size_t *row = CLAW_ARG(call, clEnqueueMapImage, image_row_pitch);
	const size_t *slice =
		CLAW_ARG(call, clEnqueueMapImage, image_slice_pitch);
	cl_mem_object_type type;
	uint64_t region[3], element;
	struct claw_trace_range range = {
		.start = claw_number(call->ret),
		.mem = claw_number(CLAW_ARG(call, clEnqueueMapImage, image)),
		.writes = CLAW_ARG(call, clEnqueueMapImage, map_flags) &
			(CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION),
	};
	enum claw_turn turn;

	if (!row ||
	    !read_sizes(CLAW_ARG(call, clEnqueueMapImage, region), region))
		return;
	element = image_info(CLAW_ARG(call, clEnqueueMapImage, image), &type);
	range.source = image_box(call->ret, type, element, region, *row,
				 slice ? *slice : 0);
	turn = claw_trace_enter();
	if (turn == CLAW_TURN_NONE)
		return;
	claw_ranges_add(&range);
	claw_trace_leave(turn);
}

static void map_shared(const struct claw_call *call)
{
	const unsigned char *start = pointer_at(call, 3);
	uint64_t bytes = CLAW_ARG(call, clEnqueueSVMMap, size);
	struct claw_trace_range range = {
		.start = claw_number(start), .bytes = bytes,
		.source = claw_source_plain(start, bytes),
		.writes = CLAW_ARG(call, clEnqueueSVMMap, flags) &
			(CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION),
	};
	enum claw_turn turn;

	if (!range.writes)
		return;
	turn = claw_trace_enter();
	if (turn == CLAW_TURN_NONE)
		return;
	claw_ranges_add(&range);
	claw_trace_leave(turn);
}

static void unmap(const struct claw_call *call, unsigned int param)
{
	enum claw_turn turn = claw_trace_enter();

	if (turn == CLAW_TURN_NONE)
		return;
	claw_ranges_unmapped(claw_number(pointer_at(call, param)));
	claw_trace_leave(turn);
}

/* Shared memory that is new. */
static void share(const struct claw_call *call)
{
	int size = claw_api_find_param(call->api, CLAW_P_SIZE);
	uint64_t bytes = size < 0 ? 0 : CLAW_ARG_AT(call, size_t, size);
	struct claw_trace_range range = {
		.start = claw_number(call->ret), .bytes = bytes,
		.source = claw_source_plain(call->ret, bytes),
		.host = call->api == CLAW_API_clSVMAlloc ?
			(CLAW_ARG(call, clSVMAlloc, flags) &
			 CL_MEM_SVM_FINE_GRAIN_BUFFER) != 0 :
			call->api != CLAW_API_clDeviceMemAllocINTEL,
	};
	enum claw_turn turn = claw_trace_enter();

	if (turn == CLAW_TURN_NONE)
		return;
	claw_ranges_add(&range);
	claw_trace_leave(turn);
}

/* The content among the record's payloads. False: there is none, or others
 * have written over it since. */
static bool content_of(const struct claw_trace_record *record,
		       uint64_t position, struct claw_trace_content *ret)
{
	const uint64_t left = claw_ring_left(record);
	const struct claw_trace_payload *payload = NULL;

	while ((payload = claw_payload_next(record, left, payload)))
		if (payload->kind == CLAW_PAYLOAD_CONTENT &&
		    payload->bytes == sizeof(*ret)) {
			memcpy(ret, payload + 1, sizeof(*ret));
			return claw_ring_has(position);
		}
	return false;
}

static void fill(uint64_t mem, uint64_t position,
		 const struct claw_trace_record *record, bool whole)
{
	struct claw_trace_content content;
	bool known = whole && record && content_of(record, position, &content);
	enum claw_turn turn = claw_trace_enter();

	if (turn == CLAW_TURN_NONE)
		return;
	if (known)
		claw_slots_filled(mem, position, &content);
	else
		claw_slots_changed(mem, position);
	claw_trace_leave(turn);
}

/* Of the commands that change memory, the parameter that is it, or -1. */
static int changed_param(enum claw_api api)
{
	return api == CLAW_API_clEnqueueUnmapMemObject ?
		CLAW_AT(clEnqueueUnmapMemObject, memobj) :
		claw_api_find_written(api);
}

bool claw_data_is_changed(enum claw_api api)
{
	const struct claw_api_info *info = &claw_api_table[api];

	return changed_param(api) >= 0 || api == CLAW_API_clEnqueueMapBuffer ||
	       api == CLAW_API_clEnqueueMapImage ||
	       api == CLAW_API_clEnqueueSVMMap ||
	       api == CLAW_API_clEnqueueSVMUnmap ||
	       (info->effect == CLAW_CREATES &&
		(info->object == CLAW_OBJ_SVM || info->object == CLAW_OBJ_MEM));
}

void claw_data_done(const struct claw_call *call, uint64_t position,
		    const struct claw_trace_record *record)
{
	const struct claw_api_info *info = &claw_api_table[call->api];
	int changed = changed_param(call->api);
	struct claw_trace_content content;
	struct claw_trace_source source;
	bool whole = false;

	if (info->effect == CLAW_CREATES && info->object == CLAW_OBJ_MEM &&
	    (!record || !record->payload_count))
		return;
	switch (call->api) {
	case CLAW_API_clEnqueueMapBuffer:
		map_buffer(call);
		return;
	case CLAW_API_clEnqueueMapImage:
		map_image(call);
		return;
	case CLAW_API_clEnqueueSVMMap:
		map_shared(call);
		return;
	case CLAW_API_clEnqueueSVMUnmap:
		unmap(call, 1);
		return;
	default:
		break;
	}
	if (info->effect == CLAW_CREATES && info->object == CLAW_OBJ_SVM)
		share(call);
	if (info->effect == CLAW_CREATES && info->object == CLAW_OBJ_MEM &&
	    content_of(record, position, &content))
		fill(claw_number(call->ret), position, record, true);
	if (changed < 0)
		return;
	if (claw_api_find_touch(call->api, CLAW_TOUCH_HOST))
		whole = is_whole(call);
	else if (call->api == CLAW_API_clEnqueueUnmapMemObject)
		mapped(call, 2, &source, &whole);
	fill(claw_number(CLAW_ARG_AT(call, void *, changed)), position, record,
	     whole);
	if (call->api == CLAW_API_clEnqueueUnmapMemObject)
		unmap(call, 2);
}
