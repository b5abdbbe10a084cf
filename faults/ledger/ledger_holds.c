/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What kernels and events hold: chains in one array of the file, each hold of
 * one memory object. A chain may be several objects': a kernel's and those of
 * its launches, as long as the kernel's arguments stay as they are. A hold that
 * is free again is the next one to be taken. The array grows; it is given back
 * when nothing holds anything.
 */
#include "config.h"

#include "ledger_private.h"

#include <string.h>

static struct {
	uint32_t lock;
	uint32_t free_chain;	/* of free ones */
	uint32_t fresh;		/* from here on never used */
	uint32_t live;
	uint32_t capacity;
	uint32_t refused;	/* since there was no space to grow */
	struct claw_ledger_hold *holds;
	uint32_t *sharers;	/* of the chain that begins there, but the first;
				 * behind the holds, where no reader looks */
	uint64_t offset, bytes;
} pool;

void claw_holds_begin(void)
{
	memset(&pool, 0, sizeof(pool));
}

/* A reader finds a whole array at any time: it sees the smaller number of
 * the two until both words are there. */
static void publish(uint64_t offset, uint64_t capacity)
{
	struct claw_ledger_header *header = claw_own_ledger.header;

	if (capacity < header->holds_capacity)
		__atomic_store_n(&header->holds_capacity, capacity,
				 __ATOMIC_RELEASE);
	__atomic_store_n(&header->holds_offset, offset, __ATOMIC_RELEASE);
	__atomic_store_n(&header->holds_capacity, capacity, __ATOMIC_RELEASE);
}

static void give_back(void)
{
	publish(0, 0);
	claw_space_give(pool.offset, pool.bytes);
	pool.holds = NULL;
	pool.sharers = NULL;
	pool.free_chain = pool.fresh = pool.capacity = 0;
	pool.bytes = 0;
}

static bool grow(void)
{
	uint64_t page = claw_space_page_bytes();
	uint64_t bytes = (pool.bytes + pool.bytes / 4 + page) / page * page;
	uint64_t capacity = bytes / (sizeof(*pool.holds) +
				     sizeof(*pool.sharers));
	uint64_t offset;
	sigset_t all, before;
	bool taken;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	taken = capacity < UINT32_MAX && claw_space_take(bytes, &offset);
	if (taken) {
		struct claw_ledger_hold *holds = claw_space_at(offset);
		uint32_t *sharers = (uint32_t *)(holds + capacity);
		uint64_t old_offset = pool.offset, old_bytes = pool.bytes;

		if (pool.holds) {
			memcpy(holds, pool.holds,
			       pool.capacity * sizeof(*holds));
			memcpy(sharers, pool.sharers,
			       pool.capacity * sizeof(*sharers));
		}
		pool.holds = holds;
		pool.sharers = sharers;
		pool.offset = offset;
		pool.bytes = bytes;
		pool.capacity = (uint32_t)capacity;
		publish(offset, pool.capacity);
		if (old_bytes)
			claw_space_give(old_offset, old_bytes);
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	return taken;
}

/* Under the lock, these three. A number (index + 1), or 0. */
static uint32_t take_free(void)
{
	uint32_t number = pool.free_chain;

	if (number) {
		pool.free_chain = pool.holds[number - 1].next;
	} else {
		/* Asking the system each time would only take time. */
		if (pool.fresh == pool.capacity &&
		    (pool.refused++ % 1024 || !grow()))
			return 0;
		pool.refused = 0;
		number = ++pool.fresh;
	}
	pool.live++;
	return number;
}

static void free_hold(uint32_t number)
{
	pool.holds[number - 1] = (struct claw_ledger_hold){
		.next = pool.free_chain,
	};
	pool.free_chain = number;
	if (!--pool.live && pool.bytes > 4 * claw_space_page_bytes())
		give_back();
}

static void fill(uint32_t number, const struct claw_ledger_hold *from,
		 uint32_t next)
{
	struct claw_ledger_hold *hold = &pool.holds[number - 1];

	/* Between the words it is a hold of nothing. */
	__atomic_store_n(&hold->serial, 0, __ATOMIC_RELEASE);
	hold->handle = from->handle;
	hold->argument = from->argument;
	hold->bytes = from->bytes;
	hold->next = next;
	__atomic_store_n(&hold->serial, from->serial, __ATOMIC_RELEASE);
}

/* The place of the number of the argument's hold, or of the end. Chains are
 * moved only under the lock. */
static uint32_t *find_link(uint32_t *chain, uint32_t argument)
{
	uint32_t *link = chain;

	while (*link && pool.holds[*link - 1].argument != argument)
		link = &pool.holds[*link - 1].next;
	return link;
}

static bool is_shared(uint32_t chain)
{
	return chain && pool.sharers[chain - 1];
}

static bool set(uint32_t *chain, const struct claw_ledger_hold *hold,
		struct claw_ledger_hold *ret_old)
{
	uint32_t *link = find_link(chain, hold->argument);
	uint32_t number = *link;

	ret_old->handle = 0;
	if (number)
		*ret_old = pool.holds[number - 1];
	if (number && hold->handle) {
		fill(number, hold, ret_old->next);
	} else if (number) {
		*link = ret_old->next;
		free_hold(number);
	} else if (hold->handle) {
		number = take_free();	/* may move what link points into */
		if (!number)
			return false;
		fill(number, hold, *chain);
		*chain = number;
	}
	return true;
}

bool claw_holds_has(enum claw_turn turn, uint32_t chain,
		    const struct claw_ledger_hold *hold)
{
	const struct claw_ledger_hold *found;
	uint32_t number;
	bool same = !hold->handle;

	if (!chain || !claw_lock(turn, &pool.lock))
		return !chain && same;
	number = *find_link(&chain, hold->argument);
	if (number) {
		found = &pool.holds[number - 1];
		same = found->handle == hold->handle &&
		       found->serial == hold->serial;
	}
	claw_unlock(turn, &pool.lock);
	return same;
}

/* Of the lone thread, and what it met lately. */
bool claw_ledger_has_arg(const void *kernel, uint32_t index, size_t size,
			 const void *value)
{
	const struct claw_ledger_entry *entry, *mem;
	uint64_t handle = 0;
	uint32_t number;
	bool same = true;

	if (size == sizeof(void *) && value)
		memcpy(&handle, value, sizeof(void *));
	entry = claw_entry_alone(claw_number(kernel), CLAW_OBJ_KERNEL);
	if (!entry)
		return false;
	mem = *claw_entry_recent(handle);
	if (handle)
		same = handle > CLAW_CLEARED && mem->handle == handle &&
		       mem->object == CLAW_OBJ_MEM && mem->references;
	if (same) {
		number = entry->hold;
		while (number && pool.holds[number - 1].argument != index)
			number = pool.holds[number - 1].next;
		same = !handle ? !number : number &&
			pool.holds[number - 1].handle == handle &&
			pool.holds[number - 1].serial == mem->serial;
	}
	claw_turn_end(CLAW_TURN_ALONE);
	return same;
}

bool claw_holds_set(enum claw_turn turn, uint32_t *chain,
		    const struct claw_ledger_hold *hold,
		    struct claw_ledger_hold *ret_old)
{
	bool done = false;

	ret_old->handle = 0;
	if (!claw_lock(turn, &pool.lock))
		return false;
	done = !is_shared(*chain) && set(chain, hold, ret_old);
	claw_unlock(turn, &pool.lock);
	return done;
}

bool claw_holds_are_shared(enum claw_turn turn, uint32_t chain)
{
	bool shared;

	if (!chain || !claw_lock(turn, &pool.lock))
		return false;
	shared = is_shared(chain);
	claw_unlock(turn, &pool.lock);
	return shared;
}

bool claw_holds_share(enum claw_turn turn, uint32_t chain)
{
	if (!chain || !claw_lock(turn, &pool.lock))
		return false;
	pool.sharers[chain - 1]++;
	claw_unlock(turn, &pool.lock);
	return true;
}

bool claw_holds_leave(enum claw_turn turn, uint32_t chain)
{
	bool shared;

	if (!chain || !claw_lock(turn, &pool.lock))
		return !chain;
	shared = is_shared(chain);
	if (shared)
		pool.sharers[chain - 1]--;
	claw_unlock(turn, &pool.lock);
	return shared;
}

bool claw_holds_use_alone(uint32_t chain, struct claw_ledger_used *ret_used,
			  unsigned int max, unsigned int *ret_count)
{
	unsigned int count = 0;

	for (; chain && count < max; count++) {
		const struct claw_ledger_hold *hold = &pool.holds[chain - 1];
		const struct claw_ledger_entry *entry =
			*claw_entry_recent(hold->handle);

		if (entry->handle != hold->handle || !entry->references ||
		    entry->serial != hold->serial)
			return false;
		claw_ledger_use(entry, hold, &ret_used[count]);
		chain = hold->next;
	}
	*ret_count = count;
	return !chain;
}

bool claw_holds_live(enum claw_turn turn, uint32_t chain)
{
	bool live = turn == CLAW_TURN_ALONE && chain <= pool.fresh;

	for (unsigned int i = 0; live && chain; i++) {
		const struct claw_ledger_hold *hold = &pool.holds[chain - 1];
		const struct claw_ledger_entry *entry =
			*claw_entry_recent(hold->handle);

		live = i < CLAW_HOLDS_MAX && entry->handle == hold->handle &&
		       entry->serial == hold->serial && entry->references;
		chain = hold->next;
	}
	return live;
}

unsigned int claw_holds_copy(enum claw_turn turn, uint32_t chain,
			     struct claw_ledger_hold *holds, unsigned int max,
			     bool *ret_more)
{
	unsigned int count = 0;

	*ret_more = false;
	if (!chain || !claw_lock(turn, &pool.lock))
		return 0;
	for (; chain && count < max; chain = pool.holds[chain - 1].next)
		holds[count++] = pool.holds[chain - 1];
	*ret_more = chain != 0;
	claw_unlock(turn, &pool.lock);
	return count;
}

uint32_t claw_holds_make(enum claw_turn turn,
			 const struct claw_ledger_hold *holds,
			 unsigned int *count)
{
	unsigned int made = 0;
	uint32_t chain = 0;

	if (*count && claw_lock(turn, &pool.lock)) {
		for (; made < *count; made++) {
			uint32_t number = take_free();

			if (!number)
				break;
			fill(number, &holds[made], chain);
			chain = number;
		}
		claw_unlock(turn, &pool.lock);
	}
	*count = made;
	return chain;
}

bool claw_holds_take(enum claw_turn turn, uint32_t *chain,
		     struct claw_ledger_hold *ret_hold)
{
	uint32_t number = *chain;

	if (!number || !claw_lock(turn, &pool.lock))
		return false;
	*ret_hold = pool.holds[number - 1];
	*chain = ret_hold->next;
	free_hold(number);
	claw_unlock(turn, &pool.lock);
	return true;
}
