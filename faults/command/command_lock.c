/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Being inside: the lock of all that is known of commands, and the one of
 * those who learn that commands are complete.
 */
#include "config.h"

#include <string.h>

#include "host_memory.h"

static struct {
	uint32_t lock;		/* of everything but ... */
	uint32_t learn_lock;	/* ... learning, taken first: nobody goes on with
				 * what another thread is still looking at */
	uint32_t forget;	/* somebody could not come in */
} own;

/* This thread is inside: a signal's handler may not come in. */
static __thread bool inside __attribute__((tls_model(CLAW_TLS_MODEL)));

void claw_commands_lock_begin(void)
{
	inside = false;
	memset(&own, 0, sizeof(own));
}

static bool take_lock(uint32_t *lock)
{
	return claw_lock(CLAW_TURN_SHARED, lock);
}

static void give_lock(uint32_t *lock)
{
	claw_unlock(CLAW_TURN_SHARED, lock);
}

static void enter_inner(void)
{
	if (__atomic_load_n(&own.forget, __ATOMIC_RELAXED) &&
	    __atomic_exchange_n(&own.forget, 0, __ATOMIC_ACQUIRE))
		claw_order_complete_all();
}

bool claw_commands_enter(void)
{
	if (!inside) {
		inside = true;
		__atomic_signal_fence(__ATOMIC_SEQ_CST);
		if (take_lock(&own.lock)) {
			enter_inner();
			return true;
		}
		inside = false;
	}
	__atomic_store_n(&own.forget, 1, __ATOMIC_RELEASE);
	return false;
}

void claw_commands_leave(void)
{
	give_lock(&own.lock);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	inside = false;
}

/* ---- learning that commands are complete */

bool claw_learning_begin(void)
{
	if (!inside) {
		inside = true;
		__atomic_signal_fence(__ATOMIC_SEQ_CST);
		if (take_lock(&own.learn_lock)) {
			if (take_lock(&own.lock)) {
				enter_inner();
				claw_order_learn();
				return true;
			}
			give_lock(&own.learn_lock);
		}
		inside = false;
	}
	__atomic_store_n(&own.forget, 1, __ATOMIC_RELEASE);
	return false;
}

/* One whose command is complete. */
static void look_at_source(const struct claw_command *command,
			   struct claw_found_list *list)
{
	const struct claw_source *source = claw_command_source(command);
	struct claw_found_entry *entry;
	uint64_t offset;

	if (!claw_host_is_changed(source, &offset))
		return;
	entry = claw_found_list_add(list, CLAW_FOUND_SOURCE_CHANGED);
	if (!entry)
		return;
	entry->at = claw_command_place(command, CLAW_OBJ_NONE);
	entry->handle = source->start;
	entry->values[0] = offset;
	entry->values[1] = source->bytes;
}

/* Look at what they read, before any thread can go on with knowing it. */
void claw_learning_end(struct claw_found_list *list)
{
	uint32_t chain = claw_order_take_finished();

	claw_host_sweep();
	if (chain) {
		give_lock(&own.lock);
		for (uint32_t at = chain; at; at = claw_command_at(at)->next)
			look_at_source(claw_command_at(at), list);
		if (!take_lock(&own.lock))
			goto out;
		while (chain) {
			uint32_t next = claw_command_at(chain)->next;

			claw_command_free(chain);
			chain = next;
		}
	}
	give_lock(&own.lock);
out:
	give_lock(&own.learn_lock);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	inside = false;
}

/* call NULL: nobody's. */
void claw_learning_write(struct claw_found_list *list, struct claw_call *call)
{
	if (!list->count)
		return;
	if (call && !call->site)
		call->site = claw_found_here(call->api, CLAW_OBJ_NONE).site;
	for (unsigned int i = 0; call && i < list->count; i++)
		list->entries[i].second = claw_found_place(call->site,
							   call->api,
							   CLAW_OBJ_NONE);
	claw_found_list_write(list);
}
