/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory that is released while commands use it, where the model says that it
 * is free only when they are done: which commands are under way, by an event of
 * each, and what waits for them. Looked at when somebody wants memory.
 */
#include "config.h"

#include "faults/life/kept.h"
#include "model.h"
#include "faults/call/thread_order.h"

#include <string.h>

enum {
	COMMANDS = 1024,
	USES = 8,		/* objects of a command that are remembered */
	WAITING = 1024,
	HOLDS_MAX = 64,
};

static struct command {
	cl_event event;			/* a reference of ours, or NULL */
	uint64_t serials[USES];
} commands[COMMANDS];

static struct waiting {
	uint64_t serial;		/* 0: none */
	uint64_t bits, bytes;
	uint32_t place;
} waiting[WAITING];

static uint32_t lock, waiting_count;
static uint32_t looking;	/* one thread at a time: events go */
bool claw_pending_wanted CLAW_HIDDEN;

void claw_pending_begin(void)
{
	/* A forked child's driver knows nothing of the parent's commands. */
	memset(commands, 0, sizeof(commands));
	memset(waiting, 0, sizeof(waiting));
	lock = waiting_count = looking = 0;
	claw_pending_wanted = false;
	for (unsigned int i = 0; i < claw_models_known; i++)
		claw_pending_wanted |= claw_model_get(i)->release ==
				       CLAW_MODEL_AFTER_COMMANDS;
}

/* ---- commands */

void claw_pending_before(struct claw_call *call)
{
	int i = claw_api_find_param(call->api, CLAW_P_EVENT_OUT);
	cl_event **event;

	if (!claw_pending_wanted || i < 0)
		return;
	/* The parameter is the wrapper's own copy. */
	event = (cl_event **)(uintptr_t)call->args[i];
	if (!*event) {
		*event = &call->model.event;
		call->model.lent = true;
	}
}

static void add_use(uint64_t *serials, unsigned int *count, const void *mem)
{
	struct claw_ledger_entry entry;

	for (unsigned int i = 0; i < 4 && mem && *count < USES; i++) {
		if (!claw_ledger_copy(CLAW_OBJ_MEM, mem, &entry))
			return;
		serials[(*count)++] = entry.serial;
		mem = entry.flags & CLAW_LEDGER_SUB ?
			(const void *)(uintptr_t)entry.parent : NULL;
	}
}

static unsigned int find_uses(const struct claw_call *call, uint64_t *serials)
{
	const struct claw_api_info *info = &claw_api_table[call->api];
	const void *kernel = claw_arg_pointer(call, CLAW_P_KERNEL);
	struct claw_ledger_hold holds[HOLDS_MAX];
	unsigned int count = 0, held;
	bool all;

	for (unsigned int i = 0; i < info->param_count; i++)
		if (info->roles[i] == CLAW_P_MEM)
			add_use(serials, &count, CLAW_ARG_AT(call, void *, i));
	held = kernel ? claw_ledger_holds(CLAW_OBJ_KERNEL, kernel, holds,
					  HOLDS_MAX, &all) : 0;
	for (unsigned int i = 0; i < held; i++)
		add_use(serials, &count,
			(const void *)(uintptr_t)holds[i].handle);
	return count;
}

/* The event becomes ours. False: there is no room. */
static bool keep(cl_event event, const uint64_t *serials)
{
	enum claw_turn turn = claw_turn_begin();
	struct command *free_one = NULL;

	if (turn == CLAW_TURN_NONE)
		return false;
	if (claw_lock(turn, &lock)) {
		for (unsigned int i = 0; i < COMMANDS && !free_one; i++)
			if (!commands[i].event)
				free_one = &commands[i];
		if (free_one) {
			memcpy(free_one->serials, serials,
			       sizeof(free_one->serials));
			free_one->event = event;
			claw_order_release(&lock);
		}
		claw_unlock(turn, &lock);
	}
	claw_turn_end(turn);
	return free_one != NULL;
}

void claw_pending_after(struct claw_call *call)
{
	int i = claw_api_find_param(call->api, CLAW_P_EVENT_OUT);
	uint64_t serials[USES] = { 0 };
	cl_event **given, event;

	if (!claw_pending_wanted || i < 0)
		return;
	given = (cl_event **)(uintptr_t)call->args[i];
	event = *given && !call->err ? **given : NULL;
	if (call->model.lent)
		*given = NULL;
	if (!event)
		return;
	claw_ours_begin();
	if (!call->model.lent)
		claw_next.clRetainEvent(event);
	if (!find_uses(call, serials) || !keep(event, serials))
		claw_next.clReleaseEvent(event);
	claw_ours_end();
}

void claw_pending_answer(const struct claw_call *call)
{
	cl_event event = CLAW_ARG(call, clGetEventInfo, event);
	cl_uint *count = CLAW_ARG(call, clGetEventInfo, param_value);

	if (!claw_pending_wanted || call->err || !count ||
	    !claw_kept_shows(call))
		return;
	for (unsigned int i = 0; i < COMMANDS; i++)
		*count -= __atomic_load_n(&commands[i].event,
					  __ATOMIC_RELAXED) == event;
}

/* ---- what waits */

static bool is_used(uint64_t serial)
{
	for (unsigned int i = 0; i < COMMANDS; i++)
		for (unsigned int j = 0; commands[i].event && j < USES; j++)
			if (commands[i].serials[j] == serial)
				return true;
	return false;
}

bool claw_pending_holds(enum claw_turn turn,
			const struct claw_ledger_entry *entry)
{
	bool kept = false;

	if (!claw_pending_wanted || !(entry->mem_flags & CLAW_MODEL_TAKEN) ||
	    !claw_lock(turn, &lock))
		return false;
	for (unsigned int i = 0; i < WAITING && !kept &&
	     is_used(entry->serial); i++) {
		if (waiting[i].serial)
			continue;
		waiting[i] = (struct waiting){
			entry->serial, entry->mem_flags, entry->bytes,
			entry->hold,
		};
		waiting_count++;
		kept = true;
	}
	claw_unlock(turn, &lock);
	return kept;
}

static bool is_done(cl_event event)
{
	cl_int status = CL_COMPLETE;

	return claw_next.clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS,
					sizeof(status), &status, NULL) ||
	       status <= CL_COMPLETE;
}

/* The event of a command, or NULL. Only who looks takes one away. */
static cl_event look_at(unsigned int i)
{
	enum claw_turn turn = claw_turn_begin();
	cl_event event = NULL;

	if (turn == CLAW_TURN_NONE)
		return NULL;
	if (claw_lock(turn, &lock)) {
		event = commands[i].event;
		claw_order_acquire(&lock);
		claw_unlock(turn, &lock);
	}
	claw_turn_end(turn);
	return event;
}

/* Nothing uses them any more. */
static void give_back(void)
{
	enum claw_turn turn = claw_turn_begin();

	if (turn == CLAW_TURN_NONE)
		return;
	if (claw_lock(turn, &lock)) {
		for (unsigned int i = 0; i < WAITING; i++) {
			struct waiting *one = &waiting[i];

			if (!one->serial || is_used(one->serial))
				continue;
			claw_model_give_back(turn, one->bits, one->place,
					     one->bytes);
			one->serial = 0;
			waiting_count--;
		}
		claw_unlock(turn, &lock);
	}
	claw_turn_end(turn);
}

void claw_pending_look(void)
{
	if (!claw_pending_wanted ||
	    __atomic_exchange_n(&looking, 1, __ATOMIC_ACQUIRE))
		return;
	claw_ours_begin();
	for (unsigned int i = 0; i < COMMANDS; i++) {
		cl_event event = look_at(i);

		if (!event || !is_done(event))
			continue;
		__atomic_store_n(&commands[i].event, NULL, __ATOMIC_RELEASE);
		claw_next.clReleaseEvent(event);
	}
	claw_ours_end();
	if (__atomic_load_n(&waiting_count, __ATOMIC_RELAXED))
		give_back();
	__atomic_store_n(&looking, 0, __ATOMIC_RELEASE);
}
