/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A board: what the kernel that looks at zones wrote, one slot a check. Where
 * the device does not write to our memory it is read now and then, in a queue
 * of the guest's own, which waits for nothing of the program's.
 */
#include "config.h"

#include "guard_private.h"

#include <stdlib.h>
#include <string.h>

enum {
	READ_EVERY_NS = 20000000,
	QUEUES_MAX = 16,
};

/* What the least place is before there is one. */
#define NOTHING_BAD UINT32_MAX

static uint32_t *results_of(const struct claw_guard_home *home, uint32_t slot)
{
	return home->words + CLAW_BOARD_RESULTS + slot * CLAW_BOARD_SLOT_WORDS;
}

static void clear(uint32_t *results)
{
	memset(results, 0, CLAW_BOARD_SLOT_WORDS * sizeof(*results));
	for (unsigned int i = 0; i < CLAW_CHECK_ZONES; i++)
		results[i] = NOTHING_BAD;
}

/* Nothing uses it any more. */
static void CL_CALLBACK free_words(cl_mem board, void *words)
{
	(void)board;
	free(words);
}

enum { BYTES = CLAW_BOARD_WORDS * sizeof(uint32_t) };

/* Written, as well as given at its creation: a simulator that looks for what is
 * not initialised knows no other way. */
static bool write_all(struct claw_guard_home *home)
{
	void *copy = malloc(BYTES);
	bool done;

	if (!copy)
		return false;
	memcpy(copy, home->words, BYTES);
	done = !claw_next.clEnqueueWriteBuffer(home->queue, home->board,
					       CL_TRUE, 0, BYTES, copy, 0, NULL,
					       NULL);
	free(copy);
	return done;
}

bool claw_board_is_shared(const struct claw_guard_home *home)
{
	cl_device_type type = 0;

	return !claw_next.clGetDeviceInfo(home->device, CL_DEVICE_TYPE,
					  sizeof(type), &type, NULL) &&
	       type & CL_DEVICE_TYPE_CPU;
}

static cl_mem make_board(struct claw_guard_home *home, cl_context context,
			 void *words)
{
	cl_mem_flags place = claw_board_is_shared(home) ? CL_MEM_USE_HOST_PTR :
		CL_MEM_COPY_HOST_PTR;
	cl_int err;

	return claw_next.clCreateBuffer(context, CL_MEM_READ_WRITE | place,
					BYTES, words, &err);
}

bool claw_board_make(struct claw_guard_home *home, cl_context context)
{
	void *words;

	if (posix_memalign(&words, 4096, (BYTES + 4095) / 4096 * 4096))
		return false;
	home->words = words;
	memset(words, 0, BYTES);
	for (uint32_t i = 0; i < CLAW_BOARD_SLOTS; i++) {
		clear(results_of(home, i));
		home->free_slots[i] = (uint16_t)i;
	}
	home->free_count = CLAW_BOARD_SLOTS;
	home->board = make_board(home, context, words);
	if (home->board && !claw_next.clSetMemObjectDestructorCallback(
			home->board, free_words, words))
		return write_all(home);
	if (home->board)
		claw_next.clReleaseMemObject(home->board);
	home->board = NULL;
	free(words);
	home->words = NULL;
	return false;
}

void claw_board_add(struct claw_guard_home *home, struct claw_check *check)
{
	check->next = NULL;
	check->previous = home->newest;
	if (home->newest)
		home->newest->next = check;
	else
		home->oldest = check;
	home->newest = check;
}

static void take_out(struct claw_guard_home *home, struct claw_check *check)
{
	if (check->previous)
		check->previous->next = check->next;
	else
		home->oldest = check->next;
	if (check->next)
		check->next->previous = check->previous;
	else
		home->newest = check->previous;
	home->free_slots[home->free_count++] = (uint16_t)check->slot;
}

/* ---- reading */

static bool read_words(struct claw_guard_home *home, uint32_t first,
		       uint32_t count)
{
	return !claw_next.clEnqueueReadBuffer(home->queue, home->board, CL_TRUE,
		first * sizeof(uint32_t), count * sizeof(uint32_t),
		home->words + first, 0, NULL, NULL);
}

bool claw_board_read(struct claw_guard_home *home)
{
	return read_words(home, 0, CLAW_BOARD_WORDS);
}

static bool refresh(struct claw_guard_home *home)
{
	if (home->shares)
		return true;
	home->collected_ns = claw_now_ns();
	if (!read_words(home, 0, CLAW_BOARD_RESULTS))
		return false;
	if (home->words[0] == home->seen)
		return true;
	if (!read_words(home, CLAW_BOARD_RESULTS,
			CLAW_BOARD_WORDS - CLAW_BOARD_RESULTS))
		return false;
	home->seen = home->words[0];
	return true;
}

void claw_board_clear(struct claw_guard_home *home, uint32_t slot)
{
	uint32_t *results = results_of(home, slot);

	clear(results);
	if (!home->shares)
		claw_next.clEnqueueWriteBuffer(home->queue, home->board,
			CL_TRUE, (size_t)(results - home->words) *
				 sizeof(*results),
			CLAW_BOARD_SLOT_WORDS * sizeof(*results), results, 0,
			NULL, NULL);
}

static void tell(const struct claw_check *check, unsigned int item,
		 uint32_t first, uint32_t count)
{
	const struct claw_zone *zone = check->items[item].zone;
	int64_t place = first >> 8, front = (int64_t)zone->front;
	struct claw_damage damage = {
		.bytes = count,
		.offset = place - front +
			  (place < front ? 0 : (int64_t)zone->bytes),
		.value = (uint8_t)first,
	};

	claw_check_found(check, item, &damage);
}

static void end(struct claw_guard_home *home, struct claw_check *check)
{
	const uint32_t *results = results_of(home, check->slot);
	bool bad = false;

	for (unsigned int i = 0; i < check->count; i++) {
		if (results[i] == NOTHING_BAD)
			continue;
		bad = true;
		tell(check, i, results[i], results[i + CLAW_CHECK_ZONES]);
	}
	if (bad)
		claw_board_clear(home, check->slot);
	take_out(home, check);
	claw_check_close(check, true);
	claw_check_free(check);
}

static void drop(struct claw_guard_home *home, struct claw_check *check)
{
	take_out(home, check);
	claw_check_close(check, false);
	claw_check_free(check);
}

/* Queues in which a later check is done: an earlier one that is not done will
 * never be, if they are in order. */
struct passed {
	unsigned int count;
	cl_command_queue queues[QUEUES_MAX];
};

static bool has_passed(const struct passed *passed, cl_command_queue queue)
{
	for (unsigned int i = 0; i < passed->count; i++)
		if (passed->queues[i] == queue)
			return true;
	return false;
}

static void pass(struct passed *passed, const struct claw_check *check)
{
	if (check->in_order && passed->count < QUEUES_MAX &&
	    !has_passed(passed, check->queue))
		passed->queues[passed->count++] = check->queue;
}

static bool is_done(const struct claw_guard_home *home,
		    const struct claw_check *check)
{
	return __atomic_load_n(&home->words[CLAW_BOARD_DONE + check->slot],
			       __ATOMIC_ACQUIRE) == check->mark;
}

void claw_board_collect(struct claw_guard_home *home, bool now)
{
	struct claw_check *check, *next;
	struct passed passed = { .count = 0 };

	if (!home->oldest ||
	    (!home->shares && !now &&
	     claw_now_ns() - home->collected_ns < READ_EVERY_NS) ||
	    !refresh(home))
		return;
	for (check = home->newest; check; check = check->previous) {
		check->lost = check->in_order &&
			      has_passed(&passed, check->queue);
		if (is_done(home, check))
			pass(&passed, check);
	}
	for (check = home->oldest; check; check = next) {
		next = check->next;
		if (is_done(home, check))
			end(home, check);
		else if (check->lost)
			drop(home, check);
	}
}

void claw_board_give_up(struct claw_guard_home *home)
{
	while (home->oldest)
		drop(home, home->oldest);
}
