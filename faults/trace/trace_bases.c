/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Launches whose arguments later launches name. Before the ring comes round to
 * one of them, its arguments are written once more (CLAW_TRACE_BASE): by then
 * it is half a ring behind and those that name it are not, so that what is
 * written now is there for longer than they are.
 */
#include "config.h"

#include "trace_private.h"

#include <string.h>

enum {
	BASES = 1 << 15,
	WORDS = 2,			/* queue and kernel */
};

static struct {
	uint64_t *positions;		/* in the order in which they were named */
	uint32_t first, count;
} own;

/* ---- under the lock */

bool claw_bases_add(uint64_t position)
{
	if (own.count == BASES)
		return false;
	own.positions[(own.first + own.count++) % BASES] = position;
	if (own.count == 1)
		claw_ring_set_due(position + claw_own_trace.ring_bytes / 2);
	return true;
}

static bool is_there(const struct claw_trace_record *record, uint64_t position)
{
	return claw_ring_is_at(record, position) &&
	       record->word_count >= WORDS &&
	       (record->state == CLAW_TRACE_BEGUN ||
		record->state == CLAW_TRACE_DONE);
}

/* Room for its arguments. */
static uint32_t measure(const struct claw_trace_record *record,
			unsigned int *ret_count)
{
	const uint64_t left = claw_ring_left(record);
	const struct claw_trace_payload *payload = NULL;
	uint32_t bytes = 0;

	*ret_count = 0;
	while ((payload = claw_payload_next(record, left, payload)))
		if (payload->kind == CLAW_PAYLOAD_ARGUMENT) {
			bytes += claw_payload_room(payload->bytes);
			++*ret_count;
		}
	return bytes;
}

static void copy_args(const struct claw_trace_record *record,
		      unsigned char *to, uint32_t bytes)
{
	const uint64_t left = claw_ring_left(record);
	const struct claw_trace_payload *payload = NULL;

	while ((payload = claw_payload_next(record, left, payload))) {
		uint32_t room = claw_payload_room(payload->bytes);

		if (payload->kind != CLAW_PAYLOAD_ARGUMENT || room > bytes)
			continue;
		memcpy(to, payload, room);
		to += room;
		bytes -= room;
	}
}

static void write_again(enum claw_turn turn, uint64_t from)
{
	const uint64_t mask = claw_own_trace.ring_bytes - 1;
	const struct claw_trace_record *base =
		(const void *)(claw_own_trace.ring + (from & mask));
	struct claw_trace_payload same = {
		.kind = CLAW_PAYLOAD_SAME, .param = 1, .value = from,
	};
	struct claw_trace_record *record;
	unsigned int count;
	unsigned char *at;
	uint64_t position;
	uint32_t bytes;

	if (!is_there(base, from)) {
		claw_journal_add_damaged();
		return;
	}
	bytes = measure(base, &count);
	record = claw_ring_claim_uncounted(turn, (uint32_t)sizeof(*record) +
					   WORDS * 8 + (uint32_t)sizeof(same) +
					   bytes, &position);
	claw_record_fill(record, base->ticks, base->ordinal, WORDS, count + 1);
	record->thread = base->thread;
	memcpy(record + 1, base + 1, WORDS * 8);
	at = (unsigned char *)(record + 1) + WORDS * 8;
	copy_args(base, at + sizeof(same), bytes);
	if (!is_there(base, from)) {	/* not any more: it names none */
		same.value = 0;
		claw_journal_add_damaged();
	}
	memcpy(at, &same, sizeof(same));
	claw_ring_show(record, base->api, (uint32_t)(at - (unsigned char *)
			record) + (uint32_t)sizeof(same) + bytes, WORDS,
		       CLAW_TRACE_BASE);
}

void claw_bases_keep(enum claw_turn turn)
{
	const uint64_t half = claw_own_trace.ring_bytes / 2;

	claw_ring_set_due(UINT64_MAX);	/* not within this */
	while (own.count) {
		uint64_t position = own.positions[own.first];

		if (claw_ring_used() - position < half) {
			claw_ring_set_due(position + half);
			return;
		}
		own.first = (own.first + 1) % BASES;
		own.count--;
		write_again(turn, position);
	}
}

/* ---- the process */

bool claw_bases_begin(void)
{
	uint64_t *positions = own.positions;

	memset(&own, 0, sizeof(own));
	own.positions = claw_trace_memory(positions,
					  BASES * sizeof(*positions));
	return own.positions;
}
