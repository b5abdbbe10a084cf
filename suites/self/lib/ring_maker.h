/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The files of traces for tests, as the guest would write them: a call is
 * begun, given its payloads and ended; slots and contents beside it.
 * made_program() is a whole small program.
 *
 *	static struct made_trace made;
 *
 *	made_trace_init(&made);
 *	MADE_CALL(&made, clCreateContext, 0, 1, 0x20, 0, 0, 0);
 *	made_bytes(&made, 2, devices, sizeof(devices));
 *	made_end(&made, CL_SUCCESS, 0x100);
 */
#ifndef RING_MAKER_H
#define RING_MAKER_H

#include <stdlib.h>
#include <string.h>

#include "faults/shared/api.h"
#include "faults/shared/trace_format.h"

enum {
	MADE_RING_BYTES = 2 * CLAW_TRACE_BLOCK_BYTES,
	MADE_SLOTS = 32,
	MADE_CONTENT_BYTES = 16 << 10,
};

struct made_trace {
	struct claw_trace_header header;
	unsigned char slots[MADE_SLOTS][CLAW_TRACE_SLOT_BYTES];
	_Alignas(8) unsigned char ring[MADE_RING_BYTES];
	/* Not of the file: */
	_Alignas(8) unsigned char contents[MADE_CONTENT_BYTES];
	size_t contents_used;
	unsigned int slot_count;
	uint64_t ticks;
	struct claw_trace_record *record;	/* the one that is made */
	struct claw_trace_record *last;		/* the one before it */
};

enum { MADE_TRACE_BYTES = offsetof(struct made_trace, contents) };

static inline void made_padding(struct made_trace *made, size_t bytes)
{
	struct claw_trace_record *record = (void *)(made->ring +
		made->header.ring_used % MADE_RING_BYTES);

	record->bytes = (uint32_t)bytes;
	record->state = CLAW_TRACE_PADDING;
	record->api = 0;
	made->header.ring_used += bytes;
}

/* Empty; the first block is padding, as the guest has it. */
static inline void made_trace_init(struct made_trace *made)
{
	memset(made, 0, sizeof(*made));
	memcpy(made->header.magic, CLAW_TRACE_MAGIC,
	       sizeof(made->header.magic));
	made->header.version = CLAW_TRACE_VERSION;
	made->header.header_bytes = sizeof(made->header);
	made->header.endian = CLAW_JOURNAL_ENDIAN;
	made->header.pid = 4711;
	made->header.buffers = CLAW_CAPTURE_HASH;
	made->header.file_bytes = MADE_TRACE_BYTES;
	made->header.slots_offset = offsetof(struct made_trace, slots);
	made->header.slot_count = MADE_SLOTS;
	made->header.slot_bytes = CLAW_TRACE_SLOT_BYTES;
	made->header.ring_offset = offsetof(struct made_trace, ring);
	made->header.ring_bytes = MADE_RING_BYTES;
	memcpy(made->contents, CLAW_CONTENTS_MAGIC, 8);
	made->contents_used = 8;
	made_padding(made, CLAW_TRACE_BLOCK_BYTES);
}

/* A call was entered. */
static inline void made_begin(struct made_trace *made, unsigned int api,
			      const uint64_t *words, unsigned int count)
{
	static const size_t most = 4096;
	size_t left = CLAW_TRACE_BLOCK_BYTES -
		made->header.ring_used % CLAW_TRACE_BLOCK_BYTES;
	struct claw_trace_record *record;

	if (left < most)
		made_padding(made, left);
	record = (void *)(made->ring + made->header.ring_used %
			  MADE_RING_BYTES);
	memset(record, 0, most);
	*record = (struct claw_trace_record) {
		.bytes = (uint32_t)(sizeof(*record) + count * 8),
		.state = CLAW_TRACE_BEGUN,
		.api = (uint16_t)api,
		.position = made->header.ring_used,
		.ticks = ++made->ticks,
		.ordinal = made->header.calls + 1,
		.thread = 1,
		.word_count = (uint8_t)count,
	};
	memcpy(record + 1, words, count * 8);
	made->header.calls++;
	made->record = record;
}

#define MADE_CALL(made_, name_, ...)					\
	made_begin((made_), CLAW_API_##name_,				\
		   (const uint64_t[]) { __VA_ARGS__ },			\
		   sizeof((const uint64_t[]) { __VA_ARGS__ }) / 8)

/* A payload of the call that was begun. */
static inline void made_payload(struct made_trace *made,
				struct claw_trace_payload payload,
				const void *bytes, size_t size)
{
	unsigned char *at = (unsigned char *)made->record +
		made->record->bytes;

	payload.bytes = (uint32_t)size;
	memcpy(at, &payload, sizeof(payload));
	if (size > 0)
		memcpy(at + sizeof(payload), bytes, size);
	made->record->bytes += (uint32_t)(sizeof(payload) + (size + 7) / 8 * 8);
	made->record->payload_count++;
}

static inline void made_bytes(struct made_trace *made, unsigned int param,
			      const void *bytes, size_t size)
{
	made_payload(made, (struct claw_trace_payload) {
		.kind = CLAW_PAYLOAD_BYTES, .param = (uint8_t)param,
	}, bytes, size);
}

/* A handle that it gives out through this parameter. */
static inline void made_made(struct made_trace *made, unsigned int param,
			     uint64_t handle)
{
	made_payload(made, (struct claw_trace_payload) {
		.kind = CLAW_PAYLOAD_MADE, .param = (uint8_t)param,
	}, &handle, sizeof(handle));
}

/* An argument of a launch's kernel. */
static inline void made_argument(struct made_trace *made, uint32_t index,
				 unsigned int flags, const void *bytes,
				 size_t size)
{
	made_payload(made, (struct claw_trace_payload) {
		.kind = CLAW_PAYLOAD_ARGUMENT, .index = index,
		.flags = (uint16_t)flags, .value = size,
	}, bytes, flags & CLAW_PAYLOAD_IS_LOCAL ? 0 : size);
}

/* Bytes in the contents file. */
static inline struct claw_trace_content
made_content(struct made_trace *made, const void *bytes, size_t size)
{
	struct claw_trace_content content = {
		.length = size, .offset = made->contents_used,
	};

	claw_trace_hash(bytes, size, content.hash);
	memcpy(made->contents + made->contents_used, bytes, size);
	made->contents_used += (size + 7) / 8 * 8;
	return content;
}

/* The program's memory behind a parameter (CLAW_PAYLOAD_CONTENT), or a text. */
static inline struct claw_trace_content
made_data(struct made_trace *made, enum claw_payload_kind kind,
	  unsigned int param, const void *bytes, size_t size)
{
	struct claw_trace_content content = made_content(made, bytes, size);

	made_payload(made, (struct claw_trace_payload) {
		.kind = (uint8_t)kind, .param = (uint8_t)param,
	}, &content, sizeof(content));
	return content;
}

/* As the call was entered, it never came back. */
static inline void made_leave(struct made_trace *made)
{
	made->record->check = claw_trace_record_check(made->record);
	made->header.ring_used += made->record->bytes;
	made->last = made->record;
}

/* The call has returned. */
static inline void made_end(struct made_trace *made, int32_t result,
			    uint64_t handle)
{
	made->record->result = result;
	made->record->handle = handle;
	made->record->end_ticks = ++made->ticks;
	made->record->state = CLAW_TRACE_DONE;
	made_leave(made);
}

/* A launch whose arguments are those of the record at that position. */
static inline void made_same(struct made_trace *made, uint64_t queue,
			     uint64_t kernel, uint64_t position)
{
	MADE_CALL(made, clEnqueueNDRangeKernel, queue, kernel, 1, 0, 0x7ff0, 0,
		  0, 0, 0);
	made_payload(made, (struct claw_trace_payload) {
		.kind = CLAW_PAYLOAD_SAME, .param = 1, .value = position,
	}, NULL, 0);
	made_end(made, 0, 0);
}

/* The arguments once more of a launch at that position: one, of 4 bytes. */
static inline void made_base(struct made_trace *made, uint64_t queue,
			     uint64_t kernel, uint64_t position, int value)
{
	MADE_CALL(made, clEnqueueNDRangeKernel, queue, kernel);
	made->header.calls--;
	made_payload(made, (struct claw_trace_payload) {
		.kind = CLAW_PAYLOAD_SAME, .param = 1, .value = position,
	}, NULL, 0);
	made_argument(made, 0, 0, &value, sizeof(value));
	made->record->state = CLAW_TRACE_BASE;
	made_leave(made);
}

/* The last call is kept for this object. content: NULL, or what is in it. */
static inline struct claw_trace_slot *
made_slot(struct made_trace *made, uint64_t owner,
	  const struct claw_trace_content *content)
{
	struct claw_trace_slot *slot = (void *)made->slots[made->slot_count++];

	*slot = (struct claw_trace_slot) {
		.state = CLAW_SLOT_LIVE, .owner = owner,
		.record.length = made->last->bytes,
	};
	if (content) {
		slot->content = *content;
		slot->content_position = made->last->position;
	}
	if (made->last->bytes > CLAW_TRACE_SLOT_BYTES - sizeof(*slot))
		slot->record = made_content(made, made->last,
					    made->last->bytes);
	else
		memcpy(slot + 1, made->last, made->last->bytes);
	slot->check = claw_trace_slot_check(slot);
	return slot;
}

/* The ring comes round: what was in it is forgotten but for the slots. */
static inline void made_forget(struct made_trace *made)
{
	static const size_t blocks[] = { 0, CLAW_TRACE_BLOCK_BYTES };

	made->header.ring_used += MADE_RING_BYTES -
		made->header.ring_used % CLAW_TRACE_BLOCK_BYTES;
	memset(made->ring, 0, sizeof(made->ring));
	for (size_t i = 0; i < sizeof(blocks) / sizeof(*blocks); i++)
		((struct claw_trace_record *)(void *)
		 (made->ring + blocks[i]))->state = CLAW_TRACE_PADDING;
}

enum {	/* handles of made_program() */
	MADE_PLATFORM = 0x10, MADE_DEVICE = 0x20, MADE_CONTEXT = 0x100,
	MADE_QUEUE = 0x200, MADE_PROGRAM = 0x300, MADE_KERNEL = 0x400,
	MADE_BUFFER = 0x500, MADE_SECOND = 0x600, MADE_EVENT = 0x700,
	MADE_SVM = 0x100000, MADE_MAPPED = 0x200000,
};

static inline void made_objects(struct made_trace *made)
{
	static const char source[] = "kernel void blur(global int *a, int n, "
		"local int *l) { l[0] = n; a[0] = l[0]; }";
	static const uint64_t properties[] = { 0x1084, MADE_PLATFORM, 0 };
	static const uint64_t devices[] = { MADE_DEVICE };

	MADE_CALL(made, clCreateContext, 0x7ff0, 1, 0x7ff8, 0, 0, 0x7ffc);
	made_bytes(made, 0, properties, sizeof(properties));
	made_bytes(made, 2, devices, sizeof(devices));
	made_end(made, 0, MADE_CONTEXT);
	made_slot(made, MADE_CONTEXT, NULL);
	MADE_CALL(made, clCreateCommandQueue, MADE_CONTEXT, MADE_DEVICE, 2, 0);
	made_end(made, 0, MADE_QUEUE);
	made_slot(made, MADE_QUEUE, NULL);
	MADE_CALL(made, clCreateProgramWithSource, MADE_CONTEXT, 1, 0x7ff0, 0,
		  0);
	made_data(made, CLAW_PAYLOAD_TEXTS, 2, source, sizeof(source) - 1);
	made_end(made, 0, MADE_PROGRAM);
	made_slot(made, MADE_PROGRAM, NULL);
	MADE_CALL(made, clBuildProgram, MADE_PROGRAM, 0, 0, 0x7ff0, 0, 0);
	made_bytes(made, 3, "-DN=4", 6);
	made_end(made, 0, 0);
	made_slot(made, MADE_PROGRAM, NULL);
	MADE_CALL(made, clCreateKernel, MADE_PROGRAM, 0x7ff0, 0x7ffc);
	made_bytes(made, 1, "blur", 5);
	made_end(made, 0, MADE_KERNEL);
	made_slot(made, MADE_KERNEL, NULL);
}

/* A write, a launch with all kinds of arguments, a read. */
static inline void made_commands(struct made_trace *made)
{
	static const unsigned char data[64] = { 1, 2, 3, 4 };
	static const uint64_t global[] = { 16 }, buffer = MADE_BUFFER;
	static const uint64_t events[] = { MADE_EVENT };
	static const int n = 7;

	MADE_CALL(made, clEnqueueWriteBuffer, MADE_QUEUE, MADE_BUFFER, 1, 0,
		  64, 0x9000, 0, 0, 0);
	made_data(made, CLAW_PAYLOAD_CONTENT, 5, data, sizeof(data));
	made_end(made, 0, 0);
	MADE_CALL(made, clEnqueueNDRangeKernel, MADE_QUEUE, MADE_KERNEL, 1, 0,
		  0x7ff0, 0, 0, 0, 0x7ff8);
	made_bytes(made, 4, global, sizeof(global));
	made_argument(made, 0, CLAW_PAYLOAD_IS_MEM, &buffer, 8);
	made_argument(made, 1, 0, &n, sizeof(n));
	made_argument(made, 2, CLAW_PAYLOAD_IS_LOCAL, NULL, 256);
	made_made(made, 8, MADE_EVENT);
	made_end(made, 0, 0);
	MADE_CALL(made, clEnqueueReadBuffer, MADE_QUEUE, MADE_BUFFER, 1, 0, 64,
		  0x9000, 1, 0x7ff0, 0);
	made_bytes(made, 7, events, sizeof(events));
	made_end(made, 0, 0);
	MADE_CALL(made, clReleaseEvent, MADE_EVENT);
	made_end(made, 0, 0);
}

/* Shared memory, a mapping, a buffer that is gone and one at its address, an
 * event that failed, a call that never came back. */
static inline void made_rest(struct made_trace *made)
{
	static const unsigned char data[32] = { 9 };

	MADE_CALL(made, clSVMAlloc, MADE_CONTEXT, 1, 4096, 0);
	made_end(made, 0, MADE_SVM);
	MADE_CALL(made, clEnqueueSVMMemcpy, MADE_QUEUE, 1, MADE_SVM + 64,
		  0x9000, 32, 0, 0, 0);
	made_data(made, CLAW_PAYLOAD_CONTENT, 3, data, sizeof(data));
	made_end(made, 0, 0);
	MADE_CALL(made, clEnqueueMapBuffer, MADE_QUEUE, MADE_BUFFER, 1, 3, 0,
		  64, 0, 0, 0, 0);
	made_end(made, 0, MADE_MAPPED);
	MADE_CALL(made, clEnqueueUnmapMemObject, MADE_QUEUE, MADE_BUFFER,
		  MADE_MAPPED, 0, 0, 0);
	made_data(made, CLAW_PAYLOAD_CONTENT, 2, data, sizeof(data));
	made_end(made, 0, 0);
	MADE_CALL(made, clReleaseMemObject, MADE_SECOND);
	made_end(made, 0, 0);
	MADE_CALL(made, clCreateBuffer, MADE_CONTEXT, 1, 2048, 0, 0);
	made_end(made, 0, MADE_SECOND);
	MADE_CALL(made, clEnqueueReadBuffer, MADE_QUEUE, MADE_SECOND, 1, 0,
		  2048, 0x9000, 0, 0, 0);
	made_end(made, CL_OUT_OF_RESOURCES, 0);
	made_begin(made, UINT16_MAX, (const uint64_t[]) { MADE_EVENT }, 1);
	made_end(made, -5, MADE_EVENT);
	made->header.trigger_position = made->last->position;
	MADE_CALL(made, clFinish, MADE_QUEUE);
	made_leave(made);
}

/* A program with all of that in its ring: 20 calls. */
static inline void made_program(struct made_trace *made)
{
	static const unsigned char data[128] = { 5, 6, 7 };
	struct claw_trace_content content;

	made_trace_init(made);
	made_objects(made);
	MADE_CALL(made, clCreateBuffer, MADE_CONTEXT, 1 | 1 << 5, 128, 0x9000,
		  0);
	content = made_data(made, CLAW_PAYLOAD_CONTENT, 3, data, sizeof(data));
	made_end(made, 0, MADE_BUFFER);
	made_slot(made, MADE_BUFFER, &content);
	MADE_CALL(made, clCreateBuffer, MADE_CONTEXT, 1, 1024, 0, 0);
	made_end(made, 0, MADE_SECOND);
	made_commands(made);
	made_rest(made);
}

#endif
