/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Commands that want host memory: which reads get ours instead, and what is
 * done with later ones that want the same.
 */
#include "config.h"

#include "early_private.h"
#include "faults/command/host_memory.h"

enum {
	STACKS = 64,		/* of threads that call OpenCL */
	LANDINGS = 100000,	/* naps until the bytes are there */
	NAP_NS = 100000,
};

static struct {
	uint32_t count;		/* ever */
	struct { uint64_t low, high; } ranges[STACKS];
} stacks;

/* This thread's is there. */
static __thread bool is_known __attribute__((tls_model(CLAW_TLS_MODEL)));

/* ---- stacks, which are nobody's to close */

void claw_early_stacks_begin(void)
{
	stacks.count = 0;
	is_known = false;
}

void claw_early_stack_look(void)
{
	uintptr_t low, high;
	uint32_t i;

	if (is_known)
		return;
	is_known = true;
	if (!claw_host_own_stack(&low, &high))
		return;
	i = __atomic_fetch_add(&stacks.count, 1, __ATOMIC_RELAXED) % STACKS;
	stacks.ranges[i].low = low;
	stacks.ranges[i].high = high;
}

static bool is_on_a_stack(uint64_t low, uint64_t high)
{
	uint32_t count = __atomic_load_n(&stacks.count, __ATOMIC_RELAXED);

	for (uint32_t i = 0; i < count && i < STACKS; i++)
		if (stacks.ranges[i].low < high && low < stacks.ranges[i].high)
			return true;
	return false;
}

/* ---- what a command wants */

/* The parameter that points there, and whether the bytes come to it; 0: what
 * may be shared memory. */
static int host_parameter(enum claw_api api, bool *ret_gives)
{
	const struct claw_touch *host = claw_api_find_host(api);
	const struct claw_touch *shared =
		claw_api_find_touch(api, CLAW_TOUCH_SHARED);

	*ret_gives = host && host->access == CLAW_TOUCH_WRITES;
	return host ? host->memory :
		shared && shared->access != CLAW_TOUCH_MAPS ? 0 : -1;
}

struct want {
	struct claw_span span;
	uint64_t low, high;
	int position;		/* 0: it cannot be given ours */
	bool gives, is_special, is_blocking, has_record;
};

/* An access to host memory; *at: how many have been looked at. */
static bool next_want(const struct claw_demand *demand, unsigned int *at,
		      struct want *want)
{
	while (*at < demand->count) {
		const struct claw_access *access = &demand->accesses[(*at)++];

		if (access->where != CLAW_IN_HOST &&
		    access->where != CLAW_IN_SVM)
			continue;
		want->span = access->span;
		claw_early_flatten(&want->span);
		want->low = access->span.start;
		want->high = claw_span_end(&access->span);
		if (want->high > want->low)
			return true;
	}
	return false;
}

/* Outside of the lock. Memory of the driver's, or that it uses as its own,
 * or has for another command it has to get as it is. */
static bool is_special(const struct claw_call *call, uint64_t low,
		       uint64_t high)
{
	bool special;

	if (!claw_commands_enter())
		return true;
	special = claw_memory_is_special(low, high - low) ||
		  claw_host_is_mapped(low, high) ||
		  claw_enqueue_is_shared(call, low, high);
	claw_commands_leave();
	return special;
}

/* May the bytes be kept back, and pages be closed meanwhile? Counts what may
 * not. Under the lock, for the look at the memory has one place for text. */
static bool may_close(const struct claw_span *span, bool special)
{
	uint64_t low, high;

	if (!claw_early_has_pages(span, &low, &high)) {
		claw_found_count(CLAW_COUNT_EARLY_SMALL, 1);
		return false;
	}
	if (special || is_on_a_stack(low, high) ||
	    !claw_early_is_plain(low, high)) {
		claw_found_count(CLAW_COUNT_EARLY_ELSEWHERE, 1);
		return false;
	}
	if (claw_early_has_lost()) {
		claw_found_count(CLAW_COUNT_EARLY_NO_ROOM, 1);
		return false;
	}
	return true;
}

/* ---- who gets our memory; under the lock */

static bool is_pending_in(uint64_t low, uint64_t high)
{
	for (unsigned int i = 0; i < CLAW_EARLY_READS; i++)
		if (claw_early_overlaps(&claw_own_early[i], low, high))
			return true;
	return false;
}

static struct claw_early_read *make(const struct want *want, bool is_in_way)
{
	struct claw_early_block *block = claw_early_block_take(&want->span,
							       is_in_way);
	struct claw_early_read *read = block ? claw_early_take(is_in_way) :
		NULL;

	if (!read) {
		if (block)
			claw_early_block_give(block);
		claw_found_count(CLAW_COUNT_EARLY_NO_ROOM, 1);
		return NULL;
	}
	read->block = block;
	read->span = want->span;
	read->low = want->low;
	read->high = want->high;
	read->gives = want->gives;
	read->can_close = !is_in_way;
	read->position = (uint8_t)want->position;
	return read;
}

/* It fills all that is wanted, and nothing is newer elsewhere. */
static bool has_all(const struct claw_early_read *read,
		    const struct want *want)
{
	return read->span.rows == 1 && read->span.slices == 1 &&
	       read->low <= want->low && want->high <= read->high &&
	       !read->passed;
}

/* Is all that it wants of them to be seen in one place? What no pending read
 * fills there the program may have changed since. */
static bool is_in_one_block(const struct want *want)
{
	const struct claw_early_block *block =
		claw_early_block_find(&want->span);
	bool all = false;

	for (unsigned int i = 0; block && i < CLAW_EARLY_READS; i++) {
		const struct claw_early_read *read = &claw_own_early[i];

		if (!claw_early_overlaps(read, want->low, want->high))
			continue;
		if (read->block != block)
			return false;
		all |= has_all(read, want);
	}
	return all;
}

/* A pending read is in the way of some, and they must have our memory, or wait
 * until it is there; of the others those that can be closed. */
static struct claw_early_read *choose(const struct want *want,
				      bool *ret_must_land)
{
	bool is_in_way = is_pending_in(want->low, want->high);
	struct claw_early_read *read = NULL;

	if (is_in_way && want->position &&
	    (want->gives || is_in_one_block(want)))
		read = make(want, true);
	if (read)
		return read;
	*ret_must_land = is_in_way;
	return !is_in_way && want->gives && !want->is_blocking &&
	       want->has_record && may_close(&want->span, want->is_special) ?
		make(want, false) : NULL;
}

static void lend(struct claw_call *call, struct claw_early_read *read)
{
	void **pointer = (void **)call->args[read->position];
	cl_event **event = (cl_event **)claw_arg_address(call,
							 CLAW_P_EVENT_OUT);

	read->pointer = *pointer;
	*pointer = read->block->memory +
		(claw_number(read->pointer) - read->block->low);
	if (!*event) {
		*event = &read->event;
		read->lent = true;
	}
}

/* What is older must not come over what the driver writes there: it is given
 * up where that cannot be waited for. */
static void give_up(const struct want *want)
{
	for (unsigned int i = 0; want->gives && i < CLAW_EARLY_READS; i++) {
		struct claw_early_read *read = &claw_own_early[i];

		if (claw_early_overlaps(read, want->low, want->high) &&
		    read->low >= want->low && read->high <= want->high)
			read->gives = false;
	}
}

/* Under the lock. */
static bool is_waiting_in(const struct want *want, bool *ret_is_gated)
{
	bool waits = false;

	*ret_is_gated = false;
	for (unsigned int i = 0; i < CLAW_EARLY_READS; i++) {
		const struct claw_early_read *read = &claw_own_early[i];

		if (!claw_early_overlaps(read, want->low, want->high))
			continue;
		waits = true;
		*ret_is_gated |= read->is_gated;
	}
	return waits;
}

/* Without a gate: here, until the bytes are there. */
static void land(const struct want *want)
{
	struct claw_early_queues queues = { .count = 0 };
	bool waits = true, is_gated = false;

	if (!claw_early_enter())
		return;
	claw_early_queues_of(want->low, want->high, true, &queues);
	claw_early_leave(&(struct claw_early_debts) { .event_count = 0 });
	claw_early_flush(&queues);
	for (unsigned int i = 0; waits && !is_gated && i < LANDINGS; i++) {
		struct claw_early_debts debts = { .event_count = 0 };

		if (i)
			claw_sleep_ns(NAP_NS);
		if (!claw_early_enter())
			return;
		claw_early_deliver(&debts);
		waits = is_waiting_in(want, &is_gated);
		if (waits && (is_gated || i + 1 == LANDINGS))
			give_up(want);
		claw_early_leave(&debts);
	}
}

/* The call gets the program's memory, where reads are pending. */
static void hold_back(struct claw_call *call, const struct want *want)
{
	struct claw_early_debts debts = { .event_count = 0 };
	struct claw_early_queues queues = { .count = 0 };
	bool good;

	if (!claw_early_enter())
		return;
	claw_early_queues_of(want->low, want->high, false, &queues);
	claw_early_leave(&debts);
	claw_early_flush(&queues);
	if (!claw_early_enter())
		return;
	good = claw_early_gate(call, want->low, want->high, want->gives,
			       &debts);
	claw_early_leave(&debts);
	if (!good)
		land(want);
}

static void look_at(struct claw_call *call, struct want *want)
{
	struct claw_early_debts debts = { .event_count = 0 };
	struct claw_early_read *read;
	bool must_land = false;

	want->is_special = is_special(call, want->low, want->high);
	if (!claw_early_enter())
		return;
	read = choose(want, &must_land);
	if (read) {
		read->site = call->site;
		read->api = (uint16_t)call->api;
		read->has_number = claw_enqueue_number(call, &read->slot,
						       &read->number,
						       &read->is_gated);
		call->early.read = (uint16_t)(read - claw_own_early + 1);
		lend(call, read);
	}
	claw_early_leave(&debts);
	if (must_land)
		hold_back(call, want);
}

void claw_early_before(struct claw_call *call)
{
	struct want want = { .has_record = call->commands.command != 0 };
	struct claw_demand demand;
	unsigned int at = 0;

	want.position = host_parameter(call->api, &want.gives);
	if (want.position < 0)
		return;
	want.is_blocking = claw_parameter_blocks(call);
	if (!claw_early_any() && (!want.gives || want.is_blocking))
		return;
	claw_early_stack_look();
	claw_demand_find(call, &demand);
	while (next_want(&demand, &at, &want))
		look_at(call, &want);
}

/* ---- the driver has it, or not */

static void hold_event(const struct claw_call *call,
		       struct claw_early_read *read)
{
	const cl_event *event = claw_arg_pointer(call, CLAW_P_EVENT_OUT);

	if (read->lent || !event || !*event)
		return;
	claw_ours_begin();
	if (!claw_next.clRetainEvent(*event))
		read->event = *event;
	claw_ours_end();
}

static void close_pages(const struct claw_call *call,
			struct claw_early_read *read)
{
	const void *queue = claw_arg_pointer(call, CLAW_P_QUEUE);

	if (queue)
		claw_early_driver_is(queue);
	claw_early_keep_from_children();
	claw_early_signal_install();
	read->counted = claw_early_close(read);
	claw_found_count(read->counted ? CLAW_COUNT_EARLY_CLOSED :
			 CLAW_COUNT_EARLY_NO_ROOM, 1);
}

/* Nobody is inside here: a call of the program's own. */
static void settle(struct claw_call *call, bool taken)
{
	struct claw_early_read *read = &claw_own_early[call->early.read - 1];
	struct claw_early_debts debts = { .event_count = 0 };

	*(void **)call->args[read->position] = read->pointer;
	if (read->lent)
		*(cl_event **)claw_arg_address(call, CLAW_P_EVENT_OUT) = NULL;
	else if (taken)
		hold_event(call, read);
	if (!claw_early_enter())
		return;
	if (!taken)
		claw_early_give_back(read, &debts);
	else if (read->can_close)
		close_pages(call, read);
	else
		claw_early_set_state(read, CLAW_EARLY_OPEN);
	claw_early_leave(&debts);
}

void claw_early_after(struct claw_call *call, bool taken)
{
	if (call->early.gate)
		claw_early_gate_after(call);
	if (call->early.read)
		settle(call, taken);
}
