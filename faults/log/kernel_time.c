/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Waits that are under way, and the thread that looks at them.
 */
#include "config.h"

#include "kernel_time.h"

#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "log.h"
#include "faults/shared/compat.h"

CLAW_OLD_SYMBOL(pthread_create);

enum { MAX_WAITS = 64, MAX_TOLD = 64 };
static const uint64_t LONGEST_NAP_NS = 1000000000;

static struct {
	pthread_mutex_t lock;
	uint64_t limit_ns;		/* 0: nothing is looked at */
	bool launched;			/* atomic */
	bool is_watched;
	unsigned int told;
	struct wait {
		const struct claw_call *call;	/* NULL: free */
		uint64_t start_ns;
		bool is_told;
	} waits[MAX_WAITS];
} state = { .lock = PTHREAD_MUTEX_INITIALIZER };

void claw_kernel_time_begin(void)
{
	const char *text = getenv("CLW_GPU_TIMEOUT_MS");
	uint64_t ms = 0;
	char *end;

	memset(&state, 0, sizeof(state));
	pthread_mutex_init(&state.lock, NULL);
	if (text && text[0] >= '0' && text[0] <= '9') {
		ms = strtoull(text, &end, 10);
		if (*end || ms > UINT64_MAX / 1000000)
			ms = 0;
	}
	if (claw_log_is_on(CLAW_LOG_ERROR))
		state.limit_ns = ms * 1000000;
}

bool claw_kernel_time_watches(enum claw_api api)
{
	return state.limit_ns &&
	       (claw_api_is_launch(api) || claw_api_table[api].groups &
		(CLAW_G_SYNC | CLAW_G_TRANSFER));
}

/* ---- under the lock ------------------------------------------------------ */

static void tell(struct wait *wait)
{
	uint64_t ms = state.limit_ns / 1000000;
	const struct claw_call *call = wait->call;
	bool is_injected = claw_call_is_injected(call) ||
			   call->flags & CLAW_REC_DELAYED;

	if (!is_injected && !call->guarded &&
	    !__atomic_load_n(&call->kernel_time.is_real, __ATOMIC_RELAXED))
		return;		/* A fault may hold it up yet. */
	wait->is_told = true;
	if (state.told++ < MAX_TOLD)
		claw_log_plain(CLAW_LOG_ERROR, "[ERROR] clw-kernel-timeout: %s "
			       "has not returned after %" PRIu64 ".%03" PRIu64
			       "s, and a launch was made before it%s",
			       claw_api_table[call->api].name, ms / 1000,
			       ms % 1000, is_injected ? " (INJECTED)" : "");
}

/* Tells of those that are over the limit; returns how long the next one, or
 * one that begins now, has. */
static uint64_t look(bool *ret_any)
{
	uint64_t now = claw_now_ns(), left = state.limit_ns;

	*ret_any = false;
	for (unsigned int i = 0; i < MAX_WAITS; i++) {
		struct wait *wait = &state.waits[i];
		uint64_t passed = wait->call ? now - wait->start_ns : 0;

		if (!wait->call)
			continue;
		*ret_any = true;
		if (wait->is_told)
			continue;
		if (passed >= state.limit_ns)
			tell(wait);
		else if (state.limit_ns - passed < left)
			left = state.limit_ns - passed;
	}
	return left;
}

static void *watch(void *unused)
{
	uint64_t last_ns = claw_now_ns(), left;
	bool any, goes_on = true;

	while (goes_on) {
		pthread_mutex_lock(&state.lock);
		left = look(&any);
		if (any)
			last_ns = claw_now_ns();
		goes_on = claw_now_ns() - last_ns <= state.limit_ns;
		state.is_watched = goes_on;
		pthread_mutex_unlock(&state.lock);
		if (goes_on)
			claw_sleep_ns(left < LONGEST_NAP_NS ? left :
				      LONGEST_NAP_NS);
	}
	return unused;
}

/* No signal of the program's is for this thread. */
static void start_watching(void)
{
	pthread_attr_t detached;
	sigset_t all, before;
	pthread_t thread;

	if (state.is_watched || pthread_attr_init(&detached))
		return;
	pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before);
	state.is_watched = !pthread_create(&thread, &detached, watch, NULL);
	sigprocmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&detached);
}

/* ---- around calls -------------------------------------------------------- */

void claw_kernel_time_before(struct claw_call *call)
{
	if (claw_api_is_launch(call->api))
		__atomic_store_n(&state.launched, true, __ATOMIC_RELAXED);
	if (!__atomic_load_n(&state.launched, __ATOMIC_RELAXED) ||
	    !claw_call_waits(call))
		return;
	pthread_mutex_lock(&state.lock);
	for (unsigned int i = 0; i < MAX_WAITS && !call->kernel_time.place; i++)
		if (!state.waits[i].call) {
			state.waits[i] = (struct wait){ call, claw_now_ns(),
							false };
			call->kernel_time.place = (uint8_t)(i + 1);
		}
	start_watching();
	pthread_mutex_unlock(&state.lock);
}

void claw_kernel_time_real(struct claw_call *call)
{
	__atomic_store_n(&call->kernel_time.is_real, true, __ATOMIC_RELAXED);
}

void claw_kernel_time_after(struct claw_call *call)
{
	pthread_mutex_lock(&state.lock);
	state.waits[call->kernel_time.place - 1].call = NULL;
	pthread_mutex_unlock(&state.lock);
}
