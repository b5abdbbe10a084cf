/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The journal's blocks of counters: which thread has which, and the counting
 * of threads that have none of their own.
 */
#include "config.h"

#include "journal_private.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "faults/shared/compat.h"

enum {
	OWN_BLOCKS = CLAW_JOURNAL_MAX_THREADS - 1,
	SHARED_BLOCK = CLAW_JOURNAL_MAX_THREADS - 1,
	OWN_CALLS_BYTES = CLAW_JOURNAL_MAX_APIS * sizeof(uint64_t),
};

/* Counts that blocks had when their present thread got them. */
static uint64_t block_base[OWN_BLOCKS][CLAW_JOURNAL_MAX_APIS];
static bool block_taken[OWN_BLOCKS];

static pthread_key_t key;
static bool key_made;

__thread struct claw_journal_self claw_journal_self
	__attribute__((tls_model(CLAW_TLS_MODEL), visibility("hidden")));

static struct claw_journal_thread *thread_at(unsigned int slot)
{
	return claw_journal_entry(&claw_own_journal.layout.threads, slot);
}

/* ---- threads */

/* A thread ends: its block may serve another. */
static void leave_thread(void *data)
{
	struct claw_journal_self *self = data;
	sigset_t mask;

	if (self->number == 0)
		return;
	claw_journal_lock(&mask);
	if (self->block) {
		self->block->in_use = 0;
		__atomic_store_n(&block_taken[self->slot], false,
				 __ATOMIC_RELEASE);
	}
	claw_journal_unlock(&mask);
	if (self->own_calls)
		munmap(self->own_calls, OWN_CALLS_BYTES);
	memset(self, 0, sizeof(*self));
}

/* Under the lock: a free block, or the shared one. */
static unsigned int find_slot(void)
{
	for (unsigned int i = 0; i < OWN_BLOCKS; i++)
		if (!block_taken[i])
			return i;
	return SHARED_BLOCK;
}

/* gettid() is a call of its own, which a program's filter may kill for; libc
 * writes the number into a mutex. */
static uint32_t thread_id(void)
{
#ifdef __GLIBC__
	pthread_mutex_t mutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
	uint32_t id;

	pthread_mutex_lock(&mutex);
	id = (uint32_t)mutex.__data.__owner;
	pthread_mutex_unlock(&mutex);
	return id;
#else
	return (uint32_t)syscall(SYS_gettid);
#endif
}

static void take_block(struct claw_journal_self *self, unsigned int slot)
{
	struct claw_journal_thread *block = thread_at(slot);

	block->thread = self->number;
	block->tid = thread_id();
	block->in_use = 1;
	self->slot = slot;
	if (slot == SHARED_BLOCK) {
		block->shared = 1;
		return;
	}
	memcpy(block_base[slot], block->calls, sizeof(block_base[slot]));
	block_taken[slot] = true;
	self->base = block_base[slot];
	/* Last: the hot path looks at nothing else. */
	__atomic_signal_fence(__ATOMIC_RELEASE);
	self->block = block;
}

struct claw_journal_thread *claw_journal_thread_enter(void)
{
	struct claw_journal_self *self = &claw_journal_self;
	sigset_t mask;

	int err = errno;

	if (!claw_own_journal.base || self->number != 0)
		return self->block;
	claw_journal_lock(&mask);
	self->number = (uint32_t)__atomic_add_fetch(
		&claw_journal_writer.header->threads.used, 1, __ATOMIC_RELAXED);
	take_block(self, find_slot());
	claw_journal_unlock(&mask);

	if (!self->block) {
		/* Ordinals stay this thread's own, if only a page is left. */
		void *page = mmap(NULL, OWN_CALLS_BYTES, PROT_READ | PROT_WRITE,
				  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		self->own_calls = page == MAP_FAILED ? NULL : page;
	}
	if (key_made)
		pthread_setspecific(key, self);
	claw_journal_touch_clock();
	errno = err;
	return self->block;
}

uint64_t claw_journal_count_all(const uint16_t *apis, size_t api_count)
{
	uint64_t sum = 0, used;

	if (!claw_own_journal.base)
		return 0;
	used = __atomic_load_n(&claw_journal_writer.header->threads.used,
			       __ATOMIC_RELAXED);
	for (unsigned int i = 0; i <= SHARED_BLOCK && i < used; i++) {
		const struct claw_journal_thread *block = thread_at(i);

		for (size_t j = 0; j < api_count; j++)
			sum += __atomic_load_n(&block->calls[apis[j]],
					       __ATOMIC_RELAXED);
	}
	return sum;
}

/* The shared block, when that is where this thread counts; else NULL, with
 * *ret_own set to its own block (or NULL: nothing is open). */
static struct claw_journal_thread *
shared_block(struct claw_journal_thread **ret_own)
{
	*ret_own = claw_journal_thread_enter();
	if (*ret_own || !claw_own_journal.base)
		return NULL;
	return thread_at(SHARED_BLOCK);
}

void claw_journal_count_shared(unsigned int api)
{
	struct claw_journal_thread *own;
	struct claw_journal_thread *shared = shared_block(&own);

	if (own)
		own->calls[api]++;
	if (!shared)
		return;
	__atomic_fetch_add(&shared->calls[api], 1, __ATOMIC_RELAXED);
	if (claw_journal_self.own_calls)
		claw_journal_self.own_calls[api]++;
}

void claw_journal_live_add_shared(enum claw_obj obj, int64_t delta)
{
	struct claw_journal_thread *own;
	struct claw_journal_thread *shared = shared_block(&own);
	int64_t live, peak;

	if (own)
		claw_journal_live_add(own, obj, delta);
	if (!shared)
		return;
	live = __atomic_add_fetch(&shared->live[obj], delta, __ATOMIC_RELAXED);
	peak = __atomic_load_n(&shared->peak[obj], __ATOMIC_RELAXED);
	while (live > peak &&
	       !__atomic_compare_exchange_n(&shared->peak[obj], &peak, live,
					    true, __ATOMIC_RELAXED,
					    __ATOMIC_RELAXED))
		;
}

void claw_journal_bytes_add_shared(uint64_t bytes)
{
	struct claw_journal_thread *own;
	struct claw_journal_thread *shared = shared_block(&own);

	if (own)
		own->created_bytes += bytes;
	if (shared)
		__atomic_fetch_add(&shared->created_bytes, bytes,
				   __ATOMIC_RELAXED);
}

uint64_t claw_journal_ordinal_shared(unsigned int api)
{
	struct claw_journal_thread *own;
	struct claw_journal_thread *shared = shared_block(&own);

	if (own)
		return own->calls[api] - claw_journal_self.base[api];
	if (!shared)
		return 0;
	if (claw_journal_self.own_calls)
		return claw_journal_self.own_calls[api];
	return __atomic_load_n(&shared->calls[api], __ATOMIC_RELAXED);
}


void claw_journal_threads_init(void)
{
	key_made = pthread_key_create(&key, leave_thread) == 0;
}

/* This thread is the only one. It keeps its block, for pointers to it. */
void claw_journal_threads_restart(void)
{
	struct claw_journal_self *self = &claw_journal_self;
	unsigned int slot = self->block ? self->slot : 0;

	memset(block_taken, 0, sizeof(block_taken));
	if (self->own_calls)
		munmap(self->own_calls, OWN_CALLS_BYTES);
	self->own_calls = NULL;
	if (self->number == 0)
		return;
	self->number = 1;
	claw_journal_writer.header->threads.used = 1;
	take_block(self, slot);
}

void claw_journal_threads_forget(void)
{
	memset(&claw_journal_self, 0, sizeof(claw_journal_self));
}
