/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Records of commands and of what they touch. Accesses are in lists by what
 * they touch and by queue, the newest first; those of host memory are in two
 * lists.
 */
#include "config.h"

#include <string.h>

#include "commands_private.h"

enum {
	BUCKET_BITS = 12,
	BUCKETS = 1 << BUCKET_BITS,
	STEPS = 16,
	LANE_STRIDE = 61,	/* buckets between one root's lists */
};

struct claw_command claw_own_commands[CLAW_COMMANDS];
struct claw_command_rest claw_own_rests[CLAW_COMMANDS];
struct claw_access claw_own_accesses[CLAW_ACCESSES];

static struct {
	uint32_t buckets[BUCKETS];	/* the newest */
	/* Of roots with that hash: lanes whose list is not empty, and those with
	 * what is not a kernel's in it, perhaps no more. */
	uint64_t lanes[BUCKETS], other_lanes[BUCKETS];
	uint32_t host[2];	/* read, written */
	uint32_t free_commands, free_accesses;	/* chains */
	uint32_t fresh_commands, fresh_accesses;	/* from here on never used */
	uint64_t sequence;
} own;

void claw_records_begin(void)
{
	/* Pages that were never used are not to be touched. */
	memset(own.buckets, 0, sizeof(own.buckets));
	memset(own.lanes, 0, sizeof(own.lanes));
	memset(own.other_lanes, 0, sizeof(own.other_lanes));
	own.host[0] = own.host[1] = 0;
	own.free_commands = own.free_accesses = 0;
	own.fresh_commands = own.fresh_accesses = 0;
}

/* ---- lists */

static unsigned int hash_of(uint64_t root)
{
	return (unsigned int)(root * UINT64_C(0x9e3779b97f4a7c15) >>
			      (64 - BUCKET_BITS));
}

/* Roots of one hash share their lists. */
static uint32_t *list_of(uint64_t root, unsigned int slot)
{
	return &own.buckets[(hash_of(root) + slot * LANE_STRIDE) % BUCKETS];
}

uint64_t claw_accesses_lanes(uint64_t root, bool others_only)
{
	return (others_only ? own.other_lanes : own.lanes)[hash_of(root)];
}

uint32_t claw_accesses_of(uint64_t root, unsigned int slot)
{
	return *list_of(root, slot);
}

uint32_t claw_accesses_of_host(bool written)
{
	return own.host[written];
}

static uint32_t *head_of(const struct claw_access *access)
{
	if (access->where == CLAW_IN_HOST)
		return &own.host[!(access->use & CLAW_READS)];
	return list_of(access->root, claw_command_at(access->command)->slot);
}

static void note_lane(const struct claw_access *access)
{
	uint64_t bit = UINT64_C(1) << claw_command_at(access->command)->slot;
	unsigned int hash = hash_of(access->root);

	own.lanes[hash] |= bit;
	if (!(access->use & CLAW_BY_KERNEL))
		own.other_lanes[hash] |= bit;
}

/* Its list is empty: nothing of that hash is in that lane. */
static void forget_lane(const struct claw_access *access)
{
	uint64_t bit = UINT64_C(1) << claw_command_at(access->command)->slot;
	unsigned int hash = hash_of(access->root);

	own.lanes[hash] &= ~bit;
	own.other_lanes[hash] &= ~bit;
}

static void put_in(uint32_t index)
{
	struct claw_access *access = claw_access_at(index);
	uint32_t *head = head_of(access);

	access->newer = 0;
	access->older = *head;
	if (*head)
		claw_access_at(*head)->newer = index;
	*head = index;
	if (access->where != CLAW_IN_HOST)
		note_lane(access);
}

static void take_out(struct claw_access *access)
{
	if (access->older)
		claw_access_at(access->older)->newer = access->newer;
	if (access->newer)
		claw_access_at(access->newer)->older = access->older;
	else
		*head_of(access) = access->older;
	if (!access->older && !access->newer && access->where != CLAW_IN_HOST)
		forget_lane(access);
}

bool claw_access_add(uint32_t command, const struct claw_access *access)
{
	uint32_t index = own.free_accesses;
	struct claw_access *place;

	if (index)
		own.free_accesses = claw_access_at(index)->next;
	else if (own.fresh_accesses < CLAW_ACCESSES)
		index = ++own.fresh_accesses;
	else
		return false;
	place = claw_access_at(index);
	*place = *access;
	place->command = command;
	place->next = claw_command_at(command)->accesses;
	claw_command_at(command)->accesses = index;
	put_in(index);
	return true;
}

void claw_command_drop_accesses(struct claw_command *command)
{
	while (command->accesses) {
		uint32_t index = command->accesses;
		struct claw_access *access = claw_access_at(index);

		take_out(access);
		command->accesses = access->next;
		access->next = own.free_accesses;
		own.free_accesses = index;
	}
}

/* ---- commands */

uint32_t claw_command_take(void)
{
	uint32_t index = own.free_commands;
	struct claw_command *command;

	if (index)
		own.free_commands = claw_command_at(index)->next;
	else if (own.fresh_commands < CLAW_COMMANDS)
		index = ++own.fresh_commands;
	else
		return 0;
	command = claw_command_at(index);
	command->sequence = ++own.sequence;
	command->gates = 0;
	command->next = command->accesses = 0;
	command->name = 0;
	command->direct_gate = command->uses_host = false;
	command->has_source = command->no_source = false;
	return index;
}

void claw_command_free(uint32_t index)
{
	struct claw_command *command = claw_command_at(index);

	claw_command_drop_accesses(command);
	command->sequence = 0;
	command->next = own.free_commands;
	own.free_commands = index;
}

/* ---- what overlaps */

static bool is_whole(const struct claw_span *span)
{
	return span->rows == 1 && span->slices == 1;
}

static bool ranges_overlap(uint64_t a, uint64_t a_end, uint64_t b,
			   uint64_t b_end)
{
	return a < b_end && b < a_end;
}

/* Rows of one rectangle against rows of another with the same pitch. */
static bool rectangles_overlap(const struct claw_span *a,
			       const struct claw_span *b)
{
	uint64_t pitch = a->row_pitch;

	if (a->slices != 1 || b->slices != 1 || pitch != b->row_pitch || !pitch)
		return false;		/* not that we can tell */
	return ranges_overlap(a->start % pitch,
			      a->start % pitch + a->row_bytes,
			      b->start % pitch,
			      b->start % pitch + b->row_bytes) &&
	       ranges_overlap(a->start / pitch, a->start / pitch + a->rows,
			      b->start / pitch, b->start / pitch + b->rows);
}

/* A range that is longer than the gaps meets a row. */
static bool range_meets_rows(const struct claw_span *range,
			     const struct claw_span *rows)
{
	uint64_t from = range->start > rows->start ? range->start : rows->start;
	uint64_t end = claw_span_end(rows);

	if (claw_span_end(range) < end)
		end = claw_span_end(range);
	if (range->start <= rows->start && end > rows->start)
		return true;
	return rows->slices == 1 && from + rows->row_pitch <= end;
}

bool claw_span_overlaps(const struct claw_span *a, const struct claw_span *b)
{
	if (!ranges_overlap(a->start, claw_span_end(a), b->start,
			    claw_span_end(b)))
		return false;
	if (is_whole(a) && is_whole(b))
		return true;
	if (is_whole(a))
		return range_meets_rows(a, b);
	if (is_whole(b))
		return range_meets_rows(b, a);
	return rectangles_overlap(a, b);
}

bool claw_box_overlaps(const struct claw_box *a, const struct claw_box *b)
{
	if (!a->region[0] || !b->region[0])
		return true;
	for (unsigned int i = 0; i < 3; i++)
		if (!ranges_overlap(a->origin[i],
				    (uint64_t)a->origin[i] + a->region[i],
				    b->origin[i],
				    (uint64_t)b->origin[i] + b->region[i]))
			return false;
	return true;
}

static bool span_covers(const struct claw_span *span,
			const struct claw_span *other)
{
	if (is_whole(span))
		return span->start <= other->start &&
		       claw_span_end(span) >= claw_span_end(other);
	return span->start == other->start &&
	       span->row_bytes == other->row_bytes &&
	       span->row_pitch == other->row_pitch &&
	       span->slice_pitch == other->slice_pitch &&
	       span->rows == other->rows && span->slices == other->slices;
}

static bool covers(const struct claw_access *access,
		   const struct claw_access *other)
{
	if (access->root != other->root || access->serial != other->serial ||
	    access->where != other->where || access->use != other->use ||
	    claw_command_at(access->command)->slot !=
	    claw_command_at(other->command)->slot)
		return false;
	if (access->where == CLAW_IN_IMAGE)
		return !access->box.region[0] ||
		       !memcmp(&access->box, &other->box, sizeof(other->box));
	return span_covers(&access->span, &other->span);
}

bool claw_access_is_covered(const struct claw_access *access)
{
	uint32_t at;

	/* The program's memory is another each time. */
	if (access->where == CLAW_IN_HOST)
		return false;
	/* From itself on: others may share its list, and are newer. */
	at = access->newer;
	for (unsigned int i = 0; at && i < STEPS; i++) {
		const struct claw_access *newer = claw_access_at(at);

		if (covers(newer, access))
			return true;
		at = newer->newer;
	}
	return false;
}
