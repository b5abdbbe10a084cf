/* SPDX-License-Identifier: Apache-2.0 */
/* A thread for calls of the driver at the process's end. */
#include "config.h"

#include "exit_thread.h"

#include <pthread.h>
#include <signal.h>

#include "faults/shared/compat.h"

CLAW_OLD_SYMBOL(pthread_create);
CLAW_OLD_SYMBOL(pthread_join);

enum { LOOK_NS = 50000 };

/* It may outlive its caller. */
struct exit_work {
	void (*work)(void);
	uint32_t is_done;
};

static void *run(void *data)
{
	struct exit_work *exit_work = data;

	exit_work->work();
	__atomic_store_n(&exit_work->is_done, 1, __ATOMIC_RELEASE);
	return NULL;
}

/* No signal of the program's is for this thread. */
static bool start(pthread_t *thread, struct exit_work *work)
{
	sigset_t all, before;
	bool done;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before);
	done = !pthread_create(thread, NULL, run, work);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return done;
}

bool claw_exit_thread_run(void (*work)(void), uint64_t patience_ns)
{
	static struct exit_work exit_work;
	uint64_t end_ns = claw_now_ns() + patience_ns;
	pthread_t thread;

	/* One that never came back has it still. */
	if (exit_work.work &&
	    !__atomic_load_n(&exit_work.is_done, __ATOMIC_ACQUIRE))
		return false;
	exit_work.work = work;
	exit_work.is_done = 0;
	if (!start(&thread, &exit_work)) {
		exit_work.work = NULL;
		return false;
	}
	while (!__atomic_load_n(&exit_work.is_done, __ATOMIC_ACQUIRE)) {
		if (claw_now_ns() >= end_ns)
			return false;
		claw_sleep_ns(LOOK_NS);
	}
	/* And what the driver does at the end of a thread. */
	return !pthread_join(thread, NULL);
}
