/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Write findings down. The file has its whole size from the beginning; who
 * adds a finding looks for the same one under a lock, and a reader sees an
 * entry when its last word is set.
 */
#include "config.h"

#include "found.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "faults/call/guest.h"
#include "faults/journal/site_cache.h"
#include "faults/ledger/ledger_turn.h"
#include "faults/log/fault_log.h"

static struct {
	struct claw_found_header *header;	/* NULL: off */
	struct claw_found_entry *entries;
	uint32_t lock;
} own;

enum {
	LOCK_TRIES = 10000,
	FILE_BYTES = sizeof(struct claw_found_header) +
		     CLAW_FOUND_CAPACITY * sizeof(struct claw_found_entry),
};

void claw_found_add_mode(enum claw_found_mode mode)
{
	if (own.header)
		__atomic_fetch_or(&own.header->modes, (uint32_t)mode,
				  __ATOMIC_RELAXED);
}

void claw_found_count(enum claw_found_count what, uint64_t more)
{
	if (own.header)
		claw_add_alone(&own.header->counts[what], more);
}

uint64_t claw_found_counted(enum claw_found_count what)
{
	return own.header ? __atomic_load_n(&own.header->counts[what],
					    __ATOMIC_RELAXED) : 0;
}

struct claw_found_place claw_found_here(enum claw_api api,
					enum claw_obj object)
{
	return claw_found_place(claw_site_cached(), api, object);
}

static bool is_same_place(const struct claw_found_place *a,
			  const struct claw_found_place *b)
{
	return a->site == b->site && a->api == b->api && a->object == b->object;
}

/* Of a kernel's access it is where in the kernel, not whose launch. */
static bool is_same_access(const struct claw_found_entry *a,
			   const struct claw_found_entry *b)
{
	return a->kind == b->kind && a->probes == b->probes &&
	       a->values[0] == b->values[0] &&
	       (a->kind != CLAW_FOUND_KERNEL_RACE ||
		(uint32_t)a->values[4] == (uint32_t)b->values[4]) &&
	       !strncmp(a->name, b->name, sizeof(a->name));
}

static bool is_of_kernel(const struct claw_found_entry *entry)
{
	return entry->kind >= CLAW_FOUND_KERNEL_BOUNDS &&
	       entry->kind <= CLAW_FOUND_KERNEL_PIXEL;
}

static bool is_same(const struct claw_found_entry *a,
		    const struct claw_found_entry *b)
{
	if (is_of_kernel(b))
		return is_same_access(a, b);
	return a->kind == b->kind && is_same_place(&a->at, &b->at) &&
	       is_same_place(&a->second, &b->second) &&
	       is_same_place(&a->third, &b->third) &&
	       !strncmp(a->name, b->name, sizeof(a->name));
}

/* Under the lock. */
static void add(const struct claw_found_entry *found)
{
	uint64_t used = own.header->used;
	struct claw_found_entry *entry;

	for (uint64_t i = 0; i < used; i++)
		if (is_same(&own.entries[i], found)) {
			own.entries[i].times++;
			return;
		}
	if (used == CLAW_FOUND_CAPACITY) {
		__atomic_fetch_add(&own.header->lost, 1, __ATOMIC_RELAXED);
		return;
	}
	entry = &own.entries[used];
	*entry = *found;
	entry->complete = 0;
	entry->times = 1;
	entry->thread = claw_journal_thread_number();
	entry->name[sizeof(entry->name) - 1] = '\0';
	__atomic_store_n(&own.header->used, used + 1, __ATOMIC_RELEASE);
	__atomic_store_n(&entry->complete, 1, __ATOMIC_RELEASE);
	claw_fault_log_found(entry);
}

/* A handler of a signal may have interrupted whoever has the lock. */
static bool enter(void)
{
	unsigned int tries = 0;

	if (!own.header)
		return false;
	while (__atomic_exchange_n(&own.lock, 1, __ATOMIC_ACQUIRE)) {
		if (++tries == LOCK_TRIES) {
			__atomic_fetch_add(&own.header->lost, 1,
					   __ATOMIC_RELAXED);
			return false;
		}
		claw_sleep_ns(1000);
	}
	return true;
}

static void leave(void)
{
	__atomic_store_n(&own.lock, 0, __ATOMIC_RELEASE);
}

void claw_found_add(const struct claw_found_entry *found)
{
	if (!enter())
		return;
	add(found);
	leave();
}

void claw_found_add_times(uint32_t probes, uint32_t access, uint64_t more)
{
	if (!enter())
		return;
	for (uint64_t i = 0; i < own.header->used; i++) {
		struct claw_found_entry *entry = &own.entries[i];

		if (is_of_kernel(entry) && entry->probes == probes &&
		    entry->values[0] == access) {
			entry->times += more;
			break;
		}
	}
	leave();
}

/* ---- the process */

bool claw_found_begin(uint32_t modes)
{
	static char path[PATH_MAX];
	struct claw_found_header *header = NULL;
	int err = errno;

	if (own.header)		/* a parent's: not ours to write */
		munmap(own.header, FILE_BYTES);
	own.header = NULL;
	own.lock = 0;
	if (!modes)
		return true;
	if (claw_journal_sibling("found.", path, sizeof(path)))
		header = claw_journal_map_new(path, FILE_BYTES);
	if (!header) {
		claw_say("no space for findings: nothing is looked for");
		errno = err;
		return false;
	}
	header->version = CLAW_FOUND_VERSION;
	header->header_bytes = sizeof(*header);
	header->endian = CLAW_JOURNAL_ENDIAN;
	header->entry_bytes = sizeof(struct claw_found_entry);
	header->pid = (uint32_t)getpid();
	header->modes = modes;
	header->capacity = CLAW_FOUND_CAPACITY;
	own.entries = (struct claw_found_entry *)(header + 1);
	own.header = header;
	__atomic_thread_fence(__ATOMIC_RELEASE);
	memcpy(header->magic, CLAW_FOUND_MAGIC, sizeof(header->magic));
	errno = err;
	return true;
}
