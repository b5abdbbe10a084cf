/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a chosen launch is given: its memory objects, read back by the driver
 * before it, on its own queue and behind what it waits for. Not where that
 * might wait for the program itself, not within a callback of the program,
 * whose thread may be the one that it would wait for, and not of a device that
 * failed; these are counted. Shared memory that the host may write to at any
 * time is read with every launch.
 */
#include "config.h"

#include "trace_private.h"

#include <string.h>

enum { SHARED_MAX = 4 << 20 };

struct reading {
	const struct claw_call *call;
	cl_mem mem;
	bool is_image;
	uint64_t row_bytes, rows;	/* of an image's slice */
};

/* The launch's own wait list, the last parameters but one. */
static cl_uint wait_list(const struct claw_call *call,
			 const cl_event **ret_events)
{
	unsigned int count = claw_api_table[call->api].param_count;

	*ret_events = CLAW_ARG_AT(call, cl_event *, count - 2);
	return *ret_events ? CLAW_ARG_AT(call, cl_uint, count - 3) : 0;
}

static bool read_buffer(const struct reading *reading, uint64_t offset,
			void *to, uint64_t bytes)
{
	cl_command_queue queue =
		CLAW_ARG(reading->call, clEnqueueNDRangeKernel, command_queue);
	const cl_event *events;
	cl_uint count = wait_list(reading->call, &events);
	cl_int err;

	claw_ours_begin();
	err = claw_next.clEnqueueReadBuffer(queue, reading->mem, CL_TRUE,
					    offset, bytes, to, count,
					    count ? events : NULL, NULL);
	claw_ours_end();
	return !err;
}

/* Whole rows, as many as there are in a piece. */
static bool read_image(const struct reading *reading, uint64_t offset,
		       unsigned char *to, uint64_t bytes)
{
	cl_command_queue queue =
		CLAW_ARG(reading->call, clEnqueueNDRangeKernel, command_queue);
	const cl_event *events;
	cl_uint count = wait_list(reading->call, &events);
	cl_int err = CL_SUCCESS;

	claw_ours_begin();
	while (bytes >= reading->row_bytes && !err) {
		uint64_t row = offset / reading->row_bytes;
		size_t origin[3] = { 0, row % reading->rows,
				     row / reading->rows };
		size_t region[3] = { 0, 1, 1 };
		size_t width = 0;

		err = claw_next.clGetImageInfo(reading->mem, CL_IMAGE_WIDTH,
					       sizeof(width), &width, NULL);
		region[0] = width;
		if (!err)
			err = claw_next.clEnqueueReadImage(queue, reading->mem,
				CL_TRUE, origin, region, 0, 0, to, count,
				count ? events : NULL, NULL);
		to += reading->row_bytes;
		offset += reading->row_bytes;
		bytes -= reading->row_bytes;
	}
	claw_ours_end();
	return !err && !bytes;
}

static bool read_back(void *user, uint64_t offset, void *to, uint64_t bytes)
{
	const struct reading *reading = user;

	return reading->is_image ? read_image(reading, offset, to, bytes) :
		read_buffer(reading, offset, to, bytes);
}

/* An image whose rows do not fill a piece is left alone: pieces are of one
 * size. */
static bool measure_image(struct reading *reading, uint64_t *ret_bytes)
{
	size_t width = 0, height = 0, depth = 0, layers = 0, element = 0;
	cl_mem_object_type type = 0;
	bool good;

	claw_ours_begin();
	good = !claw_next.clGetMemObjectInfo(reading->mem, CL_MEM_TYPE,
					     sizeof(type), &type, NULL);
	reading->is_image = type != CL_MEM_OBJECT_BUFFER &&
		type != CL_MEM_OBJECT_PIPE;
	if (good && reading->is_image)
		good = !claw_next.clGetImageInfo(reading->mem, CL_IMAGE_WIDTH,
				sizeof(width), &width, NULL) &&
			!claw_next.clGetImageInfo(reading->mem,
				CL_IMAGE_HEIGHT, sizeof(height), &height,
				NULL) &&
			!claw_next.clGetImageInfo(reading->mem, CL_IMAGE_DEPTH,
				sizeof(depth), &depth, NULL) &&
			!claw_next.clGetImageInfo(reading->mem,
				CL_IMAGE_ARRAY_SIZE, sizeof(layers), &layers,
				NULL) &&
			!claw_next.clGetImageInfo(reading->mem,
				CL_IMAGE_ELEMENT_SIZE, sizeof(element),
				&element, NULL);
	claw_ours_end();
	if (!good || type == CL_MEM_OBJECT_PIPE)
		return false;
	if (!reading->is_image)
		return true;
	reading->row_bytes = width * element;
	reading->rows = type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? layers :
		height ? height : 1;
	*ret_bytes = reading->row_bytes * reading->rows *
		(type == CL_MEM_OBJECT_IMAGE2D_ARRAY ? layers :
		 depth ? depth : 1);
	return reading->row_bytes && (256u << 10) % reading->row_bytes == 0;
}

static void keep_memory(const struct claw_call *call,
			const struct claw_trace_held *held,
			struct claw_trace_items *items)
{
	struct reading reading = {
		.call = call, .mem = (cl_mem)(uintptr_t)held->value,
	};
	struct claw_trace_source source = claw_source_plain(NULL, 0);
	struct claw_trace_content content;
	struct claw_ledger_entry entry;
	uint64_t bytes;

	if (!claw_ledger_copy(CLAW_OBJ_MEM, reading.mem, &entry))
		return;
	bytes = entry.bytes;
	if (!measure_image(&reading, &bytes) || !bytes)
		return;
	source.row_bytes = bytes;
	source.read = read_back;
	source.user = &reading;
	if (claw_contents_keep(&source, &content))
		claw_items_content(items, CLAW_PAYLOAD_BEFORE, 1, held->index,
				   &content);
}

static void keep_shared(const struct claw_trace_held *held,
			struct claw_trace_items *items)
{
	enum claw_turn turn = claw_trace_enter();
	struct claw_trace_content content;
	struct claw_trace_range range;
	bool found;

	if (turn == CLAW_TURN_NONE)
		return;
	found = claw_ranges_shared(held->value, &range);
	claw_trace_leave(turn);
	if (found && range.host && range.bytes <= SHARED_MAX &&
	    claw_contents_keep(&range.source, &content))
		claw_items_content(items, CLAW_PAYLOAD_BEFORE, 1, held->index,
				   &content);
}

static bool is_chosen(uint64_t kernel, bool *ret_gates,
		      struct claw_trace_held *held, unsigned int *ret_count)
{
	static uint64_t launches;
	enum claw_turn turn = claw_trace_enter();
	bool chosen = false;

	*ret_count = 0;
	if (turn == CLAW_TURN_NONE)
		return false;
	*ret_count = claw_args_held(kernel, held, CLAW_TRACE_HELD);
	*ret_gates = claw_slots_have_gates();
	if (claw_own_trace.config.buffers == CLAW_CAPTURE_ALL)
		chosen = true;
	else if (claw_own_trace.config.buffers == CLAW_CAPTURE_LAUNCH &&
		 claw_args_is_chosen(kernel))
		chosen = ++launches == claw_own_trace.config.launch ||
			!claw_own_trace.config.launch;
	claw_trace_leave(turn);
	return chosen;
}

/* May what it is given be read back? What may not is counted. */
static bool may_read(bool gates)
{
	enum claw_unread_reason reason;

	if (claw_is_called_back() || !claw_callbacks_are_known())
		reason = CLAW_UNREAD_CALLBACK;
	else if (gates)
		reason = CLAW_UNREAD_WAITS;
	else if (claw_own_trace.told_failure)
		reason = CLAW_UNREAD_FAILED;
	else
		return true;
	__atomic_fetch_add(&claw_own_trace.header->unread[reason], 1,
			   __ATOMIC_RELAXED);
	return false;
}

void claw_before_launch(const struct claw_call *call,
			struct claw_trace_items *items)
{
	struct claw_trace_held held[CLAW_TRACE_HELD];
	bool chosen, gates = true;
	unsigned int count;

	if (claw_own_trace.config.buffers < CLAW_CAPTURE_HASH)
		return;
	chosen = is_chosen(
		claw_number(CLAW_ARG(call, clEnqueueNDRangeKernel, kernel)),
		&gates, held, &count);
	chosen = chosen && may_read(gates);
	for (unsigned int i = 0; i < count; i++) {
		if (held[i].flags & CLAW_PAYLOAD_IS_SVM)
			keep_shared(&held[i], items);
		else if (chosen)
			keep_memory(call, &held[i], items);
	}
}
