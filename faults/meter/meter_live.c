/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Meters of what is alive, by type and by creation site, and what the sites
 * had when device memory was highest.
 */
#include "config.h"

#include "meter.h"

#include "meter_batches.h"
#include "meter_kernels.h"

enum { PEAK_GROWTH = 128 };	/* the snapshot's: one part in so many */

/* Sites from there on had no memory; never less in a process. */
static unsigned int sites_end;

static uint64_t add(enum claw_turn turn, uint64_t *count, uint64_t more)
{
	if (turn == CLAW_TURN_ALONE)
		return *count += more;
	return __atomic_add_fetch(count, more, __ATOMIC_RELAXED);
}

/* Was it lower? */
static bool raise_to(enum claw_turn turn, uint64_t *peak, uint64_t value)
{
	uint64_t old = __atomic_load_n(peak, __ATOMIC_RELAXED);

	if (turn == CLAW_TURN_ALONE) {
		if (value > old)
			*peak = value;
		return value > old;
	}
	while (value > old)
		if (__atomic_compare_exchange_n(peak, &old, value, true,
						__ATOMIC_RELAXED,
						__ATOMIC_RELAXED))
			return true;
	return false;
}

/* Of the device's memory. */
static uint64_t device_bytes(const struct claw_ledger_entry *entry)
{
	if (entry->flags & (CLAW_LEDGER_SUB | CLAW_LEDGER_HOST_PTR))
		return 0;
	return entry->object == CLAW_OBJ_MEM || entry->object == CLAW_OBJ_SVM ?
		entry->bytes : 0;
}

static struct claw_meter_site *site_of(const struct claw_ledger_entry *entry)
{
	return &claw_own_meters.file->sites[entry->site < CLAW_METER_SITES ?
					    entry->site : 0];
}

/* Its bytes are the sum of the sites'. Whoever finds another at it leaves it
 * to that one. */
static __attribute__((noinline)) void keep_peak(void)
{
	struct claw_meter_file *file = claw_own_meters.file;
	struct claw_meter_peak *peak = &file->peak;
	uint32_t sequence = __atomic_load_n(&peak->sequence, __ATOMIC_RELAXED);
	unsigned int end = __atomic_load_n(&sites_end, __ATOMIC_RELAXED);
	uint64_t sum = 0;

	if (sequence & 1 ||
	    !__atomic_compare_exchange_n(&peak->sequence, &sequence,
					 sequence + 1, false, __ATOMIC_ACQ_REL,
					 __ATOMIC_RELAXED))
		return;
	for (unsigned int i = 0; i < end; i++) {
		uint64_t bytes = __atomic_load_n(&file->sites[i].bytes,
						 __ATOMIC_RELAXED);

		__atomic_store_n(&peak->site_bytes[i], bytes, __ATOMIC_RELAXED);
		sum += bytes;
	}
	peak->bytes = sum;
	__atomic_store_n(&peak->sequence, sequence + 2, __ATOMIC_RELEASE);
}

static void add_bytes(enum claw_turn turn, struct claw_meter_site *site,
		      uint64_t bytes)
{
	struct claw_meter_file *file = claw_own_meters.file;
	unsigned int end = (unsigned int)(site - file->sites) + 1;
	unsigned int old = __atomic_load_n(&sites_end, __ATOMIC_RELAXED);
	uint64_t kept, live;

	while (__builtin_expect(end > old, 0) &&
	       !__atomic_compare_exchange_n(&sites_end, &old, end, true,
					    __ATOMIC_RELAXED, __ATOMIC_RELAXED))
		;
	raise_to(turn, &site->peak_bytes, add(turn, &site->bytes, bytes));
	add(turn, &file->allocated_bytes, bytes);
	live = add(turn, &file->live_bytes, bytes);
	if (!raise_to(turn, &file->peak_bytes, live))
		return;
	__atomic_store_n(&file->peak.ticks, claw_journal_ticks(),
			 __ATOMIC_RELAXED);
	kept = __atomic_load_n(&file->peak.bytes, __ATOMIC_RELAXED);
	if (live > kept + kept / PEAK_GROWTH)
		keep_peak();
}

/* The first that goes after a peak: who owned that is here for the last time.
 * Of two threads at once neither may see it; the snapshot is of less then. */
static void remove_bytes(enum claw_turn turn, struct claw_meter_site *site,
			 uint64_t bytes)
{
	struct claw_meter_file *file = claw_own_meters.file;
	uint64_t peak = __atomic_load_n(&file->peak_bytes, __ATOMIC_RELAXED);

	if (peak == __atomic_load_n(&file->live_bytes, __ATOMIC_RELAXED) &&
	    peak != __atomic_load_n(&file->peak.bytes, __ATOMIC_RELAXED))
		keep_peak();
	add(turn, &site->bytes, 0 - bytes);
	add(turn, &file->live_bytes, 0 - bytes);
	add(turn, &file->freed_bytes, bytes);
}

static void count(enum claw_turn turn, const struct claw_ledger_entry *entry,
		  bool again)
{
	struct claw_meter_file *file = claw_own_meters.file;
	struct claw_meter_site *site = site_of(entry);
	uint64_t bytes = device_bytes(entry);

	add(turn, &file->live[entry->object], 1);
	add(turn, &site->objects, 1);
	add(turn, &site->made, !again);
	if (__builtin_expect(!__atomic_load_n(&site->api, __ATOMIC_RELAXED), 0))
		__atomic_store_n(&site->api, (uint64_t)entry->api + 1,
				 __ATOMIC_RELAXED);
	if (__builtin_expect(entry->site >= CLAW_METER_SITES, 0) && !again)
		add(turn, &file->unplaced, 1);
	if (bytes)
		add_bytes(turn, site, bytes);
}

static void born(enum claw_turn turn, const struct claw_ledger_entry *entry)
{
	count(turn, entry, false);
}

static void restored(enum claw_turn turn, const struct claw_ledger_entry *entry)
{
	count(turn, entry, true);
}

static void died(enum claw_turn turn, const struct claw_ledger_entry *entry)
{
	struct claw_meter_file *file = claw_own_meters.file;
	struct claw_meter_site *site = site_of(entry);
	uint64_t bytes = device_bytes(entry);

	add(turn, &file->live[entry->object], UINT64_MAX);
	add(turn, &site->objects, UINT64_MAX);
	if (bytes)
		remove_bytes(turn, site, bytes);
	if (entry->object == CLAW_OBJ_KERNEL)
		claw_meter_kernel_gone(entry->handle);
	else if (entry->object == CLAW_OBJ_QUEUE)
		claw_meter_queue_gone(entry->handle);
}

void claw_meter_live_begin(void)
{
	static const struct claw_ledger_observer observer = {
		.born = born, .restored = restored, .died = died,
	};

	claw_ledger_observe(&observer);
}
