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

/* False: there is nobody who could, or need be, waited for with a gate. */
static bool needs_gate(const struct gate *gate)
{
	bool needs = false;

	claw_ours_begin();
	for (unsigned int i = 0; i < CLAW_EARLY_READS; i++) {
		cl_command_queue queue = NULL;

		if (!is_for(gate, &claw_own_early[i]) ||
		    !claw_own_early[i].event)
			continue;
		claw_next.clGetEventInfo(claw_own_early[i].event,
					 CL_EVENT_COMMAND_QUEUE, sizeof(queue),
					 &queue, NULL);
		if (!queue || !runs_in_calls(queue))
			needs = true;
		else if (!claw_own_early[i].is_gated)
			claw_next.clFlush(queue);
	}
	claw_ours_end();
	return needs;
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
	call->early_gate = (uint16_t)(gate - gates + 1);
}

/* Its bytes come when they come, and nothing of it is a mistake. */
static void let_go(const struct gate *gate)
{
	for (unsigned int i = 0; i < CLAW_EARLY_READS; i++)
		if (is_for(gate, &claw_own_early[i])) {
			claw_early_open(&claw_own_early[i]);
			claw_early_set_adrift(&claw_own_early[i]);
		}
}

void claw_early_gate(struct claw_call *call, uint64_t low, uint64_t high,
		     struct claw_early_debts *debts)
{
	int list = claw_api_find_param(call->api, CLAW_P_WAIT_LIST);
	struct gate wanted = {
		.low = low, .high = high, .sequence = claw_early_sequence(),
	};
	struct gate *gate = find_free();

	while (widen(&wanted))
		;
	if (needs_gate(&wanted) && gate && list > 0 && !call->early_gate &&
	    *(const cl_uint *)call->args[list - 1] < WAITS) {
		*gate = wanted;
		gate->event = new_event(gate);
		if (gate->event)
			lengthen(call, gate, list);
	}
	let_go(&wanted);
	claw_early_deliver(debts);	/* what was there already */
}

static void end(struct gate *gate, struct claw_early_debts *debts)
{
	debts->events[debts->event_count++] = gate->event;
	gate->event = NULL;
	gate->is_open = false;
}

/* Where the driver did not take it nobody waits for the gate. */
void claw_early_gate_after(struct claw_call *call)
{
	struct gate *gate = &gates[call->early_gate - 1];
	int list = claw_api_find_param(call->api, CLAW_P_WAIT_LIST);
	struct claw_early_debts debts = { .event_count = 0 };

	*(const cl_event **)call->args[list] = gate->given;
	*(cl_uint *)call->args[list - 1] = gate->given_count;
	if (!claw_early_enter())
		return;
	gate->is_busy = false;
	if (gate->is_open)
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
		bool waits = !gates[i].event || gates[i].is_open;

		for (unsigned int j = 0; !waits && j < CLAW_EARLY_READS; j++)
			waits = is_for(&gates[i], &claw_own_early[j]);
		if (!waits)
			open_gate(&gates[i], debts);
	}
}
