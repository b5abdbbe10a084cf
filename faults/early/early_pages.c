/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pages of the program that are closed: which ones, closing, opening, and
 * whether a fault is one of theirs. No lock, for a fault may happen in the
 * midst of anything: who moves a read's state from CLOSED to OPENING opens its
 * pages.
 */
#include "config.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "early_private.h"

enum {
	RECENT = 64,		/* reads whose pages were opened just now */
	TRIES = 3,		/* at one instruction */
	OPENING_TRIES = 2000,
	NAP_NS = 10000,
};

struct claw_early_read claw_own_early[CLAW_EARLY_READS];

static struct { uint64_t low, high; } recent[RECENT];
static uint32_t recent_count;

/* What this thread tripped over last, and how often. */
static __thread struct {
	uint64_t address;
	unsigned int times;
} last __attribute__((tls_model(CLAW_TLS_MODEL)));

static uint64_t page_bytes(void)
{
	static uint64_t bytes;

	if (!bytes)
		bytes = (uint64_t)sysconf(_SC_PAGESIZE);
	return bytes;
}

/* libc's would tell the layer of it, which is us. */
static bool protect(uint64_t low, uint64_t high, int protection)
{
	int saved = errno;
	bool good = syscall(SYS_mprotect, low, high - low, protection) == 0;

	errno = saved;
	return good;
}

/* ---- runs of pages */

/* Of a row; false: it has no whole page. */
static bool row_pages(uint64_t start, uint64_t bytes, uint64_t *ret_low,
		      uint64_t *ret_high)
{
	uint64_t page = page_bytes();

	*ret_low = (start + page - 1) / page * page;
	*ret_high = (start + bytes) / page * page;
	return *ret_low < *ret_high;
}

struct runs {
	const struct claw_span *span;
	uint64_t low, high;	/* of this one */
	uint32_t row, slice;	/* of the next one */
	unsigned int count;
};

static bool next_run(struct runs *runs)
{
	const struct claw_span *span = runs->span;

	if (runs->count == CLAW_EARLY_RUNS)
		return false;
	while (runs->slice < span->slices) {
		uint64_t start = span->start +
			runs->slice * span->slice_pitch +
			runs->row * span->row_pitch;

		if (++runs->row == span->rows) {
			runs->row = 0;
			runs->slice++;
		}
		if (row_pages(start, span->row_bytes, &runs->low,
			      &runs->high)) {
			runs->count++;
			return true;
		}
	}
	return false;
}

bool claw_early_has_pages(const struct claw_span *span, uint64_t *ret_low,
			  uint64_t *ret_high)
{
	struct runs runs = { .span = span };
	bool any = false;

	/* Without one in the first row there are few in the others. */
	if (span->row_bytes < page_bytes())
		return false;
	while (next_run(&runs)) {
		if (!any)
			*ret_low = runs.low;
		*ret_high = runs.high;
		any = true;
	}
	return any;
}

static bool has_address(const struct claw_span *span, uint64_t address)
{
	struct runs runs = { .span = span };

	while (next_run(&runs))
		if (address - runs.low < runs.high - runs.low)
			return true;
	return false;
}

/* False: not all of it, and the rest is not worth the trouble. */
static bool protect_runs(const struct claw_span *span, int protection)
{
	struct runs runs = { .span = span };

	while (next_run(&runs))
		if (!protect(runs.low, runs.high, protection) &&
		    protection == PROT_NONE)
			return false;
	return true;
}

/* ---- states */

static uint64_t with_state(uint64_t state, enum claw_early_state next)
{
	return (state & ~(uint64_t)((1 << CLAW_EARLY_STATE_BITS) - 1)) | next;
}

static bool move(struct claw_early_read *read, uint64_t state,
		 enum claw_early_state from, enum claw_early_state to)
{
	uint64_t expected = with_state(state, from);

	return __atomic_compare_exchange_n(&read->state, &expected,
					   with_state(state, to), false,
					   __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

/* A fault that another thread took there may be on its way still. */
static void remember(const struct claw_early_read *read)
{
	uint32_t i = __atomic_fetch_add(&recent_count, 1, __ATOMIC_RELAXED);

	recent[i % RECENT].low = read->low;
	recent[i % RECENT].high = read->high;
}

static void finish_opening(struct claw_early_read *read, uint64_t state,
			   const struct claw_early_read *as_closed)
{
	remember(as_closed);
	protect_runs(&as_closed->span, PROT_READ | PROT_WRITE);
	move(read, state, CLAW_EARLY_OPENING, CLAW_EARLY_OPEN);
}

/* Of more rows than that the others stay open. */
static bool has_few_runs(const struct claw_span *span)
{
	struct runs runs = { .span = span };

	while (next_run(&runs))
		;
	return runs.slice == span->slices;
}

bool claw_early_close(struct claw_early_read *read)
{
	uint64_t state = __atomic_load_n(&read->state, __ATOMIC_ACQUIRE);
	bool is_whole = has_few_runs(&read->span);

	if (!move(read, state, CLAW_EARLY_MADE, CLAW_EARLY_CLOSED))
		return false;
	if (!protect_runs(&read->span, PROT_NONE)) {
		claw_early_open(read);
		return false;
	}
	/* Opened meanwhile: what came after that is closed now. */
	if (!move(read, state, CLAW_EARLY_CLOSED, CLAW_EARLY_CLOSED))
		protect_runs(&read->span, PROT_READ | PROT_WRITE);
	return is_whole;
}

void claw_early_open(struct claw_early_read *read)
{
	uint64_t state = __atomic_load_n(&read->state, __ATOMIC_ACQUIRE);
	const struct timespec nap = { .tv_nsec = NAP_NS };
	struct claw_early_read copy = *read;
	int saved = errno;

	if (move(read, state, CLAW_EARLY_CLOSED, CLAW_EARLY_OPENING))
		finish_opening(read, state, &copy);
	for (unsigned int i = 0; i < OPENING_TRIES &&
	     __atomic_load_n(&read->state, __ATOMIC_ACQUIRE) ==
	     with_state(state, CLAW_EARLY_OPENING); i++)
		nanosleep(&nap, NULL);
	errno = saved;
}

void claw_early_open_all(void)
{
	for (unsigned int i = 0; i < CLAW_EARLY_READS; i++)
		if (claw_early_state(&claw_own_early[i]) >= CLAW_EARLY_CLOSED)
			claw_early_open(&claw_own_early[i]);
}

void claw_early_wipe(void)
{
	for (unsigned int i = 0; i < CLAW_EARLY_READS; i++) {
		struct claw_early_read *read = &claw_own_early[i];

		if (claw_early_state(read) >= CLAW_EARLY_CLOSED)
			protect_runs(&read->span, PROT_READ | PROT_WRITE);
		read->state = 0;
	}
}

/* ---- faults */

static bool is_recent(uint64_t address)
{
	for (unsigned int i = 0; i < RECENT; i++)
		if (address - recent[i].low < recent[i].high - recent[i].low)
			return true;
	return false;
}

/* Whose pages were opened between the fault and us: the instruction is run
 * again, but not for ever. */
static bool try_again(uint64_t address)
{
	if (last.address != address)
		last.times = 0;
	last.address = address;
	return ++last.times <= TRIES && is_recent(address);
}

static bool find_one(struct claw_early_read *read, uint64_t address,
		     struct claw_early_read *touched)
{
	uint64_t state = __atomic_load_n(&read->state, __ATOMIC_ACQUIRE);
	struct claw_early_read copy = *read;

	if (claw_early_state(read) < CLAW_EARLY_CLOSED ||
	    __atomic_load_n(&read->state, __ATOMIC_ACQUIRE) != state ||
	    address - copy.low >= copy.high - copy.low ||
	    !has_address(&copy.span, address))
		return false;
	last.times = 0;
	if (copy.adrift && claw_early_await(state, read))
		return true;
	if (!move(read, state, CLAW_EARLY_CLOSED, CLAW_EARLY_OPENING)) {
		claw_early_open(read);	/* somebody is at it */
		return true;
	}
	if (!copy.adrift)
		*touched = copy;
	finish_opening(read, state, &copy);
	return true;
}

bool claw_early_find_fault(uint64_t address, struct claw_early_read *touched)
{
	touched->api = CLAW_FOUND_NO_API;
	for (unsigned int i = 0; i < CLAW_EARLY_READS; i++)
		if (find_one(&claw_own_early[i], address, touched))
			return true;
	return try_again(address);
}
