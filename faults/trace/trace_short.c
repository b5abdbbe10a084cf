/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The trace's short ways, for what programs call most: references, arguments
 * of kernels, and buffers that are made of nothing. A record as of any other
 * call, made with less.
 */
#include "config.h"

#include "trace_private.h"

#include <string.h>

#include "faults/journal/site_cache.h"

enum {
	REFERENCE_BYTES = sizeof(struct claw_trace_record) + 8,
	ARG_WORDS = 4,
	ARG_BYTES = sizeof(struct claw_trace_record) + 8 * ARG_WORDS +
		    sizeof(struct claw_trace_payload) + 8,
	BUFFER_WORDS = CLAW_TRACE_BUFFER_WORDS,
	BUFFER_BYTES = sizeof(struct claw_trace_record) + 8 * BUFFER_WORDS,
	LOST = -9999,
};

struct claw_trace_mark claw_trace_begin_reference(enum claw_api api,
						  const void *handle)
{
	enum claw_turn turn = claw_turn_begin();
	struct claw_trace_mark mark = { .record = NULL };
	uint64_t word = claw_number(handle);

	if (turn == CLAW_TURN_NONE) {
		claw_journal_add_damaged();
		return mark;
	}
	mark.record = claw_ring_claim(turn, REFERENCE_BYTES, &mark.position);
	claw_record_fill(mark.record,
			 claw_trace_ticks_at(mark.position, REFERENCE_BYTES),
			 claw_journal_ordinal(api), 1, 0);
	memcpy(mark.record + 1, &word, sizeof(word));
	claw_ring_show(mark.record, (uint16_t)api, REFERENCE_BYTES, 1,
		       CLAW_TRACE_BEGUN);
	claw_turn_end(turn);
	return mark;
}

void claw_trace_end_reference(const struct claw_trace_mark *mark, cl_int err)
{
	struct claw_trace_record *record = mark->record;

	if (!record || !claw_ring_is_at(record, mark->position))
		return;
	record->result = err;
	if (__builtin_expect(err, 0))
		record->site = claw_site_cached();
	record->end_ticks = record->ticks;
	claw_ring_set_state(record, CLAW_TRACE_DONE);
	claw_ring_check_end(mark->position);
	if (__builtin_expect(err == LOST, 0))
		claw_trace_pull(mark->position);
}

struct claw_trace_mark claw_trace_begin_arg(const void *const *args)
{
	struct claw_trace_payload payload = {
		.bytes = (uint32_t)CLAW_ARG_IN(args, clSetKernelArg, arg_size),
		.kind = CLAW_PAYLOAD_BYTES, .param = 3,
	};
	struct claw_trace_mark mark = { .record = NULL };
	const void *value = CLAW_ARG_IN(args, clSetKernelArg, arg_value);
	enum claw_turn turn;
	uint64_t *words;

	turn = claw_turn_begin();
	if (turn == CLAW_TURN_NONE) {
		claw_journal_add_damaged();
		return mark;
	}
	mark.record = claw_ring_claim(turn, ARG_BYTES, &mark.position);
	claw_record_fill(mark.record,
			 claw_trace_ticks_at(mark.position, ARG_BYTES),
			 claw_journal_ordinal(CLAW_API_clSetKernelArg),
			 ARG_WORDS, 1);
	words = (uint64_t *)(void *)(mark.record + 1);
	words[0] = claw_number(CLAW_ARG_IN(args, clSetKernelArg, kernel));
	words[1] = CLAW_ARG_IN(args, clSetKernelArg, arg_index);
	words[2] = CLAW_ARG_IN(args, clSetKernelArg, arg_size);
	words[3] = claw_number(value);
	memcpy(words + ARG_WORDS, &payload, sizeof(payload));
	words += ARG_WORDS + sizeof(payload) / 8;
	*words = 0;
	if (payload.bytes == 8)
		memcpy(words, value, 8);
	else
		memcpy(words, value, 4);
	claw_ring_show(mark.record, CLAW_API_clSetKernelArg, ARG_BYTES, ARG_WORDS,
		       CLAW_TRACE_BEGUN);
	claw_turn_end(turn);
	return mark;
}

void claw_trace_end_arg(const struct claw_trace_mark *mark,
			const void *const *args, cl_int err)
{
	enum claw_turn turn;

	claw_trace_end_reference(mark, err);
	if (err)
		return;
	turn = claw_trace_enter();
	if (turn == CLAW_TURN_NONE)
		return;
	claw_args_set(claw_number(CLAW_ARG_IN(args, clSetKernelArg, kernel)),
		      CLAW_ARG_IN(args, clSetKernelArg, arg_index),
		      CLAW_ARG_IN(args, clSetKernelArg, arg_size),
		      CLAW_ARG_IN(args, clSetKernelArg, arg_value), 0);
	claw_trace_leave(turn);
}

struct claw_trace_mark claw_trace_begin_buffer(const uint64_t *words,
					       uint32_t *ret_site)
{
	struct claw_trace_mark mark = { .record = NULL };
	enum claw_turn turn;

	*ret_site = claw_site_cached();
	turn = claw_turn_begin();
	if (turn == CLAW_TURN_NONE) {
		claw_journal_add_damaged();
		return mark;
	}
	mark.record = claw_ring_claim(turn, BUFFER_BYTES, &mark.position);
	claw_record_fill(mark.record,
			 claw_trace_ticks_at(mark.position, BUFFER_BYTES),
			 claw_journal_ordinal(CLAW_API_clCreateBuffer),
			 BUFFER_WORDS, 0);
	mark.record->site = *ret_site;
	memcpy(mark.record + 1, words, 8 * BUFFER_WORDS);
	claw_ring_show(mark.record, CLAW_API_clCreateBuffer, BUFFER_BYTES,
		       BUFFER_WORDS, CLAW_TRACE_BEGUN);
	claw_turn_end(turn);
	return mark;
}

void claw_trace_end_buffer(const struct claw_trace_mark *mark,
			   const void *buffer)
{
	struct claw_trace_record *record = mark->record;

	if (!record || !claw_ring_is_at(record, mark->position))
		return;
	record->handle = claw_number(buffer);
	record->end_ticks = claw_trace_step();
	claw_ring_set_state(record, CLAW_TRACE_DONE);
	claw_ring_check_end(mark->position);
	claw_slots_add_words(claw_number(buffer), CLAW_OBJ_MEM, record,
			     mark->position, BUFFER_WORDS);
}
