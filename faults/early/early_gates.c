/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A command that uses the program's memory where a pending read of an earlier
 * one has to be, and that cannot be given ours: it waits for a user event,
 * which is complete as soon as those bytes are there.
 */
#include "config.h"

#include <string.h>

#include "early_private.h"

enum { GATES = CLAW_EARLY_GATES, WAITS = 64 };

static struct gate {
	cl_event event;		/* NULL: free */
	cl_event list[WAITS];	/* what the command waits for, and it */
	const cl_event *given;	/* that the program gave */
	cl_uint given_count;
	uint64_t low, high;	/* memory, as far as it hangs together */
	uint64_t sequence;	/* of the last read that it is for */
	bool is_busy;		/* its command is at the driver's door */
	bool is_open;
	bool is_shared;		/* another one opens the event */
} gates[GATES];

void claw_early_gates_begin(void)
{
	memset(gates, 0, sizeof(gates));
}

static bool is_for(const struct gate *gate, const struct claw_early_read *read)
{
	return claw_early_state(read) >= CLAW_EARLY_OPEN &&
	       read->sequence <= gate->sequence &&
	       claw_early_overlaps(read, gate->low, gate->high);
}

/* What lies across it has to be there first, too. True: it is larger now. */
static bool widen(struct gate *gate)
{
	bool any = false;

	for (unsigned int i = 0; i < CLAW_EARLY_READS; i++) {
		const struct claw_early_read *read = &claw_own_early[i];

		if (!is_for(gate, read))
			continue;
		any |= read->low < gate->low || read->high > gate->high;
		if (read->low < gate->low)
			gate->low = read->low;
		if (read->high > gate->high)
			gate->high = read->high;
	}
	return any;
}

static cl_event new_event(const struct gate *gate)
{
	cl_context context = NULL;
	cl_event event = NULL;
	cl_int err;

	claw_ours_begin();
	for (unsigned int i = 0; i < CLAW_EARLY_READS && !context; i++)
		if (is_for(gate, &claw_own_early[i]) && claw_own_early[i].event)
			claw_next.clGetEventInfo(claw_own_early[i].event,
						 CL_EVENT_CONTEXT,
						 sizeof(context), &context,
						 NULL);
	if (context && claw_next.clCreateUserEvent)
		event = claw_next.clCreateUserEvent(context, &err);
	claw_ours_end();
	return event;
}

/* Oclgrind runs commands within calls of the program, and calls back when the
 * call is over: a blocking command there would wait for its gate for ever. What
 * waits for no user event is done when a flush returns; what does comes too
 * late for a command that uses only a part of it. */
static bool runs_in_calls(cl_command_queue queue)
{
	cl_device_id device = NULL;
	cl_platform_id platform = NULL;
	char name[16] = "";

	claw_next.clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof(device),
					&device, NULL);
	if (device)
		claw_next.clGetDeviceInfo(device, CL_DEVICE_PLATFORM,
					  sizeof(platform), &platform, NULL);
	if (platform)
		claw_next.clGetPlatformInfo(platform, CL_PLATFORM_NAME,
					    sizeof(name), name, NULL);
	return !strcmp(name, "Oclgrind");
}

static cl_command_queue queue_of(const struct claw_early_read *read)
{
	cl_command_queue queue = NULL;

	claw_next.clGetEventInfo(read->event, CL_EVENT_COMMAND_QUEUE,
				 sizeof(queue), &queue, NULL);
	return queue;
}

/* False: there is nobody who could, or need be, waited for with a gate. */
static bool needs_gate(const struct gate *gate)
{
	bool needs = false;

	claw_ours_begin();
	for (unsigned int i = 0; i < CLAW_EARLY_READS && !needs; i++) {
		cl_command_queue queue;

		if (!is_for(gate, &claw_own_early[i]) ||
		    !claw_own_early[i].event)
			continue;
		queue = queue_of(&claw_own_early[i]);
		needs = !queue || !runs_in_calls(queue);
	}
	claw_ours_end();
	return needs;
}

/* ---- queues */

static void add_queue(struct claw_early_queues *queues, cl_command_queue queue)
{
	for (unsigned int i = 0; i < queues->count; i++)
		if (queues->queues[i] == queue)
			return;
	if (queues->count < CLAW_EARLY_QUEUES &&
	    !claw_next.clRetainCommandQueue(queue))
		queues->queues[queues->count++] = queue;
}

void claw_early_queues_of(uint64_t low, uint64_t high, bool all,
			  struct claw_early_queues *queues)
{
	struct gate wanted = {
		.low = low, .high = high, .sequence = claw_early_sequence(),
	};

	while (widen(&wanted))
		;
	claw_ours_begin();
	for (unsigned int i = 0; i < CLAW_EARLY_READS; i++) {
		const struct claw_early_read *read = &claw_own_early[i];
		cl_command_queue queue;

		/* A flush of Oclgrind's waits for user events. */
		if (!is_for(&wanted, read) || !read->event || read->is_gated)
			continue;
		queue = queue_of(read);
		if (queue && (all || runs_in_calls(queue)))
			add_queue(queues, queue);
	}
	claw_ours_end();
}

void claw_early_flush(struct claw_early_queues *queues)
{
	claw_ours_begin();
	for (unsigned int i = 0; i < queues->count; i++) {
		claw_next.clFlush(queues->queues[i]);
		claw_next.clReleaseCommandQueue(queues->queues[i]);
	}
	claw_ours_end();
}

/* ---- who waits */

static bool is_enough(const struct gate *gate, const struct gate *wanted)
{
	for (unsigned int i = 0; i < CLAW_EARLY_READS; i++)
		if (is_for(wanted, &claw_own_early[i]) &&
		    !is_for(gate, &claw_own_early[i]))
			return false;
	return true;
}

/* Of one that waits for the same already; or NULL. */
static cl_event share_event(const struct gate *wanted)
{
	cl_event event = NULL;

	for (unsigned int i = 0; i < GATES && !event; i++)
		if (gates[i].event && !gates[i].is_shared &&
		    !gates[i].is_open && is_enough(&gates[i], wanted))
			event = gates[i].event;
	if (!event)
		return NULL;
	claw_ours_begin();
	if (claw_next.clRetainEvent(event))
		event = NULL;
	claw_ours_end();
	return event;
}

static struct gate *find_free(void)
{
	for (unsigned int i = 0; i < GATES; i++)
		if (!gates[i].event)
			return &gates[i];
	return NULL;
}

static void lengthen(struct claw_call *call, struct gate *gate, int list)
{
	const cl_event **given = (const cl_event **)call->args[list];
	cl_uint *count = (cl_uint *)call->args[list - 1];

	gate->given = *given;
	gate->given_count = *count;
	for (cl_uint i = 0; i < *count && *given; i++)
		gate->list[i] = (*given)[i];
	gate->list[*count] = gate->event;
	*given = gate->list;
	++*count;
	gate->is_busy = true;
	call->early.gate = (uint16_t)(gate - gates + 1);
}

/* It is open before the program has waited for it. */
static void uncount(struct claw_early_read *read)
{
	if (!read->counted || claw_early_state(read) != CLAW_EARLY_CLOSED)
		return;
	read->counted = false;
	claw_found_count(CLAW_COUNT_EARLY_CLOSED, UINT64_MAX);	/* one less */
	claw_found_count(CLAW_COUNT_EARLY_NO_ROOM, 1);
}

/* Its bytes come when they come, and nothing of it is a mistake. */
static void let_go(const struct gate *gate, bool writes)
{
	for (unsigned int i = 0; i < CLAW_EARLY_READS; i++) {
		struct claw_early_read *read = &claw_own_early[i];

		if (!is_for(gate, read))
			continue;
		uncount(read);
		claw_early_open(read);
		claw_early_set_adrift(read);
		read->passed |= writes;
	}
}

static bool wait_for(struct claw_call *call, const struct gate *wanted)
{
	int list = claw_api_find_param(call->api, CLAW_P_WAIT_LIST);
	struct gate *gate = find_free();

	if (!gate || list <= 0 || call->early.gate ||
	    *(const cl_uint *)call->args[list - 1] >= WAITS)
		return false;
	*gate = *wanted;
	gate->event = share_event(wanted);
	gate->is_shared = gate->event != NULL;
	if (!gate->event)
		gate->event = new_event(gate);
	if (!gate->event)
		return false;
	lengthen(call, gate, list);
	return true;
}

static bool is_any_for(const struct gate *gate)
{
	for (unsigned int i = 0; i < CLAW_EARLY_READS; i++)
		if (is_for(gate, &claw_own_early[i]))
			return true;
	return false;
}

bool claw_early_gate(struct claw_call *call, uint64_t low, uint64_t high,
		     bool writes, struct claw_early_debts *debts)
{
	struct gate wanted = {
		.low = low, .high = high, .sequence = claw_early_sequence(),
	};
	bool needs, good;

	while (widen(&wanted))
		;
	needs = needs_gate(&wanted);
	good = needs && wait_for(call, &wanted);
	let_go(&wanted, writes);
	claw_early_deliver(debts);	/* what was there already */
	return good || !is_any_for(&wanted) || (!needs && !writes);
}

static void end(struct gate *gate, struct claw_early_debts *debts)
{
	debts->events[debts->event_count++] = gate->event;
	gate->event = NULL;
	gate->is_open = gate->is_shared = false;
}

/* Where the driver did not take it nobody waits for the gate. */
void claw_early_gate_after(struct claw_call *call)
{
	struct gate *gate = &gates[call->early.gate - 1];
	int list = claw_api_find_param(call->api, CLAW_P_WAIT_LIST);
	struct claw_early_debts debts = { .event_count = 0 };

	*(const cl_event **)call->args[list] = gate->given;
	*(cl_uint *)call->args[list - 1] = gate->given_count;
	if (!claw_early_enter())
		return;
	gate->is_busy = false;
	if (gate->is_open || gate->is_shared)
		end(gate, &debts);
	claw_early_leave(&debts);
}

static void open_gate(struct gate *gate, struct claw_early_debts *debts)
{
	claw_ours_begin();
	claw_next.clRetainEvent(gate->event);
	claw_ours_end();
	debts->gates[debts->gate_count++] = gate->event;
	gate->is_open = true;
	if (!gate->is_busy)
		end(gate, debts);
}

void claw_early_gates_look(struct claw_early_debts *debts)
{
	for (unsigned int i = 0; i < GATES; i++) {
		const struct gate *gate = &gates[i];

		if (gate->event && !gate->is_open && !gate->is_shared &&
		    !is_any_for(gate))
			open_gate(&gates[i], debts);
	}
}
