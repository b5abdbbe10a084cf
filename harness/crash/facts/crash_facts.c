/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Go through a dump once and note what the rules ask for.
 */
#include "config.h"

#include "crash_facts.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "crash_suspects.h"
#include "crash_words.h"
#include "harness/records/diagnosis.h"
#include "harness/base/memory.h"

/* ---- arguments -------------------------------------------------------- */

const struct claw_trace_arg *
claw_crash_arg(const struct claw_trace_call *call, const char *name)
{
	const struct claw_api_info *info;

	if (!claw_crash_is_call(call))
		return NULL;
	info = &claw_api_table[call->api];
	for (uint32_t i = 0; i < info->param_count && i < call->arg_count; i++)
		if (info->params[i] && strcmp(info->params[i], name) == 0)
			return &call->args[i];
	return NULL;
}

claw_object_id claw_crash_object(const struct claw_trace_call *call,
				 enum claw_role role)
{
	const struct claw_trace_arg *arg = claw_trace_arg_find(call, role);

	return arg && arg->objects && arg->count ? arg->objects[0] : 0;
}

uint64_t claw_crash_size(const struct claw_trace_arg *arg, unsigned int i)
{
	uint64_t word;

	if (!arg || !arg->bytes || arg->size < ((size_t)i + 1) * sizeof(word))
		return 0;
	memcpy(&word, (const char *)arg->bytes + i * sizeof(word),
	       sizeof(word));
	return word;
}

uint64_t claw_crash_work_items(const struct claw_trace_call *launch)
{
	const struct claw_trace_arg *dimensions =
		claw_crash_arg(launch, "work_dim");
	const struct claw_trace_arg *sizes =
		claw_crash_arg(launch, "global_work_size");
	uint64_t items = 1;

	if (!dimensions || dimensions->word < 1 || dimensions->word > 3)
		return 0;
	for (unsigned int i = 0; i < dimensions->word; i++)
		if (__builtin_mul_overflow(items, claw_crash_size(sizes, i),
					   &items))
			return 0;
	return items;
}

bool claw_crash_waits(const struct claw_trace_call *call)
{
	const struct claw_trace_arg *blocking;

	if (!claw_crash_is_call(call))
		return false;
	if (call->api == CLAW_API_clFinish ||
	    call->api == CLAW_API_clWaitForEvents)
		return true;
	blocking = claw_trace_arg_find(call, CLAW_P_BLOCKING);
	return blocking && blocking->word;
}

/* ---- how it ended ----------------------------------------------------- */

static uint64_t number_of(const json_t *value)
{
	return json_is_string(value) ?
		strtoull(json_string_value(value), NULL, 0) :
		(uint64_t)json_integer_value(value);
}

static void take_meta(struct claw_crash_facts *f)
{
	const json_t *ended = json_object_get(f->dump->meta, "exit");
	const json_t *value;

	f->trigger = json_string_value(json_object_get(f->dump->meta,
						       "trigger"));
	if (!f->trigger)
		f->trigger = "";
	f->status = -1;
	f->ended = json_object_size(ended) > 0;
	f->signal = (int)json_integer_value(json_object_get(ended, "signal"));
	value = json_object_get(ended, "status");
	if (json_is_integer(value))
		f->status = (int)json_integer_value(value);
	value = json_object_get(ended, "address");
	if (json_is_integer(value) || json_is_string(value)) {
		f->has_address = true;
		f->address = number_of(value);
	}
}

/* Did the fault have an address? What kill() and abort() send has none. */
static bool has_address(int number)
{
	return number == SIGSEGV || number == SIGBUS || number == SIGILL ||
	       number == SIGFPE;
}

/* The last fatal signal on record. One that the program survived is not its
 * end. */
static void take_crash(struct claw_crash_facts *f)
{
	const struct claw_journal *journal = f->dump->journal;
	size_t count = journal ? claw_journal_get_event_count(journal) : 0;

	for (size_t i = 0; i < count; i++) {
		const struct claw_journal_record *event =
			claw_journal_get_event(journal, i);

		if (event && event->flags & CLAW_REC_CRASH)
			f->crash = event;
	}
	if (f->crash && f->ended && f->signal != f->crash->result)
		f->crash = NULL;
	if (!f->crash)
		return;
	f->signal = f->crash->result;
	if (!f->has_address && has_address(f->signal) && f->crash->handle) {
		f->has_address = true;
		f->address = f->crash->handle;
	}
	f->top = claw_crash_top(f, f->crash->site);
}

/* ---- calls ------------------------------------------------------------ */

/* The call that the thread which crashed was in; else, as threads of a driver
 * do the work of others, the last one that had not returned. */
static void find_pending(struct claw_crash_facts *f)
{
	const struct claw_trace *trace = f->trace;
	bool own = false;

	for (uint32_t i = 0; i < trace->call_count; i++) {
		const struct claw_trace_call *call = &trace->calls[i];
		bool is_own = f->crash && f->crash->thread &&
			call->thread == f->crash->thread;

		if (call->returned || !claw_crash_is_call(call) ||
		    (own && !is_own))
			continue;
		f->pending = i + 1;
		own |= is_own;
	}
	/* In its own code: what other threads were in is not its end. */
	if (f->crash && f->crash->thread && !own)
		f->pending = 0;
}

/* The command before each one in the same queue, and the last of each. */
struct queues {
	uint32_t *before, *last;	/* by call; by object */
	uint32_t *done_by;
};

static void mark_done(const struct queues *q, uint32_t command, uint32_t by)
{
	for (; command && !q->done_by[command - 1];
	     command = q->before[command - 1])
		q->done_by[command - 1] = by;
}

uint32_t claw_crash_command(const struct claw_trace *trace,
			    claw_object_id event)
{
	const struct claw_trace_object *object =
		claw_trace_object_get(trace, event);

	return object && object->type == CLAW_OBJ_EVENT &&
		object->made_by <= trace->call_count ? object->made_by : 0;
}

static void see_status(const struct claw_trace *trace, const struct queues *q,
		       uint32_t number)
{
	const struct claw_trace_call *call = &trace->calls[number - 1];

	if (call->result == 0)
		mark_done(q, claw_crash_command(trace,
						claw_crash_event(call)), number);
}

static void see_call(const struct claw_trace *trace, const struct queues *q,
		     uint32_t number)
{
	const struct claw_trace_call *call = &trace->calls[number - 1];
	claw_object_id queue = claw_crash_object(call, CLAW_P_QUEUE);
	const struct claw_trace_arg *events =
		claw_trace_arg_find(call, CLAW_P_EVENTS);

	if (queue && claw_api_table[call->api].groups & CLAW_G_ENQUEUE &&
	    !claw_crash_has_failed(call)) {
		q->before[number - 1] = q->last[queue];
		q->last[queue] = number;
	}
	if (!call->returned || call->result != 0 || !claw_crash_waits(call))
		return;
	if (queue)
		mark_done(q, q->last[queue], number);
	for (uint32_t i = 0; events && events->objects && i < events->count;
	     i++)
		mark_done(q, claw_crash_command(trace,
						events->objects[i]), number);
}

static void follow_queues(struct claw_crash_facts *f)
{
	const struct claw_trace *trace = f->trace;
	struct queues q = {
		.before = claw_calloc((size_t)trace->call_count + 1,
				      sizeof(uint32_t)),
		.last = claw_calloc((size_t)trace->object_count + 1,
				    sizeof(uint32_t)),
		.done_by = claw_calloc((size_t)trace->call_count + 1,
				       sizeof(uint32_t)),
	};

	for (uint32_t i = 0; i < trace->call_count; i++)
		if (claw_crash_is_call(&trace->calls[i]))
			see_call(trace, &q, i + 1);
		else
			see_status(trace, &q, i + 1);
	f->done_by = q.done_by;
	free(q.before);
	free(q.last);
}

/* ---- what failed ------------------------------------------------------ */

static bool is_no_memory(const struct claw_crash_facts *f,
			 const struct claw_trace_call *call)
{
	if (call->fault == CLAW_FAULT_OOM || call->fault == CLAW_FAULT_OOM_HOST)
		return true;
	return call->result == CL_MEM_OBJECT_ALLOCATION_FAILURE ||
	       call->result == CL_OUT_OF_HOST_MEMORY ||
	       (call->result == CL_OUT_OF_RESOURCES && !f->first_launch);
}

/* The program's own doing: a user event that it gave a negative status. */
static bool gave_bad_status(const struct claw_crash_facts *f, uint32_t before)
{
	for (uint32_t i = 0; i < before; i++) {
		const struct claw_trace_call *call = &f->trace->calls[i];

		if (call->api == CLAW_API_clSetUserEventStatus &&
		    call->arg_count > 1 && (int32_t)call->args[1].word < 0)
			return true;
	}
	return false;
}

static bool has_open_launch(const struct claw_crash_facts *f, uint32_t before)
{
	for (uint32_t i = 0; i < before; i++)
		if (claw_crash_is_call(&f->trace->calls[i]) &&
		    claw_api_is_launch(f->trace->calls[i].api) &&
		    f->trace->calls[i].result == 0 &&
		    (!f->done_by[i] || f->done_by[i] > before))
			return true;
	return false;
}

/* The diagnosis of an injected fault that is the device's, or NULL. */
static const char *code_of_fault(const struct claw_trace_call *call)
{
	static const char *const of_device[] = {
		"clw-gpu-crash", "clw-device-lost", "clw-ecc-error",
		"clw-pcie-error", "clw-device-timeout",
	};
	const char *code;

	if (!call->fault || call->fault >= CLAW_FAULT_COUNT ||
	    !claw_crash_is_injected(call))
		return NULL;
	code = claw_diagnosis_of_fault((enum claw_fault)call->fault);
	for (size_t i = 0; i < sizeof(of_device) / sizeof(*of_device); i++)
		if (strcmp(code, of_device[i]) == 0)
			return code;
	return NULL;
}

/* What a code means that comes back from a wait while a launch is under way.
 */
static const char *code_of_wait(const struct claw_crash_facts *f,
				const struct claw_trace_call *call,
				uint32_t number)
{
	const struct claw_diagnosis *crash =
		claw_diagnosis_find("clw-gpu-crash");
	const char *name = claw_code_name(call->result);
	const struct claw_trace_arg *queue =
		claw_trace_arg_find(call, CLAW_P_QUEUE);

	if (name && (!crash || !claw_diagnosis_has(crash, name)))
		return NULL;
	if (call->result == CL_INVALID_COMMAND_QUEUE && queue &&
	    !claw_crash_object(call, CLAW_P_QUEUE))
		return NULL;
	if (call->result == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST &&
	    gave_bad_status(f, number))
		return NULL;
	if (call->result == CL_OUT_OF_RESOURCES && !claw_crash_waits(call))
		return NULL;
	return has_open_launch(f, number) ? "clw-gpu-crash" : NULL;
}

static const char *told_by(const struct claw_crash_facts *f, uint32_t number)
{
	const struct claw_trace_call *call = &f->trace->calls[number - 1];
	const struct claw_driver_number *known;
	const char *code = code_of_fault(call);

	if (code)
		return call->result < 0 ? code : NULL;
	if (call->result >= 0 || claw_crash_is_injected(call))
		return NULL;
	if (!claw_crash_is_call(call))
		return gave_bad_status(f, number) ? NULL : "clw-gpu-crash";
	known = claw_driver_number_find(call->result);
	if (known)
		return known->code;
	if (call->result == CL_DEVICE_NOT_AVAILABLE)
		return "clw-device-lost";
	return claw_api_table[call->api].groups &
		(CLAW_G_SYNC | CLAW_G_ENQUEUE | CLAW_G_TRANSFER) ?
		code_of_wait(f, call, number) : NULL;
}

static void see_failure(struct claw_crash_facts *f, uint32_t number)
{
	const struct claw_trace_call *call = &f->trace->calls[number - 1];
	uint32_t groups = claw_crash_is_call(call) ?
		claw_api_table[call->api].groups : 0;

	if (!f->told) {
		f->told_code = told_by(f, number);
		f->told = f->told_code ? number : 0;
	}
	if (!claw_crash_is_call(call) || (groups & CLAW_G_QUERY &&
					  f->first_context))
		return;
	f->failed = number;
	if (groups & CLAW_G_BUILD)
		f->build = number;
	else if (is_no_memory(f, call))
		f->no_memory = number;
}

static void find_failures(struct claw_crash_facts *f)
{
	for (uint32_t i = 0; i < f->trace->call_count; i++) {
		const struct claw_trace_call *call = &f->trace->calls[i];

		if (claw_crash_has_failed(call)) {
			see_failure(f, i + 1);
			continue;
		}
		if (!claw_crash_is_call(call))
			continue;
		if (!f->first_context && claw_api_makes_context(call->api))
			f->first_context = i + 1;
		if (!f->first_launch && claw_api_is_launch(call->api))
			f->first_launch = i + 1;
	}
}

/* ---- the layer's findings --------------------------------------------- */

static void read_found(struct claw_crash_facts *f)
{
	struct claw_found_file file;

	if (!f->dump->found || !f->dump->journal ||
	    claw_found_file_read_memory(f->dump->found, f->dump->found_size,
					&file) < 0)
		return;
	claw_found_groups_add(&f->found, &file, f->dump->journal,
			      f->symbolizer);
	claw_found_file_release(&file);
	claw_found_groups_sort(&f->found);
}

void claw_crash_facts_gather(const struct claw_dump *dump,
			     struct claw_crash_facts *ret_facts)
{
	static const struct claw_trace nothing;
	struct claw_crash_facts *f = ret_facts;

	*f = (struct claw_crash_facts){
		.dump = dump,
		.trace = dump->trace ? dump->trace : &nothing,
		.symbolizer = claw_symbolizer_new(),
	};
	take_meta(f);
	take_crash(f);
	find_pending(f);
	/* Where openclaw crashed in the driver's place, the layer's own frames
	 * are left out. */
	if (f->crash && claw_crash_is_made(f))
		f->top = CLAW_TOP_DRIVER;
	follow_queues(f);
	find_failures(f);
	claw_crash_suspects_find(f);
	read_found(f);
}

void claw_crash_facts_release(struct claw_crash_facts *facts)
{
	claw_found_groups_release(&facts->found);
	claw_symbolizer_free(facts->symbolizer);
	free(facts->done_by);
	*facts = (struct claw_crash_facts){ .status = -1 };
}
