/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Commands under way: what each call means for them. What the program waits
 * for is complete once the driver has returned.
 */
#include "config.h"

#include "commands.h"

#include "faults/call/event_callbacks.h"
#include "host_memory.h"

bool claw_commands_on CLAW_HIDDEN;

void claw_commands_take_site(struct claw_call *call)
{
	if (!call->site)
		call->site = claw_found_here(call->api, CLAW_OBJ_NONE).site;
}

/* The program is about to be told by a callback. */
static void told(cl_event event, cl_int status)
{
	struct claw_found_list list;

	claw_found_list_begin(&list);
	if (!claw_commands_on || status > CL_COMPLETE || !claw_learning_begin())
		return;
	claw_event_complete(claw_number(event));
	claw_learning_end(&list);
	claw_learning_write(&list, NULL);
}

/* ---- waits and questions */

static void learn_events(const struct claw_call *call)
{
	void *const *list;
	uint32_t count = claw_parameter_waits(call, &list);

	for (uint32_t i = 0; i < count; i++)
		claw_event_complete(claw_number(list[i]));
}

static void learn(struct claw_call *call)
{
	struct claw_found_list list;

	claw_found_list_begin(&list);
	if (!claw_learning_begin())
		return;
	switch (call->api) {
	case CLAW_API_clFinish:
		claw_order_complete_queue(
			CLAW_ARG(call, clFinish, command_queue));
		break;
	case CLAW_API_clWaitForEvents:
		learn_events(call);
		break;
	case CLAW_API_clGetEventInfo:
	case CLAW_API_clGetEventProfilingInfo:
		claw_event_complete(
			claw_number(CLAW_ARG(call, clGetEventInfo, event)));
		break;
	default:
		claw_order_complete_all();
		break;
	}
	claw_learning_end(&list);
	claw_learning_write(&list, call);
}

/* Did the answer say that the command is complete? */
static bool says_complete(const struct claw_call *call)
{
	const cl_int *status = CLAW_ARG(call, clGetEventInfo, param_value);

	return !call->err && status &&
	       CLAW_ARG(call, clGetEventInfo, param_name) ==
		       CL_EVENT_COMMAND_EXECUTION_STATUS &&
	       CLAW_ARG(call, clGetEventInfo, param_value_size) >=
		       sizeof(*status) &&
	       *status <= CL_COMPLETE;
}

/* ---- gates */

/* They are ended, and never touch anything. */
static void end_waiting(uint64_t bit)
{
	uint64_t rest = claw_order_busy();

	while (rest) {
		unsigned int slot = (unsigned int)__builtin_ctzll(rest);

		rest &= rest - 1;
		for (uint32_t at = claw_order_oldest(slot); at;
		     at = claw_command_at(at)->next)
			if (claw_command_at(at)->gates & bit)
				claw_order_inert(at);
	}
}

static void open_gate(const struct claw_call *call)
{
	struct claw_found_list list;
	struct claw_event *event;

	claw_found_list_begin(&list);
	if (!claw_commands_enter())
		return;
	event = claw_event_find(
		claw_number(CLAW_ARG(call, clSetUserEventStatus, event)));
	if (event && event->is_user && !event->is_set) {
		event->is_set = true;
		if (CLAW_ARG(call, clSetUserEventStatus, execution_status) < 0)
			end_waiting(event->gate);
		/* The bit of all others stays where it is. */
		if (event->gate !=
		    UINT64_C(1) << CLAW_OTHER_GATES) {
			claw_order_open_gate(event->gate);
			claw_find_opened(event->gate, &list);
		}
		claw_event_give_gate(event);
	}
	claw_commands_leave();
	claw_found_list_write(&list);
}

/* ---- objects */

void claw_commands_releasing(struct claw_call *call)
{
	struct claw_found_list list;
	struct claw_event event;

	claw_found_list_begin(&list);
	if (call->api != CLAW_API_clReleaseEvent || !claw_ledger_last(call) ||
	    !claw_commands_enter())
		return;
	if (claw_event_released(
		    claw_number(CLAW_ARG(call, clReleaseEvent, event)),
		    &event) &&
	    event.is_user && !event.is_set && event.gate)
		claw_find_abandoned(call, &event, &list);
	claw_commands_leave();
	if (!list.count)
		return;
	claw_commands_take_site(call);
	list.entries[0].at.site = call->site;
	claw_found_list_write(&list);
}

void claw_commands_event_gone(uint64_t handle)
{
	struct claw_event event;

	if (!claw_commands_enter())
		return;
	claw_event_released(handle, &event);
	claw_commands_leave();
}

bool claw_commands_let_go(const struct claw_ledger_entry *entry)
{
	bool is_used;

	if (entry->object == CLAW_OBJ_EVENT)
		return entry->flags & CLAW_LEDGER_IMPLICIT;
	if (entry->object != CLAW_OBJ_MEM)
		return false;
	/* What another thread enqueues just now is in no order with this. */
	if (!claw_order_busy() && !claw_host_any_mapped())
		return true;
	if (!claw_commands_enter())
		return false;
	is_used = claw_host_any_mapped() || claw_find_is_used(entry);
	claw_commands_leave();
	return !is_used;
}

/* Is this the last reference that the program has? */
static bool is_last(const struct claw_call *call, enum claw_obj object,
		    struct claw_ledger_entry *entry)
{
	return claw_memory_look(object, claw_number(CLAW_ARG_FIRST(call)),
				entry) && entry->references == 1;
}

static void release_memory(struct claw_call *call)
{
	struct claw_found_list list;
	struct claw_ledger_entry entry;

	claw_found_list_begin(&list);
	if (!is_last(call, CLAW_OBJ_MEM, &entry))
		return;
	claw_commands_take_site(call);
	if (!claw_commands_enter())
		return;
	claw_find_release(call, &entry, &list);
	claw_host_mem_gone(entry.handle);
	claw_commands_leave();
	claw_found_list_write(&list);
}

static void release_queue(const struct claw_call *call)
{
	struct claw_ledger_entry entry;

	if (!is_last(call, CLAW_OBJ_QUEUE, &entry) || !claw_commands_enter())
		return;
	claw_order_queue_released(
		CLAW_ARG(call, clReleaseCommandQueue, command_queue));
	claw_commands_leave();
}

/* Its pointer is the last parameter. */
static uint64_t freed_pointer(const struct claw_call *call)
{
	return claw_number(CLAW_ARG_AT(call, void *,
			       claw_api_table[call->api].param_count - 1));
}

static void free_shared(struct claw_call *call)
{
	struct claw_found_list list;

	claw_found_list_begin(&list);
	/* It waits for all of them. */
	if (call->api == CLAW_API_clMemBlockingFreeINTEL || !freed_pointer(call))
		return;
	claw_commands_take_site(call);
	if (!claw_commands_enter())
		return;
	claw_find_svm_free(call, freed_pointer(call), &list);
	claw_commands_leave();
	claw_found_list_write(&list);
}

static void release(struct claw_call *call)
{
	switch (claw_api_table[call->api].object) {
	case CLAW_OBJ_MEM:
		release_memory(call);
		break;
	case CLAW_OBJ_QUEUE:
		release_queue(call);
		break;
	case CLAW_OBJ_SVM:
		free_shared(call);
		break;
	default:
		break;
	}
}

static void shared_freed(struct claw_call *call)
{
	if (call->api == CLAW_API_clMemBlockingFreeINTEL)
		learn(call);
	if (!claw_commands_enter())
		return;
	claw_memory_svm_freed(freed_pointer(call));
	claw_commands_leave();
}

static void event_made(struct claw_call *call)
{
	bool is_user = call->api == CLAW_API_clCreateUserEvent;

	if (is_user)
		claw_commands_take_site(call);
	if (!claw_commands_enter())
		return;
	if (is_user)
		claw_event_add_user(claw_number(call->ret), call->site);
	else
		claw_event_forget(claw_number(call->ret));
	claw_commands_leave();
}

static void queue_made(const struct claw_call *call)
{
	bool out_of_order = claw_device_is_out_of_order(call->ret);

	if (!claw_commands_enter())
		return;
	claw_order_queue_made(call->ret, out_of_order);
	claw_commands_leave();
}

static void queue_changed(const struct claw_call *call)
{
	if (call->err || !claw_commands_enter())
		return;
	claw_order_queue_changed(
		CLAW_ARG(call, clSetCommandQueueProperty, command_queue));
	claw_commands_leave();
}

static void made(struct claw_call *call)
{
	switch (claw_api_table[call->api].object) {
	case CLAW_OBJ_EVENT:
		event_made(call);
		break;
	case CLAW_OBJ_MEM:
	case CLAW_OBJ_SVM:
		claw_memory_created(call);
		break;
	case CLAW_OBJ_QUEUE:
		queue_made(call);
		break;
	default:
		break;
	}
}

static void destructor_set(const struct claw_call *call)
{
	if (call->err || !claw_commands_enter())
		return;
	claw_memory_has_callback(claw_number(
		CLAW_ARG(call, clSetMemObjectDestructorCallback, memobj)));
	claw_commands_leave();
}

/* Without room for its callback: it may come at any time from now on. */
static void wrap_callback(struct claw_call *call)
{
	if (claw_event_callbacks_wrap(call) || !claw_commands_enter())
		return;
	claw_event_complete(
		claw_number(CLAW_ARG(call, clSetEventCallback, event)));
	claw_commands_leave();
}

/* ---- calls */

static bool is_enqueue(const struct claw_call *call)
{
	return claw_api_table[call->api].groups & CLAW_G_ENQUEUE;
}

void claw_commands_before(struct claw_call *call)
{
	claw_host_frames_look(call);
	if (is_enqueue(call))
		claw_enqueue_before(call);
	else if (claw_api_table[call->api].effect == CLAW_RELEASES)
		release(call);
	else if (call->api == CLAW_API_clSetEventCallback)
		wrap_callback(call);
}

static void after_success(struct claw_call *call)
{
	switch (claw_api_table[call->api].effect) {
	case CLAW_CREATES:
		if (call->ret)
			made(call);
		break;
	case CLAW_RELEASES:
		if (claw_api_table[call->api].object == CLAW_OBJ_SVM)
			shared_freed(call);
		break;
	case CLAW_RETAINS: case CLAW_NOTHING:
		break;
	}
}

void claw_commands_after(struct claw_call *call)
{
	if (is_enqueue(call)) {
		claw_enqueue_after(call);
		return;
	}
	switch (call->api) {
	case CLAW_API_clFinish:
	case CLAW_API_clWaitForEvents:
		learn(call);	/* a failure says that they are ended, too */
		break;
	case CLAW_API_clGetEventInfo:
		if (says_complete(call))
			learn(call);
		break;
	case CLAW_API_clGetEventProfilingInfo:
		if (!call->err)
			learn(call);
		break;
	case CLAW_API_clSetUserEventStatus:
		if (!call->err)
			open_gate(call);
		break;
	case CLAW_API_clSetEventCallback:
		claw_event_callbacks_end(call);
		break;
	case CLAW_API_clSetMemObjectDestructorCallback:
		destructor_set(call);
		break;
	case CLAW_API_clSetCommandQueueProperty:
		queue_changed(call);
		break;
	case CLAW_API_clSetKernelArg:
	case CLAW_API_clSetKernelArgSVMPointer:
	case CLAW_API_clSetKernelArgMemPointerINTEL:
	case CLAW_API_clSetKernelExecInfo:
		if (!call->err)
			claw_kernels_set_arg(call);
		break;
	default:
		if (!call->err)
			after_success(call);
		break;
	}
}

/* ---- the process */

void claw_commands_begin(void)
{
	claw_commands_lock_begin();
	claw_records_begin();
	claw_order_begin();
	claw_events_begin();
	claw_kernels_begin();
	claw_memory_begin();
	claw_event_callbacks_begin(told);
	claw_host_mappings_begin();
	claw_host_freed_begin();
	claw_commands_on = true;
}
