/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Write the journal (journal_format.h, doc/journal.md): what this process did
 * at the OpenCL boundary, on disk the instant it happened.
 *
 * Everything here may be called from any thread and, but for open, close and
 * after_fork, from a signal handler. Before claw_journal_open() and after a
 * failure of it every function is harmless and records nothing. Nothing
 * allocates but open, after_fork and a thread's first call (which may map a
 * page); nothing prints; no signal reaches the program from here.
 */
#ifndef CLAW_JOURNAL_H
#define CLAW_JOURNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "faults/shared/clock.h"
#include "faults/shared/journal_format.h"

#define CLAW_HIDDEN __attribute__((visibility("hidden")))

struct claw_journal_config {
	const char *session;	/* directory; NULL: counters in memory only */
	uint64_t seed, nonce;
	enum claw_record_mode record;
	uint64_t capacity;	/* calls to keep; 0: the mode's default */
	unsigned int api_count;
	const char *(*api_name)(unsigned int api);
	const char *exe;	/* of the program, or NULL */
	const char *loader;	/* the ICD loader's file, or NULL: not known yet */
};

/*
 * Make journal.<pid>.<n> in the session. When the space for it cannot be had
 * (disk full, RLIMIT_FSIZE, directory gone) the counters live in memory only
 * and claw_journal_is_on_disk() says false. The strings of config are copied.
 *
 * Returns 0, or -1 when not even memory could be had.
 */
CLAW_HIDDEN int claw_journal_open(const struct claw_journal_config *config);
CLAW_HIDDEN bool claw_journal_is_on_disk(void);
/* Path of the file, "" when there is none. */
CLAW_HIDDEN const char *claw_journal_path(void);
/* The path beside it that has another first word: "ledger." for
 * ledger.<pid>.<n> beside journal.<pid>.<n>. False: there is none. */
CLAW_HIDDEN bool claw_journal_sibling(const char *word, char *path,
				      size_t size);

/* Mark it CLOSED (exit() or clDeinitLayer was reached) and refresh the last
 * clock pair. Later calls are still recorded. */
CLAW_HIDDEN void claw_journal_close(void);

/*
 * To be called once in a forked child before it counts or records anything:
 * the child gets a journal of its own at the same addresses, so that pointers
 * to rule slots and thread blocks, and the numbers of strings, modules, sites
 * and rules stay valid. Counters and rule counters start at 0, thread numbers
 * at 1. Returns like claw_journal_open().
 */
CLAW_HIDDEN int claw_journal_after_fork(void);

/* Refresh the last clock pair. Events, closing and now and then calls do. */
CLAW_HIDDEN void claw_journal_touch_clock(void);

/* ---- threads and counters ---------------------------------------------- */

struct claw_journal_self {
	struct claw_journal_thread *block;	/* NULL: not entered, or shared */
	const uint64_t *base;	/* counts of the block's former threads */
	uint64_t *own_calls;	/* of a thread in the shared block, or NULL */
	uint32_t number;	/* of this thread from 1; 0: not entered */
	uint32_t slot;		/* private */
};
extern __thread struct claw_journal_self claw_journal_self
	__attribute__((tls_model(CLAW_TLS_MODEL), visibility("hidden")));

/* This thread's block, made at its first call; NULL for a thread beyond the
 * 63 that have one (and before open). */
CLAW_HIDDEN struct claw_journal_thread *claw_journal_thread_enter(void);

/* The slow paths, if claw_journal_self.block is NULL. */
CLAW_HIDDEN void claw_journal_count_shared(unsigned int api);
CLAW_HIDDEN void claw_journal_live_add_shared(enum claw_obj obj, int64_t delta);
CLAW_HIDDEN void claw_journal_bytes_add_shared(uint64_t bytes);
CLAW_HIDDEN uint64_t claw_journal_ordinal_shared(unsigned int api);

/* This thread's block without any work: NULL sends the caller to one of the
 * _shared functions, which enter the thread when that was all. */
static inline struct claw_journal_thread *claw_journal_thread_get(void)
{
	return claw_journal_self.block;
}

/* This thread's number from 1 (0 before open). */
static inline uint32_t claw_journal_thread_number(void)
{
	if (__builtin_expect(claw_journal_self.number == 0, 0))
		claw_journal_thread_enter();
	return claw_journal_self.number;
}

/* One call of this function: before the driver is called. */
static inline void claw_journal_count(unsigned int api)
{
	struct claw_journal_thread *block = claw_journal_self.block;

	if (__builtin_expect(block != NULL, 1))
		block->calls[api]++;
	else
		claw_journal_count_shared(api);
}

/* How many calls of this function this thread has counted, from 1 after the
 * first claw_journal_count(): the record's ordinal. */
static inline uint64_t claw_journal_ordinal(unsigned int api)
{
	struct claw_journal_thread *block = claw_journal_self.block;

	if (__builtin_expect(block != NULL, 1))
		return block->calls[api] - claw_journal_self.base[api];
	return claw_journal_ordinal_shared(api);
}

/* Calls of these functions in all threads; those that are being made count
 * already. 0 before open. */
CLAW_HIDDEN uint64_t claw_journal_count_all(const uint16_t *apis,
					    size_t api_count);

/* References made or retained (+) and released (-). block: what
 * claw_journal_thread_get() said, NULL included. */
static inline void claw_journal_live_add(struct claw_journal_thread *block,
					 enum claw_obj obj, int64_t delta)
{
	if (__builtin_expect(block == NULL, 0)) {
		claw_journal_live_add_shared(obj, delta);
		return;
	}
	block->live[obj] += delta;
	if (block->live[obj] > block->peak[obj])
		block->peak[obj] = block->live[obj];
}

/* Bytes that a successful creation asked for. */
static inline void claw_journal_bytes_add(struct claw_journal_thread *block,
					  uint64_t bytes)
{
	if (__builtin_expect(block != NULL, 1))
		block->created_bytes += bytes;
	else
		claw_journal_bytes_add_shared(bytes);
}

CLAW_HIDDEN void claw_journal_set_hooked_slots(uint32_t slots);
CLAW_HIDDEN void claw_journal_set_door(enum claw_door door);
CLAW_HIDDEN void claw_journal_set_door_left_out(enum claw_door door);
CLAW_HIDDEN void claw_journal_add_unknown_ext(void);
CLAW_HIDDEN void claw_journal_add_misuse(void);
/* Something else that the guest could not record. */
CLAW_HIDDEN void claw_journal_add_damaged(void);
CLAW_HIDDEN void claw_journal_set_loader(const char *path);
/* The plan was refused: why, one line. */
CLAW_HIDDEN void claw_journal_set_plan_error(const char *text);

/* ---- strings, modules, sites ------------------------------------------- */

/* Each returns the entry's number (strings: its offset), the same one for the
 * same content, or 0 when there is no room. */
CLAW_HIDDEN uint32_t claw_journal_string(const char *text, size_t length);
CLAW_HIDDEN uint32_t claw_journal_module(const char *path, uint64_t base,
					 uint64_t text_end,
					 const void *build_id,
					 size_t build_id_bytes);
/* Look up a number that was returned earlier; a string, or "?" for 0. */
CLAW_HIDDEN const char *claw_journal_string_at(uint32_t offset);
CLAW_HIDDEN const struct claw_journal_site *
claw_journal_site_at(uint32_t number);
CLAW_HIDDEN const struct claw_journal_module *
claw_journal_module_at(uint32_t number);
/* The site with that hash, or 0: no lock, no system call. */
CLAW_HIDDEN uint32_t claw_journal_site_lookup(uint64_t hash);
/* Add it unless it is there. At most CLAW_JOURNAL_MAX_FRAMES are kept. */
CLAW_HIDDEN uint32_t claw_journal_site(uint64_t hash, enum claw_site_kind kind,
				       const struct claw_journal_frame *frames,
				       size_t frame_count);

/* ---- rules ------------------------------------------------------------- */

/* Index of the new rule's slot, or -1: no room (or before open). */
CLAW_HIDDEN int claw_journal_rule_add(const char *text, bool armed);
/* The slot, for __atomic operations on its counters; never NULL, an index
 * without a slot has one that nobody reads. */
CLAW_HIDDEN struct claw_journal_rule *claw_journal_rule_at(int index);

/* Count and return the new value: the rule's n-th match, its n-th firing. */
static inline uint64_t claw_journal_rule_matched(struct claw_journal_rule *rule)
{
	return __atomic_add_fetch(&rule->matched, 1, __ATOMIC_RELAXED);
}

static inline uint64_t claw_journal_rule_fired(struct claw_journal_rule *rule)
{
	return __atomic_add_fetch(&rule->fired, 1, __ATOMIC_RELAXED);
}

static inline void claw_journal_rule_consequence(struct claw_journal_rule *rule)
{
	__atomic_add_fetch(&rule->consequences, 1, __ATOMIC_RELAXED);
}

static inline void claw_journal_rule_delayed(struct claw_journal_rule *rule,
					     uint64_t ns)
{
	__atomic_add_fetch(&rule->delayed_ns, ns, __ATOMIC_RELAXED);
}

/* ---- records ----------------------------------------------------------- */

/* Private: what the inline functions need. */
struct claw_journal_writer {
	struct claw_journal_header *header;	/* never NULL */
	struct claw_journal_record *calls;	/* the calls area */
	uint64_t calls_mask;	/* ring: capacity - 1; full: all ones */
	uint64_t calls_limit;	/* indices from here on need the slow path */
	uint32_t record;	/* enum claw_record_mode */
	bool clock_is_ns;
};
extern struct claw_journal_writer claw_journal_writer CLAW_HIDDEN;

/* Room for that index in a growing calls area? */
CLAW_HIDDEN bool claw_journal_calls_grow(uint64_t index);

static inline uint64_t claw_journal_ticks(void)
{
	return claw_clock_ticks(claw_journal_writer.clock_is_ns);
}

/* A span as records have it. */
static inline uint32_t claw_journal_span(uint64_t from, uint64_t to)
{
	uint64_t span = to - from;

	return span > UINT32_MAX ? UINT32_MAX : (uint32_t)span;
}

/* Private: fill a slot that is this thread's own. The compiler and the
 * processor keep fields after the busy mark and before the commit. */
static inline __attribute__((always_inline)) void
claw_journal_fill(struct claw_journal_record *slot,
		  const struct claw_journal_record *from, uint64_t number)
{
	slot->ticks = from->ticks;
	slot->ordinal = from->ordinal;
	slot->handle = from->handle;
	slot->value = from->value;
	slot->duration_ticks = from->duration_ticks;
	slot->result = from->result;
	slot->thread = from->thread;
	slot->site = from->site;
	slot->api = from->api;
	slot->flags = from->flags;
	slot->rule = from->rule;
	slot->fault = from->fault;
	__atomic_store_n(&slot->commit,
			 claw_journal_record_commit(from, number),
			 __ATOMIC_RELEASE);
}

/*
 * Record one call, in ring and full mode. call->commit is ignored; thread is
 * the caller's to fill in (claw_journal_thread_number()).
 *
 * Always inline, and *call best a local of the caller's: then the record stays
 * in registers and costs some 2 ns beside a reading of the clock, which
 * is 10; through memory it costs 15 more (narrow stores that are read back
 * wide). Measure a duration only where it says something.
 *
 * Returns the record's number, or 0 when it was dropped (which is counted).
 */
static inline __attribute__((always_inline)) uint64_t
claw_journal_call(const struct claw_journal_record *call)
{
	const struct claw_journal_writer *writer = &claw_journal_writer;

	if (writer->record == CLAW_RECORD_NONE)
		return 0;
	uint64_t index = __atomic_fetch_add(&writer->header->calls.used, 1,
					    __ATOMIC_RELAXED);
	if (__builtin_expect(index >= __atomic_load_n(&writer->calls_limit,
						      __ATOMIC_ACQUIRE), 0) &&
	    !claw_journal_calls_grow(index))
		return 0;

	struct claw_journal_record *slot =
		&writer->calls[index & writer->calls_mask];
	uint64_t number = index + 1;

	if (writer->record == CLAW_RECORD_LAST) {
		/* The slot's last writer may sleep in the middle of it, or a
		 * later one may be done already: then this record is lost,
		 * never mixed with theirs. */
		uint64_t old = __atomic_load_n(&slot->commit, __ATOMIC_RELAXED);

		if (__builtin_expect((old & CLAW_JOURNAL_BUSY) ||
			(old & CLAW_JOURNAL_NUMBER_MASK) > number, 0) ||
		    !__atomic_compare_exchange_n(&slot->commit, &old,
				CLAW_JOURNAL_BUSY | number, false,
				__ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
			claw_journal_add_damaged();
			return 0;
		}
	}
	claw_journal_fill(slot, call, number);
	if (__builtin_expect((number & 0xfff) == 0, 0))
		claw_journal_touch_clock();
	return number;
}

/*
 * The call recorded under that number with CLAW_REC_BLOCKS has returned: the
 * record, if the ring has not passed it, loses that flag and gets what is
 * given here. number 0 is fine.
 */
CLAW_HIDDEN void claw_journal_call_returned(uint64_t number, int32_t result,
					    uint64_t handle,
					    uint32_t duration_ticks);

/*
 * Append to the events area, which is never overwritten: a firing, a
 * consequence, a misuse. event->rule, when not 0, gets its first_event.
 *
 * Returns the event's number, or 0 when it was dropped (which is counted).
 */
CLAW_HIDDEN uint32_t
claw_journal_event(const struct claw_journal_record *event);

/* ---- files of the session */

/* The file's blocks from there on exist when this says so: no later write to
 * them meets a full disk. RLIMIT_FSIZE is asked first. Signals are blocked,
 * so EINTR does not last. */
CLAW_HIDDEN bool claw_journal_reserve_space(int fd, uint64_t offset,
					    uint64_t bytes);
/* Write all of it, where there is room already; and to a new file, if
 * RLIMIT_FSIZE allows one so long (else SIGXFSZ ends the program). Every
 * writer of a file uses one of these. */
CLAW_HIDDEN bool claw_file_write_at(int fd, const void *bytes, uint64_t size,
				    uint64_t offset);
CLAW_HIDDEN bool claw_file_write(int fd, const void *bytes, uint64_t size);
/* A file that nobody has made yet, with all its blocks, mapped to be shared;
 * NULL, and no file: there is one already, or no room. */
CLAW_HIDDEN void *claw_journal_map_new(const char *path, uint64_t bytes);

#endif
