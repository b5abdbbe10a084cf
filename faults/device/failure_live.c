/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is in a state: since when, until when, whose rules say what follows.
 */
#include "config.h"

#include "failure_private.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

static struct claw_fail_live lives[CLAW_FAIL_LIVES];
static _Atomic unsigned int live_count;
static uint64_t last_serial;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void claw_fail_lives_reset(void)
{
	pthread_mutex_init(&lock, NULL);
	atomic_store(&live_count, 0);
}

bool claw_fail_is_any_live(void)
{
	return atomic_load_explicit(&live_count, memory_order_relaxed);
}

const struct claw_fail_state *
claw_fail_state_of(const struct claw_fail_live *live)
{
	return &claw_fail_rules_of(live->model)->states[live->state];
}

/* Under the lock: does nothing that the program still has reach it? Objects of
 * its context may, so such a place is taken when there is no other. */
static bool is_over(const struct claw_fail_live *live, bool with_context)
{
	const struct claw_fail_state *state = claw_fail_state_of(live);

	if (!with_context)
		return live->until_ns <= claw_now_ns();
	return (state->reach == CLAW_FAIL_QUEUE ||
		state->reach == CLAW_FAIL_CONTEXT) &&
	       claw_fail_context_is_gone(live->context, live->since_ns);
}

/* Under the lock: a place for a state, or NULL. */
static struct claw_fail_live *place_of_new(void)
{
	if (live_count < CLAW_FAIL_LIVES)
		return &lives[live_count];
	for (unsigned int pass = 0; pass < 2; pass++)
		for (unsigned int i = 0; i < CLAW_FAIL_LIVES; i++)
			if (is_over(&lives[i], pass == 1))
				return &lives[i];
	return NULL;
}

void claw_fail_live_add(const struct claw_fail_live *live)
{
	static bool said;
	struct claw_fail_live *place;

	pthread_mutex_lock(&lock);
	place = place_of_new();
	if (place) {
		*place = *live;
		place->serial = ++last_serial;
		if (place == &lives[live_count])
			atomic_fetch_add(&live_count, 1);
	} else {
		claw_journal_add_damaged();
		if (!said)
			claw_say("more failures than it can follow; the rest "
				 "are left alone");
		said = true;
	}
	pthread_mutex_unlock(&lock);
	claw_watch_all();
}

void claw_fail_lives_copy(struct claw_fail_lives *ret_copy)
{
	ret_copy->count = 0;
	if (!live_count)
		return;
	pthread_mutex_lock(&lock);
	ret_copy->count = live_count;
	memcpy(ret_copy->live, lives, ret_copy->count * sizeof(*lives));
	pthread_mutex_unlock(&lock);
}

bool claw_fail_live_notice(const struct claw_fail_live *live)
{
	bool first = false;

	pthread_mutex_lock(&lock);
	for (unsigned int i = 0; i < live_count; i++)
		if (lives[i].serial == live->serial) {
			first = !lives[i].noticed;
			lives[i].noticed = true;
			if (claw_fail_state_of(live)->by_notice)
				lives[i].until_ns = claw_now_ns();
		}
	pthread_mutex_unlock(&lock);
	return first;
}
