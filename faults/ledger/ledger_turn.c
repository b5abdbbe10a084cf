/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Turns at the ledger. While one thread only has ever had one, it marks its
 * turns with plain stores; the second one has the kernel make those seen
 * (membarrier), waits until the first is outside, and from then on everybody
 * locks.
 */
#include "config.h"

#include "ledger_private.h"

#include <errno.h>
#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum {
	/* Of linux/membarrier.h, which not every installation has. */
	PRIVATE_EXPEDITED = 1 << 3,
	REGISTER_PRIVATE_EXPEDITED = 1 << 4,
	SPINS = 50,
	YIELDS = 100,
	SLEEP_NS = 50000,
	SLEEPS = 100000,	/* some ten seconds: it never comes out */
	FUTEX_NS = 50 * 1000 * 1000,
	FUTEX_WAITS = 200,	/* the same */
};

__thread struct claw_ledger_self claw_ledger_self
	__attribute__((tls_model(CLAW_TLS_MODEL), visibility("hidden")));

static bool membarrier(int command)
{
#ifdef SYS_membarrier
	return syscall(SYS_membarrier, command, 0, 0) == 0;
#else
	(void)command;
	return false;
#endif
}

/* In a new process, in which nobody has had a turn. */
void claw_turn_reset(void)
{
	struct claw_ledger_process *own = &claw_own_ledger;

	own->alone_role += 2;
	own->shared_role = own->alone_role + 1;
	own->alone_taken = own->alone_inside = own->stuck = 0;
	own->shared = !membarrier(REGISTER_PRIVATE_EXPEDITED);
}

static void pause_once(unsigned int i)
{
	if (i < SPINS) {
#if defined(__x86_64__) || defined(__i386__)
		__builtin_ia32_pause();
#endif
	} else if (i < SPINS + YIELDS) {
		sched_yield();
	} else {
		claw_sleep_ns(SLEEP_NS);
	}
}

static bool give_up(void)
{
	if (!__atomic_exchange_n(&claw_own_ledger.stuck, 1, __ATOMIC_RELAXED))
		claw_say("a thread left the ledger in the middle: it is not "
			 "kept any more");
	return false;
}

/* Where the system call is denied. */
static bool sleep_while(const uint32_t *lock, uint32_t value)
{
	for (uint64_t ns = 0; ns < FUTEX_NS; ns += SLEEP_NS) {
		if (__atomic_load_n(lock, __ATOMIC_RELAXED) != value)
			return true;
		claw_sleep_ns(SLEEP_NS);
	}
	return false;
}

/* False: nobody woke us in time. */
static bool ask_futex(uint32_t *lock, int operation, uint32_t value)
{
	const struct timespec most = { .tv_nsec = FUTEX_NS };
	int err = errno;
	bool woken = syscall(SYS_futex, lock, operation, value, &most, NULL,
			     0) >= 0 || errno == EAGAIN || errno == EINTR;

	if (!woken && errno != ETIMEDOUT && operation == FUTEX_WAIT_PRIVATE)
		woken = sleep_while(lock, value);
	errno = err;
	return woken;
}

void claw_lock_wake(uint32_t *lock)
{
	ask_futex(lock, FUTEX_WAKE_PRIVATE, 1);
}

/* Whoever has it gives it back before the spins end, or does not run: then who
 * waits for it is not to keep it from running. */
bool claw_lock_wait(uint32_t *lock)
{
	for (unsigned int i = 0; i < SPINS; i++) {
		if (!__atomic_load_n(lock, __ATOMIC_RELAXED) &&
		    claw_lock_try(lock))
			return true;
		pause_once(i);
	}
	for (unsigned int missed = 0; missed < FUTEX_WAITS;) {
		if (__atomic_load_n(&claw_own_ledger.stuck, __ATOMIC_RELAXED))
			return false;
		if (!__atomic_exchange_n(lock, 2, __ATOMIC_ACQUIRE))
			return true;
		missed += !ask_futex(lock, FUTEX_WAIT_PRIVATE, 2);
	}
	return give_up();
}

/* The second thread, and any after it. */
static bool end_alone(void)
{
	struct claw_ledger_process *own = &claw_own_ledger;

	if (!own->alone_taken)
		return true;		/* never was anybody alone */
	__atomic_store_n(&own->shared, 1, __ATOMIC_SEQ_CST);
	membarrier(PRIVATE_EXPEDITED);
	for (unsigned int i = 0; i < SPINS + YIELDS + SLEEPS; i++) {
		if (!__atomic_load_n(&own->alone_inside, __ATOMIC_ACQUIRE))
			return true;
		if (__atomic_load_n(&own->stuck, __ATOMIC_RELAXED))
			return false;
		pause_once(i);
	}
	return give_up();
}

/* This thread's first turn. */
static bool join(void)
{
	struct claw_ledger_process *own = &claw_own_ledger;
	struct claw_ledger_self *self = &claw_ledger_self;
	uint32_t nobody = 0;

	if (!__atomic_load_n(&own->shared, __ATOMIC_RELAXED) &&
	    __atomic_compare_exchange_n(&own->alone_taken, &nobody, 1, false,
					__ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
		self->inside = false;
		self->role = own->alone_role;
		return true;
	}
	if (!end_alone())
		return false;
	self->inside = false;
	self->role = own->shared_role;
	return true;
}

enum claw_turn claw_turn_begin_slowly(void)
{
	struct claw_ledger_process *own = &claw_own_ledger;
	struct claw_ledger_self *self = &claw_ledger_self;

	if (__atomic_load_n(&own->stuck, __ATOMIC_RELAXED))
		return CLAW_TURN_NONE;
	if (self->role == own->alone_role) {
		if (own->alone_inside)
			return CLAW_TURN_NONE;	/* our turn, interrupted */
		self->inside = false;
		self->role = own->shared_role;
	} else if (self->role != own->shared_role) {
		if (!join())
			return CLAW_TURN_NONE;
		if (self->role == own->alone_role)
			return claw_turn_begin();
	}
	if (self->inside)
		return CLAW_TURN_NONE;
	self->inside = true;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	return CLAW_TURN_SHARED;
}
