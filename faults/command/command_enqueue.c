/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A command on its way into a queue. Before the driver it gets its record and
 * its place in the order; after it, when the driver took it, it is looked at.
 */
#include "config.h"

#include "host_memory.h"

/* ---- before */

static void wait_for_list(const struct claw_call *call,
			  struct claw_command *command)
{
	void *const *list;
	uint32_t count = claw_parameter_waits(call, &list);

	for (uint32_t i = 0; i < count; i++)
		claw_order_wait(command, claw_number(list[i]));
}

static bool is_barrier(enum claw_api api)
{
	return api == CLAW_API_clEnqueueBarrier ||
	       api == CLAW_API_clEnqueueBarrierWithWaitList;
}

/* Without a list they wait for all that is in the queue. */
static bool joins(const struct claw_call *call)
{
	void *const *list;

	return (is_barrier(call->api) || call->api == CLAW_API_clEnqueueMarker ||
		call->api == CLAW_API_clEnqueueMarkerWithWaitList) &&
	       !claw_parameter_waits(call, &list);
}

/* Its record, in its place in the order; or 0. */
static uint32_t add_command(const struct claw_call *call)
{
	bool holds = is_barrier(call->api) ||
		call->api == CLAW_API_clEnqueueWaitForEvents;
	uint32_t index = claw_order_add(claw_parameter_queue(call),
					joins(call), holds);

	if (!index)
		return 0;
	wait_for_list(call, claw_command_at(index));
	return claw_order_settle(index) ? index : 0;
}

static void enter_access(uint32_t index, struct claw_access *access,
			 struct claw_found_list *list, struct claw_call *call)
{
	struct claw_command *command = claw_command_at(index);

	if (!claw_memory_resolve(access))
		return;
	claw_host_look_at_freed(call, access, list);
	if (access->where == CLAW_IN_HOST) {
		claw_host_look_at_mappings(call, access, list);
		if (!claw_host_keep_source(access))
			command->no_source = true;
	}
	while (!claw_access_add(index, access))
		if (!claw_order_make_room(index)) {
			claw_found_count(CLAW_COUNT_COMMANDS_LOST, 1);
			return;
		}
	if (access->where != CLAW_IN_HOST)
		return;
	command->uses_host = true;
	claw_host_watch(access->span.start,
			claw_span_end(&access->span) - access->span.start);
	if (access->use & CLAW_ON_STACK)
		claw_host_frame_used();
}

/* Shared memory that kernels and the host see at the same time: by its means
 * the program may know anything. */
static bool is_opaque(const struct claw_demand *demand)
{
	bool is_shared = false;

	for (unsigned int i = 0; i < demand->count; i++)
		is_shared |= demand->accesses[i].where == CLAW_IN_SVM;
	return demand->opaque || (is_shared && claw_memory_is_watched());
}

/* Outside of the lock: the first look takes some. */
static void find_stack(const struct claw_call *call, struct claw_demand *demand)
{
	for (unsigned int i = 0; i < demand->count; i++) {
		struct claw_access *access = &demand->accesses[i];

		if ((access->where == CLAW_IN_HOST ||
		     access->where == CLAW_IN_SVM) &&
		    !(access->use & CLAW_IN_CALL) &&
		    claw_host_is_on_stack(call, access->span.start))
			access->use |= CLAW_ON_STACK;
	}
}

/* Its record's index and sequence in one number. */
enum { INDEX_BITS = 14 };
_Static_assert(CLAW_COMMANDS < 1 << INDEX_BITS, "a number for each record");

static uint64_t name_of(uint32_t index)
{
	return claw_command_at(index)->sequence << INDEX_BITS | index;
}

/* Its record, if it is still there: index + 1, or 0. */
static uint32_t find_command(const struct claw_call *call)
{
	uint32_t index = call->commands.command & ((1 << INDEX_BITS) - 1);

	return index && name_of(index) == call->commands.command ? index : 0;
}

/* Under the lock: its record, and what it touches. Only what cannot be wrong
 * when the driver refuses the command is found here: it may not come back. */
static void enter_command(struct claw_call *call, struct claw_demand *demand,
			  struct claw_found_list *list)
{
	uint32_t index = add_command(call);
	struct claw_command *command;

	demand->lost |= !index;
	if (!index)
		return;
	command = claw_command_at(index);
	command->api = (uint16_t)call->api;
	command->site = call->site;
	command->thread = claw_journal_thread_number();
	command->name = demand->name;
	for (unsigned int i = 0; i < demand->count; i++)
		enter_access(index, &demand->accesses[i], list, call);
	if (is_opaque(demand))
		claw_order_complete_before(command);
	call->commands.command = name_of(index);
}

static void count_command(const struct claw_demand *demand,
			  const struct claw_found_list *list)
{
	claw_found_count(demand->lost ? CLAW_COUNT_COMMANDS_LOST :
			 CLAW_COUNT_COMMANDS, 1);
	claw_found_list_write(list);
}

void claw_enqueue_before(struct claw_call *call)
{
	struct claw_found_list list;
	struct claw_demand demand;

	claw_found_list_begin(&list);
	claw_demand_find(call, &demand);
	find_stack(call, &demand);
	claw_commands_take_site(call);
	if (!claw_commands_enter())
		return;
	enter_command(call, &demand, &list);
	claw_commands_leave();
	count_command(&demand, &list);
}

bool claw_commands_launching(struct claw_call *call,
			     const struct claw_launch *launch)
{
	struct claw_found_list list;
	struct claw_demand demand;
	bool known;

	claw_found_list_begin(&list);
	claw_commands_take_site(call);
	if (!claw_commands_enter())
		return false;
	known = claw_kernels_demand(launch, &demand);
	if (known)
		enter_command(call, &demand, &list);
	claw_commands_leave();
	if (known)
		count_command(&demand, &list);
	return known;
}

bool claw_enqueue_number(const struct claw_call *call, uint8_t *ret_slot,
			 uint64_t *ret_number, bool *ret_is_gated)
{
	uint32_t index;

	if (!claw_commands_enter())
		return false;
	index = find_command(call);
	if (index) {
		const struct claw_command *command = claw_command_at(index);

		*ret_slot = command->slot;
		*ret_number = command->number;
		*ret_is_gated = command->gates != 0;
	}
	claw_commands_leave();
	return index != 0;
}

static bool list_has(uint32_t at, uint32_t own, uint64_t low, uint64_t high)
{
	enum { STEPS = 4096 };

	for (unsigned int i = 0; at; i++) {
		const struct claw_access *access = claw_access_at(at);

		if (i == STEPS || (access->command != own &&
				   access->span.start < high &&
				   claw_span_end(&access->span) > low))
			return true;
		at = access->older;
	}
	return false;
}

bool claw_enqueue_is_shared(const struct claw_call *call, uint64_t low,
			    uint64_t high)
{
	uint32_t own = find_command(call);

	return !own || claw_found_counted(CLAW_COUNT_COMMANDS_LOST) ||
	       list_has(claw_accesses_of_host(false), own, low, high) ||
	       list_has(claw_accesses_of_host(true), own, low, high);
}

/* ---- after */

/* The host memory that a pending write reads, if it can be looked at. */
static bool find_source(uint32_t index, struct claw_source *source)
{
	const struct claw_command *command = claw_command_at(index);

	source->bytes = 0;
	if (!command->uses_host)
		return false;
	for (uint32_t at = command->accesses; at;
	     at = claw_access_at(at)->next) {
		const struct claw_access *access = claw_access_at(at);

		if (access->where != CLAW_IN_HOST ||
		    !(access->use & CLAW_READS) || access->span.rows != 1 ||
		    access->span.slices != 1)
			continue;
		source->start = access->span.start;
		source->bytes = access->span.row_bytes;
	}
	return source->bytes && !command->no_source &&
	       !claw_memory_is_special(source->start, source->bytes);
}

/* Read without the lock, and kept if the command is still pending. */
static void keep_source(const struct claw_call *call,
			struct claw_source *source)
{
	uint32_t index;

	claw_host_hash(source);
	if (!claw_commands_enter())
		return;
	index = find_command(call);
	if (index) {
		*claw_command_source(claw_command_at(index)) = *source;
		claw_command_at(index)->has_source = true;
	}
	claw_commands_leave();
}

static void add_event(uint64_t event, uint32_t index)
{
	if (event && index)
		claw_event_add(event, index);
	else if (event)
		claw_event_forget(event);
}

static void add_mapping(const struct claw_call *call, uint32_t index)
{
	struct claw_access access;

	if (!claw_demand_mapped(call, &access))
		return;
	claw_host_mapped(call, &access);
	if (index && !claw_parameter_blocks(call))
		claw_access_add(index, &access);
}

/* Under the lock; the command was taken by the driver. */
static void enqueued(const struct claw_call *call, uint32_t index,
		     struct claw_found_list *list)
{
	if (index) {
		claw_find_unordered(claw_command_at(index), list);
		claw_find_used_early(claw_command_at(index), list);
	}
	add_event(claw_parameter_event(call), index);
	if (claw_api_is_map(call->api))
		add_mapping(call, index);
	else if (call->api == CLAW_API_clEnqueueUnmapMemObject)
		claw_host_unmapped(call);
}

static void after_blocking(struct claw_call *call)
{
	struct claw_found_list list;
	struct claw_found_list learnt;
	uint32_t index;

	claw_found_list_begin(&list);
	claw_found_list_begin(&learnt);
	if (!claw_learning_begin())
		return;
	index = find_command(call);
	enqueued(call, index, &list);
	if (index)
		claw_order_complete(claw_command_at(index));
	else if (!call->commands.command)
		claw_order_complete_all();
	claw_learning_end(&learnt);
	claw_found_list_write(&list);
	claw_learning_write(&learnt, call);
}

static void free_list(const struct claw_call *call)
{
	void *const *list;
	uint32_t count = claw_call_freed(call, &list);

	for (uint32_t i = 0; i < count; i++)
		claw_memory_svm_freed(claw_number(list[i]));
}

void claw_enqueue_after(struct claw_call *call)
{
	struct claw_found_list list;
	struct claw_source source = { .bytes = 0 };
	bool has_source = false;
	uint32_t index;

	claw_found_list_begin(&list);
	if (!call->err && claw_parameter_blocks(call)) {
		after_blocking(call);
		return;
	}
	if (!claw_commands_enter())
		return;
	index = find_command(call);
	if (call->err) {
		if (index)
			claw_order_inert(index);
	} else {
		enqueued(call, index, &list);
		has_source = index && find_source(index, &source);
		if (call->api == CLAW_API_clEnqueueSVMFree)
			free_list(call);
	}
	claw_commands_leave();
	if (has_source)
		keep_source(call, &source);
	claw_found_list_write(&list);
}

/* It uses none of the program's own memory. */
void claw_commands_launched(const struct claw_call *call, uint64_t event)
{
	struct claw_found_list list;
	uint32_t index;

	claw_found_list_begin(&list);
	if (!claw_commands_enter())
		return;
	index = find_command(call);
	if (index && call->err)
		claw_order_inert(index);
	else if (index)
		claw_find_unordered(claw_command_at(index), &list);
	add_event(event, index);
	claw_commands_leave();
	claw_found_list_write(&list);
}
