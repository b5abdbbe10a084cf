/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pending reads whose bytes are kept back: which ones, and when the program
 * gets them. Two things have to come together: the program knows that the
 * command is complete, as far as commands.h can tell, and the driver says so.
 * Where the program knows and the driver does not say so, for it knew by
 * something that nobody can follow, a read is adrift: the bytes come as soon as
 * they are there, and no touch is a mistake any more.
 */
#include "config.h"

#include "early.h"

#include <pthread.h>
#include <string.h>

#include "early_private.h"
#include "faults/call/event_callbacks.h"
#include "faults/command/host_memory.h"

enum {
	GRACES = 500,		/* naps until a read is adrift */
	AWAITS = 20000,
	NAP_NS = 100000,
	INDEX_BITS = 8,
};
_Static_assert(CLAW_EARLY_READS <= 1 << INDEX_BITS, "a number for each read");

static struct {
	pthread_mutex_t lock;
	uint64_t sequence;
	uint32_t pending;	/* reads that are not free */
	uint32_t lost_count;	/* adrift, and nobody can say why */
	bool has_fork_handler;
} own = { .lock = PTHREAD_MUTEX_INITIALIZER };

bool claw_early_on CLAW_HIDDEN;

/* This thread has the lock. */
static __thread bool inside __attribute__((tls_model(CLAW_TLS_MODEL)));

bool claw_early_any(void)
{
	return __atomic_load_n(&own.pending, __ATOMIC_ACQUIRE) != 0;
}

bool claw_early_enter(void)
{
	if (inside)
		return false;
	inside = true;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	pthread_mutex_lock(&own.lock);
	return true;
}

void claw_early_leave(struct claw_early_debts *debts)
{
	if (debts->event_count)
		claw_early_gates_look(debts);
	pthread_mutex_unlock(&own.lock);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	inside = false;
	if (!debts->event_count && !debts->gate_count)
		return;
	claw_ours_begin();
	for (unsigned int i = 0; i < debts->gate_count; i++) {
		claw_next.clSetUserEventStatus(debts->gates[i], CL_COMPLETE);
		claw_next.clReleaseEvent(debts->gates[i]);
	}
	for (unsigned int i = 0; i < debts->event_count; i++)
		if (debts->events[i])
			claw_next.clReleaseEvent(debts->events[i]);
	claw_ours_end();
}

/* ---- reads; under the lock */

void claw_early_set_state(struct claw_early_read *read,
			  enum claw_early_state to)
{
	uint64_t state = read->state;

	state = (state >> CLAW_EARLY_STATE_BITS) << CLAW_EARLY_STATE_BITS;
	__atomic_store_n(&read->state, state | to, __ATOMIC_RELEASE);
}

static uint64_t generation_of(const struct claw_early_read *read)
{
	return __atomic_load_n(&read->state, __ATOMIC_ACQUIRE) >>
	       CLAW_EARLY_STATE_BITS;
}

struct claw_early_read *claw_early_take(bool is_in_way)
{
	if (!is_in_way &&
	    own.pending >= CLAW_EARLY_READS - CLAW_EARLY_KEPT)
		return NULL;
	for (unsigned int i = 0; i < CLAW_EARLY_READS; i++) {
		struct claw_early_read *read = &claw_own_early[i];
		uint64_t state = read->state;

		if (claw_early_state(read) != CLAW_EARLY_FREE)
			continue;
		memset(read, 0, sizeof(*read));
		__atomic_store_n(&read->state, state, __ATOMIC_RELEASE);
		claw_early_set_state(read, CLAW_EARLY_MADE);
		read->sequence = ++own.sequence;
		__atomic_add_fetch(&own.pending, 1, __ATOMIC_RELEASE);
		return read;
	}
	return NULL;
}

void claw_early_give_back(struct claw_early_read *read,
			  struct claw_early_debts *debts)
{
	uint64_t next = generation_of(read) + 1;

	debts->events[debts->event_count++] = read->event;
	claw_early_block_give(read->block);
	read->event = NULL;
	__atomic_store_n(&read->state, next << CLAW_EARLY_STATE_BITS,
			 __ATOMIC_RELEASE);
	__atomic_sub_fetch(&own.pending, 1, __ATOMIC_RELEASE);
}

/* A number that names it, and this use of it. */
static void *name_of(const struct claw_early_read *read)
{
	uint64_t index = (uint64_t)(read - claw_own_early);

	return (void *)(uintptr_t)(generation_of(read) << INDEX_BITS | index);
}

static struct claw_early_read *find_name(const void *name)
{
	uint64_t number = claw_number(name);
	struct claw_early_read *read =
		&claw_own_early[number & ((1 << INDEX_BITS) - 1)];

	return claw_early_state(read) != CLAW_EARLY_FREE &&
	       generation_of(read) == number >> INDEX_BITS ? read : NULL;
}

bool claw_early_overlaps(const struct claw_early_read *read, uint64_t low,
			 uint64_t high)
{
	return claw_early_state(read) != CLAW_EARLY_FREE &&
	       read->low < high && low < read->high;
}

uint64_t claw_early_sequence(void)
{
	return own.sequence;
}

/* ---- what the driver says */

/* One that gave out no event is as complete as the program knows it. */
static enum claw_early_done ask(struct claw_early_read *read)
{
	cl_int status = CL_QUEUED, err;

	if (!read->event)
		read->done = CLAW_EARLY_DONE;
	if (read->done != CLAW_EARLY_PENDING)
		return (enum claw_early_done)read->done;
	claw_ours_begin();
	err = claw_next.clGetEventInfo(read->event,
				       CL_EVENT_COMMAND_EXECUTION_STATUS,
				       sizeof(status), &status, NULL);
	claw_ours_end();
	if (!err && status <= CL_COMPLETE)
		read->done = status < 0 ? CLAW_EARLY_FAILED : CLAW_EARLY_DONE;
	return (enum claw_early_done)read->done;
}

/* ---- the bytes arrive; under the lock */

static void deliver(struct claw_early_read *read,
		    struct claw_early_debts *debts)
{
	bool has_bytes = read->gives && read->done == CLAW_EARLY_DONE &&
		__atomic_load_n(&read->dropped, __ATOMIC_ACQUIRE) !=
		generation_of(read) + 1;

	/* Another may have closed them, too. */
	if (has_bytes)
		claw_early_touching(read->low, read->high - read->low);
	else
		claw_early_open(read);
	if (has_bytes)
		claw_early_copy(read);
	claw_early_give_back(read, debts);
}

static bool is_known_complete(const struct claw_early_read *read)
{
	return read->adrift || !read->has_number ||
	       claw_order_is_complete(read->slot, read->number);
}

/* Reads that the driver has and the program knows to be complete: bits. */
struct known {
	uint64_t bits[CLAW_EARLY_READS / 64];
};

static void find_known(struct known *known)
{
	memset(known, 0, sizeof(*known));
	if (!claw_commands_enter())
		return;
	for (unsigned int i = 0; i < CLAW_EARLY_READS; i++)
		if (claw_early_state(&claw_own_early[i]) >= CLAW_EARLY_OPEN &&
		    is_known_complete(&claw_own_early[i]))
			known->bits[i / 64] |= UINT64_C(1) << i % 64;
	claw_commands_leave();
}

/* The oldest of them, for what is newer may overwrite it; its index or -1. */
static int take_oldest(struct known *known)
{
	int best = -1;

	for (unsigned int i = 0; i < CLAW_EARLY_READS; i++)
		if (known->bits[i / 64] >> i % 64 & 1 &&
		    (best < 0 || claw_own_early[i].sequence <
				 claw_own_early[best].sequence))
			best = (int)i;
	if (best >= 0)
		known->bits[best / 64] &= ~(UINT64_C(1) << best % 64);
	return best;
}

/* Is an older one, which the driver has not done, in its place? */
static bool is_behind(const struct claw_early_read *read,
		      const struct known *late)
{
	for (unsigned int i = 0; i < CLAW_EARLY_READS; i++)
		if (late->bits[i / 64] >> i % 64 & 1 &&
		    claw_early_overlaps(&claw_own_early[i], read->low,
					read->high))
			return true;
	return false;
}

/* How many of them the driver is not done with, against all that we know. */
static unsigned int deliver_known(bool give_up,
				  struct claw_early_debts *debts)
{
	struct known known, late = { .bits = { 0 } };
	unsigned int late_count = 0;
	int i;

	find_known(&known);
	while ((i = take_oldest(&known)) >= 0) {
		struct claw_early_read *read = &claw_own_early[i];

		if (ask(read) == CLAW_EARLY_PENDING && give_up &&
		    !read->adrift) {
			own.lost_count++;
			claw_early_set_adrift(read);
		}
		if (read->done != CLAW_EARLY_PENDING &&
		    !is_behind(read, &late)) {
			deliver(read, debts);
			continue;
		}
		late.bits[i / 64] |= UINT64_C(1) << i % 64;
		late_count += !read->adrift;
	}
	return late_count;
}

void claw_early_deliver(struct claw_early_debts *debts)
{
	deliver_known(false, debts);
}

/* From a thread of the driver's; or at once, from the call that asks for it,
 * which has the lock. */
static void CL_CALLBACK on_done(cl_event event, cl_int status, void *name)
{
	struct claw_early_debts debts = { .event_count = 0 };
	bool is_mine = inside;
	struct claw_early_read *read;

	(void)event;
	if (!is_mine && !claw_early_enter())
		return;
	read = find_name(name);
	if (read)
		read->done = status < 0 ? CLAW_EARLY_FAILED : CLAW_EARLY_DONE;
	if (is_mine)
		return;
	deliver_known(false, &debts);
	claw_early_leave(&debts);
}

void claw_early_set_adrift(struct claw_early_read *read)
{
	if (read->adrift)
		return;
	read->adrift = true;
	if (!claw_next.clSetEventCallback || !read->event)
		return;
	claw_ours_begin();
	claw_next.clSetEventCallback(read->event, CL_COMPLETE, on_done,
				     name_of(read));
	claw_ours_end();
}

bool claw_early_has_lost(void)
{
	enum { MOST = 16 };

	return own.lost_count >= MOST;
}

/* A driver may say it of a command a little after it has said it of all. */
void claw_early_look(void)
{
	unsigned int late = 1;

	claw_early_stack_look();
	for (unsigned int i = 0; late && i <= GRACES && claw_early_any(); i++) {
		struct claw_early_debts debts = { .event_count = 0 };

		if (i)
			claw_sleep_ns(NAP_NS);
		if (!claw_early_enter())
			return;
		late = deliver_known(i == GRACES, &debts);
		claw_early_leave(&debts);
	}
}

bool claw_early_await(uint64_t state, const struct claw_early_read *read)
{
	uint64_t generation = state >> CLAW_EARLY_STATE_BITS;

	for (unsigned int i = 0; i < AWAITS; i++) {
		if (generation_of(read) != generation)
			return true;
		claw_sleep_ns(NAP_NS);
	}
	return false;
}

uint64_t claw_early_use(uint16_t early)
{
	return generation_of(&claw_own_early[early - 1]);
}

bool claw_early_is_in_place(uint16_t early, uint64_t use, bool *ret_lost)
{
	const struct claw_early_read *read = &claw_own_early[early - 1];

	if (generation_of(read) == use)
		return false;
	*ret_lost = __atomic_load_n(&read->dropped, __ATOMIC_ACQUIRE) == use + 1;
	return true;
}

/* ---- memory that goes */

void claw_early_touching(uint64_t start, uint64_t bytes)
{
	uint64_t end = start + (bytes ? bytes : 1);

	if (!claw_early_any())
		return;
	for (unsigned int i = 0; i < CLAW_EARLY_READS; i++)
		if (claw_early_overlaps(&claw_own_early[i], start, end))
			claw_early_open(&claw_own_early[i]);
}

/* No lock: a driver frees what it likes in the midst of anything. */
static void freeing(uint64_t start, uint64_t bytes)
{
	uint64_t end = start + (bytes ? bytes : 1);

	if (!claw_early_any())
		return;
	claw_early_touching(start, bytes);
	for (unsigned int i = 0; i < CLAW_EARLY_READS; i++) {
		struct claw_early_read *read = &claw_own_early[i];
		uint64_t generation = generation_of(read);

		if (claw_early_overlaps(read, start, end) &&
		    generation_of(read) == generation)
			__atomic_store_n(&read->dropped, generation + 1,
					 __ATOMIC_RELEASE);
	}
}

/* ---- the process */

static void wipe_child(void)
{
	/* What a parent's driver reads never comes here. */
	claw_early_wipe();
	pthread_mutex_init(&own.lock, NULL);
	own.pending = 0;
	inside = false;
}

void claw_early_keep_from_children(void)
{
	if (own.has_fork_handler)
		return;
	own.has_fork_handler = true;
	pthread_atfork(NULL, NULL, wipe_child);
}

void claw_early_end(void)
{
	if (claw_early_on)
		claw_early_open_all();
}

/* The program is about to be told by a callback, which says what is complete:
 * after commands.c. */
static void told(cl_event event, cl_int status)
{
	(void)event;
	if (claw_early_on && status <= CL_COMPLETE)
		claw_early_look();
}

bool claw_early_begin(void)
{
	static const struct claw_host_watcher watcher = {
		.touching = claw_early_touching, .freeing = freeing,
	};

	claw_early_on = claw_early_signal_begin();
	claw_host_tell(claw_early_on ? &watcher : NULL);
	claw_event_callbacks_begin(told);
	own.lost_count = 0;
	claw_early_memory_begin();
	claw_early_gates_begin();
	claw_early_stacks_begin();
	return claw_early_on;
}
