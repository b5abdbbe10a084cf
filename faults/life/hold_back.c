/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Final releases that are held back, in a ring. A ticket is a place that is
 * counted on and on; what was cancelled is an empty place that goes with its
 * neighbours.
 */
#include "config.h"

#include "hold_back.h"

#include <string.h>

#include "faults/ledger/graves.h"
#include "faults/ledger/ledger_turn.h"
#include "memory_room.h"
#include "faults/call/thread_order.h"

enum {
	RING = 2 * CLAW_HELD_MAX,	/* some threads may be about to settle */
	BATCH = 16,
	TRIES = 2,
	DEVICES = 16,
	CAP_SHIFT = 4,			/* a sixteenth of the memory */
	WAY_SHIFT = 3,			/* in the way: above seven eighths */
	SEEN_NS = 1000 * 1000,
};

#define CAP_MOST (UINT64_C(256) << 20)

/* What was left of the process's memory when that was read last. */
static struct {
	uint64_t at_ns, room;
	uint64_t asked;		/* bytes since then */
} seen;				/* atomic, each */

static struct {
	uint32_t lock;
	uint64_t first, last;	/* tickets that are held: from first to before last */
	uint64_t weight;	/* of them */
	unsigned int keepers;	/* events and kernels among them */
	uint64_t memory;	/* of the smallest device, 0: not known */
	uint64_t live;		/* bytes of it that the program has, a sum: atomic */
	uint64_t room;		/* what the process's limits leave: atomic */
	uint64_t cap;		/* of the weight, by these: atomic */
	struct claw_held ring[RING];
} own;

/* The ledger's turn, in which a lone thread needs no lock. */
static inline enum claw_turn begin(void)
{
	enum claw_turn turn = claw_turn_begin();

	if (turn != CLAW_TURN_NONE && !claw_lock(turn, &own.lock)) {
		claw_turn_end(turn);
		return CLAW_TURN_NONE;
	}
	if (turn != CLAW_TURN_NONE)
		claw_order_acquire(&own);
	return turn;
}

static inline void end(enum claw_turn turn)
{
	claw_order_release(&own);
	claw_unlock(turn, &own.lock);
	claw_turn_end(turn);
}

/* ---- weights */

static uint64_t cap(void)
{
	return __atomic_load_n(&own.cap, __ATOMIC_RELAXED);
}

static void set_cap(void)
{
	uint64_t memory = __atomic_load_n(&own.memory, __ATOMIC_RELAXED);
	uint64_t room = __atomic_load_n(&own.room, __ATOMIC_RELAXED);
	uint64_t most = memory && memory >> CAP_SHIFT < CAP_MOST ?
		memory >> CAP_SHIFT : CAP_MOST;

	__atomic_store_n(&own.cap, room < most ? room : most, __ATOMIC_RELAXED);
}

void claw_hold_back_begin(void)
{
	own.lock = 0;
	own.first = own.last = 1;
	own.weight = own.live = own.memory = 0;
	own.keepers = 0;
	own.room = UINT64_MAX;
	set_cap();
	seen.at_ns = 0;
	claw_memory_limits_look();
}

static bool is_tight(uint64_t limit, uint64_t room, uint64_t bytes)
{
	uint64_t margin = limit >> WAY_SHIFT;

	return room < margin || room - margin < bytes;
}

/*
 * What the process may still have of that limit when so many bytes more are
 * asked for. To read it takes a hundred times as long as to make a buffer, so
 * while more than a quarter of the limit is left it is read once a millisecond,
 * or when what was asked for since may have taken an eighth of the rest.
 */
static uint64_t room_of(uint64_t limit, uint64_t bytes)
{
	uint64_t now = claw_now_ns();
	uint64_t at_ns = __atomic_load_n(&seen.at_ns, __ATOMIC_ACQUIRE);
	uint64_t room = __atomic_load_n(&seen.room, __ATOMIC_RELAXED);
	uint64_t asked = __atomic_add_fetch(&seen.asked, bytes,
					    __ATOMIC_RELAXED);

	if (now - at_ns < SEEN_NS &&
	    room > limit / 4 && bytes <= room / 8 && asked <= room / 8)
		return room - asked;
	room = claw_memory_room();
	__atomic_store_n(&seen.asked, 0, __ATOMIC_RELAXED);
	__atomic_store_n(&seen.room, room, __ATOMIC_RELAXED);
	__atomic_store_n(&seen.at_ns, now, __ATOMIC_RELEASE);
	return room;
}

/* The device's memory may be the process's: of a device that is a processor
 * it is. Nothing is held where little is left. */
static void measure(void)
{
	uint64_t limit = claw_memory_limit(), room;

	if (limit == UINT64_MAX)
		return;
	room = room_of(limit, 0);
	if (is_tight(limit, room, 0))
		room = 0;
	__atomic_store_n(&own.room, room >> CAP_SHIFT, __ATOMIC_RELAXED);
	set_cap();
}

/*
 * What an object takes besides its bytes, as a part of the cap: what drivers
 * spend on these differs by orders of magnitude (a context may be 300 MiB of
 * the device's, a program's binary some MiB of the host's), so it is their
 * number that is limited: 8 contexts, 32 queues and programs, 1,024 kernels.
 */
static uint64_t weight_of(enum claw_obj object, uint64_t bytes)
{
	switch (object) {
	case CLAW_OBJ_CONTEXT: return cap() / 8;
	case CLAW_OBJ_QUEUE:
	case CLAW_OBJ_PROGRAM: return cap() / 32;
	case CLAW_OBJ_KERNEL: return cap() / 1024 + bytes;
	default: return bytes;
	}
}

bool claw_hold_back_takes(enum claw_obj object, uint64_t bytes)
{
	measure();
	switch (object) {
	case CLAW_OBJ_CONTEXT: case CLAW_OBJ_QUEUE: case CLAW_OBJ_MEM:
	case CLAW_OBJ_SAMPLER: case CLAW_OBJ_PROGRAM: case CLAW_OBJ_KERNEL:
	case CLAW_OBJ_EVENT: case CLAW_OBJ_DEVICE:
		/* One large object is not to push out all the others. */
		return cap() && bytes <= cap() / 4;
	default:
		return false;
	}
}

/* ---- the driver */

static cl_int ask_driver(const struct claw_held *held)
{
	void *handle = (void *)(uintptr_t)held->handle;

	switch (held->api) {
	case CLAW_API_clReleaseContext:
		return claw_next.clReleaseContext(handle);
	case CLAW_API_clReleaseCommandQueue:
		return claw_next.clReleaseCommandQueue(handle);
	case CLAW_API_clReleaseMemObject:
		return claw_next.clReleaseMemObject(handle);
	case CLAW_API_clReleaseSampler:
		return claw_next.clReleaseSampler(handle);
	case CLAW_API_clReleaseProgram:
		return claw_next.clReleaseProgram(handle);
	case CLAW_API_clReleaseKernel:
		return claw_next.clReleaseKernel(handle);
	case CLAW_API_clReleaseEvent:
		return claw_next.clReleaseEvent(handle);
	case CLAW_API_clReleaseDevice:
		return claw_next.clReleaseDevice(handle);
	case CLAW_API_clReleaseDeviceEXT:
		return claw_next.clReleaseDeviceEXT(handle);
	default:
		return CL_SUCCESS;
	}
}

static bool is_keeper(const struct claw_held *held)
{
	return held->object == CLAW_OBJ_EVENT ||
	       held->object == CLAW_OBJ_KERNEL;
}

/* Under the lock. */
static uint64_t push(const struct claw_held *held)
{
	struct claw_held *place;

	if (own.last - own.first == RING)
		return 0;
	place = &own.ring[own.last % RING];
	*place = *held;
	place->weight = weight_of((enum claw_obj)held->object, held->bytes);
	own.weight += place->weight;
	own.keepers += is_keeper(held);
	return own.last++;
}

/* Under the lock: its place is empty then. */
static struct claw_held take_out(struct claw_held *place)
{
	struct claw_held held = *place;

	own.weight -= held.weight;
	own.keepers -= is_keeper(&held);
	*place = (struct claw_held){ .handle = 0 };
	return held;
}

/* It is the driver's next: by then it is to be here. */
static void prefetch(const struct claw_held *held)
{
	enum { LINE = 64, LINES = 6 };

	for (unsigned int i = 0; held->handle && i < LINES; i++)
		__builtin_prefetch((const char *)(uintptr_t)held->handle +
				   (size_t)i * LINE);
	claw_entry_prefetch(held->handle, held->object);
	claw_graves_prefetch((enum claw_obj)held->object, held->handle);
}

/* Under the lock: the oldest; its handle is 0 if it was cancelled. */
static struct claw_held pop(void)
{
	struct claw_held held = take_out(&own.ring[own.first++ % RING]);

	if (own.first < own.last)
		prefetch(&own.ring[own.first % RING]);
	return held;
}

/* What the driver would not release is held again, once: it may be able to
 * later. */
static void release(struct claw_held *held)
{
	enum claw_turn turn;
	cl_int err;

	claw_ours_begin();
	err = ask_driver(held);
	claw_ours_end();
	if (err == CL_SUCCESS || ++held->tries == TRIES)
		return;
	turn = begin();
	if (turn == CLAW_TURN_NONE)
		return;
	push(held);
	end(turn);
}

static bool is_more(uint64_t max_count, uint64_t max_weight)
{
	return __atomic_load_n(&own.last, __ATOMIC_RELAXED) -
	       __atomic_load_n(&own.first, __ATOMIC_RELAXED) > max_count ||
	       __atomic_load_n(&own.weight, __ATOMIC_RELAXED) > max_weight;
}

static void shrink(uint64_t max_count, uint64_t max_weight)
{
	enum claw_turn turn = begin();
	uint64_t until = own.last;	/* what is added meanwhile is not ours */

	while (turn != CLAW_TURN_NONE && own.first < until &&
	       is_more(max_count, max_weight)) {
		struct claw_held held = pop();

		end(turn);
		if (held.handle)
			release(&held);
		turn = begin();
	}
	if (turn != CLAW_TURN_NONE)
		end(turn);
}

void claw_hold_back_settle(void)
{
	uint64_t most = cap();

	if (is_more(CLAW_HELD_MAX, most))
		shrink(CLAW_HELD_MAX, most);
}

void claw_hold_back_end_all(void)
{
	shrink(0, 0);
}

void claw_hold_back_end_keepers(void)
{
	uint64_t ticket = 0, until;
	enum claw_turn turn;
	unsigned int count;

	if (!__atomic_load_n(&own.keepers, __ATOMIC_RELAXED))
		return;
	turn = begin();
	if (turn == CLAW_TURN_NONE)
		return;
	until = own.last;
	do {
		struct claw_held batch[BATCH];

		if (ticket < own.first)
			ticket = own.first;
		for (count = 0; ticket < until && count < BATCH; ticket++)
			if (is_keeper(&own.ring[ticket % RING]))
				batch[count++] =
					take_out(&own.ring[ticket % RING]);
		end(turn);
		for (unsigned int i = 0; i < count; i++)
			release(&batch[i]);
		turn = begin();
		if (turn == CLAW_TURN_NONE)
			return;
	} while (ticket < until);
	end(turn);
}

/* ---- the program */

uint64_t claw_hold_back_add(const struct claw_held *held)
{
	enum claw_turn turn = begin();
	uint64_t ticket;

	if (turn == CLAW_TURN_NONE)
		return 0;
	ticket = push(held);
	end(turn);
	return ticket;
}

/* Under the lock. */
static bool has(uint64_t ticket)
{
	return ticket >= own.first && ticket < own.last &&
	       own.ring[ticket % RING].handle;
}

bool claw_hold_back_has(uint64_t ticket)
{
	enum claw_turn turn = ticket ? begin() : CLAW_TURN_NONE;
	bool is_held;

	if (turn == CLAW_TURN_NONE)
		return false;
	is_held = has(ticket);
	end(turn);
	return is_held;
}

bool claw_hold_back_cancel(uint64_t ticket)
{
	enum claw_turn turn = ticket ? begin() : CLAW_TURN_NONE;
	bool is_held;

	if (turn == CLAW_TURN_NONE)
		return false;
	is_held = has(ticket);
	if (is_held)
		take_out(&own.ring[ticket % RING]);
	end(turn);
	return is_held;
}

/* ---- the device's memory */

static void meet_device(cl_device_id device)
{
	uint64_t known = __atomic_load_n(&own.memory, __ATOMIC_RELAXED);
	cl_ulong memory = 0;

	if (claw_next.clGetDeviceInfo(device, CL_DEVICE_GLOBAL_MEM_SIZE,
				      sizeof(memory), &memory, NULL) ==
	    CL_SUCCESS && memory && (!known || memory < known))
		__atomic_store_n(&own.memory, memory, __ATOMIC_RELAXED);
	set_cap();
}

void claw_hold_back_meet(cl_context context)
{
	cl_device_id devices[DEVICES];
	size_t bytes = 0;

	claw_memory_limits_look();
	claw_ours_begin();
	if (claw_next.clGetContextInfo(context, CL_CONTEXT_DEVICES, 0, NULL,
				       &bytes) == CL_SUCCESS &&
	    bytes && bytes <= sizeof(devices) &&
	    claw_next.clGetContextInfo(context, CL_CONTEXT_DEVICES, bytes,
				       devices, NULL) == CL_SUCCESS)
		for (size_t i = 0; i < bytes / sizeof(*devices); i++)
			meet_device(devices[i]);
	claw_ours_end();
}

void claw_hold_back_gain(uint64_t bytes)
{
	claw_add_alone(&own.live, bytes);
}

/* What was there before us may be lost, too: then it is less than none. */
void claw_hold_back_lose(uint64_t bytes)
{
	claw_add_alone(&own.live, -bytes);
}

static uint64_t live_bytes(void)
{
	int64_t live = (int64_t)__atomic_load_n(&own.live, __ATOMIC_RELAXED);

	return live > 0 ? (uint64_t)live : 0;
}

static bool is_any_held(void)
{
	return __atomic_load_n(&own.last, __ATOMIC_RELAXED) !=
	       __atomic_load_n(&own.first, __ATOMIC_RELAXED);
}

bool claw_hold_back_make_room(void)
{
	bool any = is_any_held();

	claw_hold_back_end_all();
	return any;
}

bool claw_hold_back_is_in_way(uint64_t bytes)
{
	uint64_t memory = __atomic_load_n(&own.memory, __ATOMIC_RELAXED);
	uint64_t limit = memory - (memory >> WAY_SHIFT);
	uint64_t live = live_bytes();
	uint64_t most = claw_memory_limit();

	if (!is_any_held())
		return false;
	if (most != UINT64_MAX && is_tight(most, room_of(most, bytes), bytes))
		return true;
	return memory &&
	       (bytes > limit || live > limit - bytes ||
		__atomic_load_n(&own.weight, __ATOMIC_RELAXED) >
		limit - bytes - live);
}
