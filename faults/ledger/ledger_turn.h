/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A thread's turn at the ledger, its locks, and where an entry is: also for
 * those who keep tables of their own within a turn, and for the wrappers.
 */
#ifndef CLAW_LEDGER_TURN_H
#define CLAW_LEDGER_TURN_H

#include "faults/journal/journal.h"
#include "ledger.h"

enum { CLAW_FREE = 0, CLAW_CLEARED = 1 };	/* handles that are none */

/* One shard as this process sees it. */
struct claw_ledger_place {
	uint32_t lock;
	uint32_t capacity;
	uint32_t used, cleared;	/* entries with an object; CLEARED ones */
	uint32_t limit;		/* of used + cleared: then it moves */
	uint32_t low;		/* of used: then it moves, too */
	struct claw_ledger_entry *entries;
	uint64_t offset, bytes;
} __attribute__((aligned(64)));

enum { CLAW_LEDGER_OBSERVERS = 2, CLAW_LEDGER_RECENT = 256 };

struct claw_ledger_process {
	struct claw_ledger_header *header;	/* NULL: off */
	enum claw_ledger_mode mode;
	uint32_t alone_role, shared_role;	/* of threads, in this process */
	uint32_t alone_taken;
	uint32_t alone_inside;	/* written by the lone thread only */
	uint32_t shared;	/* there is a second thread */
	uint32_t stuck;		/* somebody never came out: nobody goes in */
	const struct claw_ledger_memory *memory;	/* NULL: nobody */
	const struct claw_ledger_observer *observers[CLAW_LEDGER_OBSERVERS];
	uint32_t observer_count;
	/* Of the lone thread: where it met an entry last, by the handle; never
	 * NULL. Whoever moves entries forgets them all. */
	struct claw_ledger_entry *recent[CLAW_LEDGER_RECENT];
	struct claw_ledger_place places[CLAW_LEDGER_SHARDS];
};
extern struct claw_ledger_process claw_own_ledger CLAW_HIDDEN;

struct claw_ledger_self {
	uint32_t role;
	bool inside;		/* a shared turn */
};
extern __thread struct claw_ledger_self claw_ledger_self
	__attribute__((tls_model(CLAW_TLS_MODEL), visibility("hidden")));

/* ---- turns */

CLAW_HIDDEN void claw_turn_reset(void);
CLAW_HIDDEN enum claw_turn claw_turn_begin_slowly(void);
/* Wait for a lock; false: its holder never came out. */
CLAW_HIDDEN bool claw_lock_wait(uint32_t *lock);
CLAW_HIDDEN __attribute__((cold)) void claw_lock_wake(uint32_t *lock);

/*
 * NONE for a signal's handler that interrupted a turn of its own thread, and
 * for everybody once a thread stayed inside for ever (its handler jumped out):
 * nothing here may make the program wait for ever.
 */
static inline enum claw_turn claw_turn_begin(void)
{
	struct claw_ledger_process *own = &claw_own_ledger;

	if (__builtin_expect(claw_ledger_self.role != own->alone_role ||
			     own->alone_inside, 0))
		return claw_turn_begin_slowly();
	__atomic_store_n(&own->alone_inside, 1, __ATOMIC_RELAXED);
	/* The processor may put the load first: membarrier() of the thread
	 * that sets shared makes up for that. */
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	if (__builtin_expect(!__atomic_load_n(&own->shared, __ATOMIC_RELAXED),
			     1))
		return CLAW_TURN_ALONE;
	__atomic_store_n(&own->alone_inside, 0, __ATOMIC_RELEASE);
	return claw_turn_begin_slowly();
}

static inline void claw_turn_end(enum claw_turn turn)
{
	if (__builtin_expect(turn == CLAW_TURN_ALONE, 1))
		__atomic_store_n(&claw_own_ledger.alone_inside, 0,
				 __ATOMIC_RELEASE);
	else
		claw_ledger_self.inside = false;
}

/* A lock is 0, or 1 when somebody has it, or 2 when others may sleep until it
 * is given back. */
static inline bool claw_lock_try(uint32_t *lock)
{
	uint32_t nobodys = 0;

	return __atomic_compare_exchange_n(lock, &nobodys, 1, false,
					   __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

static inline bool claw_lock(enum claw_turn turn, uint32_t *lock)
{
	return turn == CLAW_TURN_ALONE || claw_lock_try(lock) ||
	       claw_lock_wait(lock);
}

static inline void claw_unlock(enum claw_turn turn, uint32_t *lock)
{
	if (turn != CLAW_TURN_ALONE &&
	    __atomic_exchange_n(lock, 0, __ATOMIC_RELEASE) == 2)
		claw_lock_wake(lock);
}

/* Count in the header; returns the new value. */
static inline uint64_t claw_ledger_count(enum claw_turn turn, uint64_t *count)
{
	if (turn == CLAW_TURN_ALONE)
		return ++*count;
	return __atomic_add_fetch(count, 1, __ATOMIC_RELAXED);
}

/* Add to a sum of all threads, whether they are at the ledger or not. */
static inline void claw_add_alone(uint64_t *sum, uint64_t more)
{
	enum claw_turn turn = claw_own_ledger.header ? claw_turn_begin() :
		CLAW_TURN_NONE;

	if (__builtin_expect(turn == CLAW_TURN_ALONE, 1))
		__atomic_store_n(sum, __atomic_load_n(sum, __ATOMIC_RELAXED) +
				 more, __ATOMIC_RELAXED);
	else
		__atomic_fetch_add(sum, more, __ATOMIC_RELAXED);
	if (turn != CLAW_TURN_NONE)
		claw_turn_end(turn);
}

/* ---- where an entry is */

/* Handles of OpenCL objects, shared memory and mappings are numbers of
 * different kinds: the same one may name one of each. */
static inline unsigned int claw_class_of(unsigned int object)
{
	return object == CLAW_OBJ_SVM ? 1 : object == CLAW_OBJ_MAPPING ? 2 : 0;
}

/* Handles at equal distances are to lie apart: one multiplication does not see
 * to that for every distance, its two halves do. */
static inline uint64_t claw_entry_mix(uint64_t handle, unsigned int object)
{
	uint64_t key = handle ^ (uint64_t)claw_class_of(object) << 60;
#ifdef __SIZEOF_INT128__
	__extension__ typedef unsigned __int128 wide;
	wide product = (wide)(key ^ UINT64_C(0xa0761d6478bd642f)) *
		       UINT64_C(0x9e3779b97f4a7c15);

	return (uint64_t)(product >> 64) ^ (uint64_t)product;
#else
	key *= UINT64_C(0x9e3779b97f4a7c15);
	key ^= key >> 32;
	return key * UINT64_C(0xe7037ed1a0b428db);
#endif
}

static inline struct claw_ledger_place *claw_entry_place(uint64_t mix)
{
	return &claw_own_ledger.places[mix >> 58];
}

static inline uint32_t claw_entry_start(uint64_t mix, uint32_t capacity)
{
	return (uint32_t)((uint64_t)(uint32_t)(mix >> 26) * capacity >> 32);
}

/* Always inline: gcc leaves out the call of a function that only prefetches. */
static inline __attribute__((always_inline)) void
claw_entry_prefetch(uint64_t handle, unsigned int object)
{
	uint64_t mix = claw_entry_mix(handle, object);
	const struct claw_ledger_place *place = claw_entry_place(mix);

	__builtin_prefetch(&place->entries[claw_entry_start(mix,
							    place->capacity)]);
}

static inline uint64_t claw_number(const void *handle)
{
	return (uintptr_t)handle;
}

/* Where the lone thread looks first. */
static inline struct claw_ledger_entry **claw_entry_recent(uint64_t handle)
{
	return &claw_own_ledger.recent[(handle >> 4 ^ handle >> 11) %
				       CLAW_LEDGER_RECENT];
}

static inline bool claw_entry_is(const struct claw_ledger_entry *entry,
				 uint64_t handle, unsigned int object)
{
	return entry->handle == handle &&
	       claw_class_of(entry->object) == claw_class_of(object);
}

/* The entry with that handle, of that object's class, or NULL. */
static inline struct claw_ledger_entry *
claw_entry_find(const struct claw_ledger_place *place, uint64_t mix,
		uint64_t handle, unsigned int object)
{
	uint32_t i = claw_entry_start(mix, place->capacity);

	for (;;) {
		struct claw_ledger_entry *entry = &place->entries[i];

		if (entry->handle == handle &&
		    claw_class_of(entry->object) == claw_class_of(object))
			return entry;
		if (entry->handle == CLAW_FREE)
			return NULL;
		if (++i == place->capacity)
			i = 0;
	}
}

/*
 * The same, without the lock of its place: *ret_place is that place, which is
 * locked now, or NULL where the turn needs no lock. NULL: it is not there, or
 * the lock was not to be had; nothing is locked.
 */
CLAW_HIDDEN struct claw_ledger_entry *
claw_entry_meet_slowly(enum claw_turn turn, uint64_t handle, unsigned int object,
		       struct claw_ledger_place **ret_place);
static inline __attribute__((always_inline)) struct claw_ledger_entry *
claw_entry_meet(enum claw_turn turn, uint64_t handle, unsigned int object,
		struct claw_ledger_place **ret_place)
{
	struct claw_ledger_entry *recent = *claw_entry_recent(handle);

	*ret_place = NULL;
	/* Entries that are gone have handles that are none. */
	if (__builtin_expect(turn == CLAW_TURN_ALONE && handle > CLAW_CLEARED &&
			     claw_entry_is(recent, handle, object), 1))
		return recent;
	return claw_entry_meet_slowly(turn, handle, object, ret_place);
}

/*
 * A turn of the lone thread's, and an entry that it met lately: of that type,
 * and the program has a reference. NULL: no turn has begun, ask elsewhere.
 */
static inline __attribute__((always_inline)) struct claw_ledger_entry *
claw_entry_alone(uint64_t handle, unsigned int object)
{
	struct claw_ledger_process *own = &claw_own_ledger;
	struct claw_ledger_entry *entry = *claw_entry_recent(handle);

	if (__builtin_expect(claw_ledger_self.role != own->alone_role ||
			     own->alone_inside, 0))
		return NULL;
	__atomic_store_n(&own->alone_inside, 1, __ATOMIC_RELAXED);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);	/* as claw_turn_begin() */
	if (__builtin_expect(!__atomic_load_n(&own->shared, __ATOMIC_RELAXED) &&
			     handle > CLAW_CLEARED && entry->handle == handle &&
			     entry->object == object && entry->references, 1))
		return entry;
	__atomic_store_n(&own->alone_inside, 0, __ATOMIC_RELEASE);
	return NULL;
}

static inline void claw_ledger_use(const struct claw_ledger_entry *entry,
				   const struct claw_ledger_hold *hold,
				   struct claw_ledger_used *ret)
{
	ret->handle = entry->handle;
	ret->serial = entry->serial;
	ret->bytes = entry->bytes;
	ret->mem_flags = entry->mem_flags;
	ret->parent = entry->parent;
	ret->argument = hold->argument;
	ret->api = entry->api;
}

/* What it locked. */
static inline void claw_entry_part(struct claw_ledger_place *place)
{
	if (place)
		claw_unlock(CLAW_TURN_SHARED, &place->lock);
}
CLAW_HIDDEN void claw_entry_forget_recent(void);

/* Copy at most max out; *ret_more: there are more. */
CLAW_HIDDEN unsigned int claw_holds_copy(enum claw_turn turn, uint32_t chain,
					 struct claw_ledger_hold *holds,
					 unsigned int max, bool *ret_more);

/* What a launch uses of a chain, as claw_ledger_uses(): of the lone thread, and
 * what it met lately. Within its turn. */
CLAW_HIDDEN bool claw_holds_use_alone(uint32_t chain,
				      struct claw_ledger_used *ret_used,
				      unsigned int max,
				      unsigned int *ret_count);

/* Has the program a reference to each object of the chain, which is no longer
 * than CLAW_HOLDS_MAX, as far as the lone thread met them lately? Within its
 * turn; false where it is not alone. */
enum { CLAW_HOLDS_MAX = 64 };	/* that an event takes from its kernel */
CLAW_HIDDEN bool claw_holds_live(enum claw_turn turn, uint32_t chain);

CLAW_HIDDEN uint64_t claw_space_page_bytes(void);

#endif
