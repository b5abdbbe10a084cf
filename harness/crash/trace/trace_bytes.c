/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How many bytes calls are about: of memory that they make, of the program's
 * memory that they write to. Products that do not fit are UINT64_MAX.
 */
#include "config.h"

#include <string.h>

#include "faults/shared/image_bytes.h"
#include "trace_parts.h"

static uint64_t times(uint64_t a, uint64_t b)
{
	uint64_t product;

	return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

static uint64_t plus(uint64_t a, uint64_t b)
{
	uint64_t sum;

	return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

static uint64_t word_of(const struct claw_trace_call *call, const char *name)
{
	int param = claw_api_find_name(call->api, name);

	return param >= 0 ? call->args[param].word : 0;
}

/* The bytes of that parameter, when they are all there. */
static bool bytes_of(const struct claw_trace_call *call, const char *name,
		     void *buffer, size_t size)
{
	int param = claw_api_find_name(call->api, name);

	if (param < 0 || !call->args[param].bytes ||
	    call->args[param].size < size)
		return false;
	memcpy(buffer, call->args[param].bytes, size);
	return true;
}

static uint64_t or_one(uint64_t size)
{
	return size ? size : 1;
}

static uint64_t image_bytes(const struct claw_trace_call *call)
{
	cl_image_format format;
	cl_image_desc desc;
	uint64_t bytes, region[3];

	if (!bytes_of(call, "image_format", &format, sizeof(format)))
		return 0;
	bytes = claw_image_element_bytes(&format);
	if (bytes_of(call, "image_desc", &desc, sizeof(desc))) {
		claw_image_region(&desc, region);
		return times(times(bytes, region[0]),
			     times(region[1], region[2]));
	}
	return times(times(bytes, word_of(call, "image_width")),
		     times(or_one(word_of(call, "image_height")),
			   or_one(word_of(call, "image_depth"))));
}

/* Of the image that the call is about; 0: not known. */
static uint64_t element_bytes(const struct claw_trace *trace,
			      const struct claw_trace_call *call)
{
	const struct claw_trace_arg *mem = claw_trace_arg_find(call,
							       CLAW_P_MEM);
	const struct claw_trace_object *image;
	cl_image_format format;

	if (!mem || !mem->objects || mem->count == 0)
		return 0;
	image = claw_trace_object_get(trace, mem->objects[0]);
	if (!image || !image->made_by ||
	    !bytes_of(&trace->calls[image->made_by - 1], "image_format",
		      &format, sizeof(format)))
		return 0;
	return claw_image_element_bytes(&format);
}

/* From a first byte to behind the last one of a region with these pitches. */
static uint64_t span(uint64_t width_bytes, uint64_t height, uint64_t depth,
		     uint64_t row, uint64_t slice)
{
	if (width_bytes == 0 || height == 0 || depth == 0)
		return 0;
	row = row ? row : width_bytes;
	slice = slice ? slice : times(row, height);
	return plus(plus(times(slice, depth - 1), times(row, height - 1)),
		    width_bytes);
}

uint64_t claw_trace_mem_bytes(const struct claw_trace *trace,
			      const struct claw_trace_call *call)
{
	const struct claw_trace_arg *size = claw_trace_arg_find(call,
								CLAW_P_SIZE);
	cl_buffer_region part;
	uint64_t region[3];

	if (size)
		return size->word;
	if (call->api == CLAW_API_clCreatePipe)
		return times(word_of(call, "pipe_packet_size"),
			     word_of(call, "pipe_max_packets"));
	if (bytes_of(call, "buffer_create_info", &part, sizeof(part)))
		return part.size;
	if (bytes_of(call, "region", region, sizeof(region)))
		return times(times(element_bytes(trace, call), region[0]),
			     times(region[1], region[2]));
	return image_bytes(call);
}

uint64_t claw_trace_read_bytes(const struct claw_trace *trace,
			       const struct claw_trace_call *call)
{
	const struct claw_trace_arg *size = claw_trace_arg_find(call,
								CLAW_P_SIZE);
	bool is_rect = call->api == CLAW_API_clEnqueueReadBufferRect;
	uint64_t origin[3] = { 0 }, region[3], row, slice;

	if (size)
		return size->word;
	if (!bytes_of(call, "region", region, sizeof(region)))
		return 0;
	row = word_of(call, is_rect ? "host_row_pitch" : "row_pitch");
	slice = word_of(call, is_rect ? "host_slice_pitch" : "slice_pitch");
	if (!is_rect)
		return span(times(element_bytes(trace, call), region[0]),
			    region[1], region[2], row, slice);
	if (!bytes_of(call, "host_origin", origin, sizeof(origin)))
		return 0;
	row = row ? row : region[0];
	slice = slice ? slice : times(row, region[1]);
	return plus(span(region[0], region[1], region[2], row, slice),
		    plus(plus(times(origin[2], slice), times(origin[1], row)),
			 origin[0]));
}
