/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The trace's file and its ring of bytes. The file has its whole size from the
 * beginning, and its space on the disk; pages are made ready some time before
 * they are needed, many at once.
 */
#include "config.h"

#include "trace_private.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
	HEADER_BYTES = 4096,
	READY_BYTES = 1 << 20,		/* pages at once */
	RING_MIN = 2 * CLAW_TRACE_BLOCK_BYTES,
	RING_MAX = 1 << 30,
	SLOT_SPACE = CLAW_TRACE_SLOTS * CLAW_TRACE_SLOT_BYTES,
};

static uint64_t mapped_bytes;

void *claw_trace_memory(void *old, size_t bytes)
{
	void *memory;

	if (old)
		munmap(old, bytes);
	memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	return memory == MAP_FAILED ? NULL : memory;
}

static uint64_t ring_bytes(void)
{
	uint64_t wanted = claw_own_trace.config.ring_bytes;
	uint64_t bytes = RING_MIN;

	if (!wanted)
		wanted = CLAW_TRACE_RING_DEFAULT;
	while (bytes < wanted && bytes < RING_MAX)
		bytes *= 2;
	return bytes;
}

static void fill_header(struct claw_trace_header *header, uint64_t ring)
{
	header->version = CLAW_TRACE_VERSION;
	header->header_bytes = sizeof(*header);
	header->endian = CLAW_JOURNAL_ENDIAN;
	header->pid = (uint32_t)getpid();
	header->buffers = claw_own_trace.config.buffers;
	header->redacted = claw_own_trace.config.redact;
	header->file_bytes = mapped_bytes;
	header->ring_offset = HEADER_BYTES;
	header->ring_bytes = ring;
	header->slots_offset = HEADER_BYTES + ring;
	header->slot_count = CLAW_TRACE_SLOTS;
	header->slot_bytes = CLAW_TRACE_SLOT_BYTES;
}

bool claw_ring_begin(const char *path)
{
	uint64_t ring = ring_bytes();
	uint64_t bytes = HEADER_BYTES + ring + SLOT_SPACE;
	unsigned char *base = claw_journal_map_new(path, bytes);
	struct claw_trace_record *padding;

	if (!base)
		return false;
	mapped_bytes = bytes;
	claw_own_trace.header = (void *)base;
	claw_own_trace.ring = base + HEADER_BYTES;
	claw_own_trace.ring_bytes = ring;
	claw_own_trace.ready = claw_own_trace.look = CLAW_TRACE_BLOCK_BYTES;
	claw_own_trace.due = UINT64_MAX;
	claw_own_trace.slots = base + HEADER_BYTES + ring;
	fill_header(claw_own_trace.header, ring);
	/* Position 0 stands for none. */
	padding = (void *)claw_own_trace.ring;
	padding->state = CLAW_TRACE_PADDING;
	padding->bytes = CLAW_TRACE_BLOCK_BYTES;
	claw_own_trace.header->ring_used = CLAW_TRACE_BLOCK_BYTES;
	return true;
}

void claw_ring_end(void)
{
	if (claw_own_trace.header)
		munmap(claw_own_trace.header, mapped_bytes);
	claw_own_trace.header = NULL;
}

static uint64_t next_look(void)
{
	uint64_t ready = __atomic_load_n(&claw_own_trace.ready,
					 __ATOMIC_SEQ_CST);
	uint64_t due = __atomic_load_n(&claw_own_trace.due, __ATOMIC_SEQ_CST);

	return ready < due ? ready : due;
}

/* Whoever changes one of the two comes here after it: the last one to do so
 * sees both. */
static void set_look(void)
{
	uint64_t look;

	do {
		look = next_look();
		__atomic_store_n(&claw_own_trace.look, look, __ATOMIC_SEQ_CST);
	} while (look != next_look());
}

void claw_ring_set_due(uint64_t position)
{
	__atomic_store_n(&claw_own_trace.due, position, __ATOMIC_SEQ_CST);
	set_look();
}

/* Nobody else waits for the pages then. madvise() is a call that a program's
 * filter may kill for. */
static void touch(unsigned char *from, uint64_t bytes)
{
	uint64_t page = claw_space_page_bytes();

	for (uint64_t at = 0; at < bytes; at += page)
		__atomic_fetch_or(from + at, 0, __ATOMIC_RELAXED);
}

/* The first time round only. */
static void prepare(uint64_t end)
{
	uint64_t ready = __atomic_load_n(&claw_own_trace.ready,
					 __ATOMIC_RELAXED);
	uint64_t next = ready + READY_BYTES;
	int err = errno;

	if (next > claw_own_trace.ring_bytes)
		next = claw_own_trace.ring_bytes;
	if (next == claw_own_trace.ring_bytes)
		next = UINT64_MAX;
	if (end <= ready ||
	    !__atomic_compare_exchange_n(&claw_own_trace.ready, &ready, next,
					 false, __ATOMIC_SEQ_CST,
					 __ATOMIC_RELAXED))
		return;
	set_look();
	if (next == UINT64_MAX)
		next = claw_own_trace.ring_bytes;
	if (ready < next)
		touch((unsigned char *)claw_own_trace.ring + ready,
		      next - ready);
	errno = err;
}

/* Who has the lock in a shared turn looks at the bases himself. */
__attribute__((noinline, cold)) void claw_ring_look(enum claw_turn turn,
						    uint64_t end)
{
	uint32_t *lock = &claw_own_trace.lock;

	prepare(end);
	if (end <= __atomic_load_n(&claw_own_trace.due, __ATOMIC_RELAXED))
		return;
	if (turn != CLAW_TURN_ALONE &&
	    __atomic_exchange_n(lock, 1, __ATOMIC_ACQUIRE))
		return;
	claw_bases_keep(turn);
	claw_unlock(turn, lock);
}

void claw_ring_pad(uint64_t position, uint64_t bytes)
{
	struct claw_trace_record padding = {
		.bytes = (uint32_t)bytes, .state = CLAW_TRACE_PADDING,
	};
	uint64_t word;

	memcpy(&word, &padding, sizeof(word));
	__atomic_store_n((uint64_t *)(void *)(claw_own_trace.ring +
			 (position & (claw_own_trace.ring_bytes - 1))), word,
			 __ATOMIC_RELEASE);
}
