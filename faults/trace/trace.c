/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The trace's hooks: a record before each call, its end after it, and what
 * follows from a success: slots of new objects, arguments of kernels. Queries
 * are recorded when they fail, and those that give out devices; a repeated one
 * once.
 */
#include "config.h"

#include "trace_private.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "faults/journal/site_cache.h"

enum { ASKED = 256, TOLD = 64, NVIDIA_LOST = -9999 };

struct claw_trace_process claw_own_trace CLAW_HIDDEN;
bool claw_trace_on CLAW_HIDDEN;
bool claw_trace_redacts CLAW_HIDDEN;

/* Of queries that were recorded, and of events that ended badly. */
static struct {
	uint64_t asked[ASKED], told[TOLD];
} seen;

/* ---- what is recorded */

static bool gives_devices(enum claw_api api)
{
	return api == CLAW_API_clGetPlatformIDs ||
	       api == CLAW_API_clGetDeviceIDs;
}

enum claw_trace_interest claw_trace_interest(enum claw_api api)
{
	return claw_trace_is_on() ?
		(enum claw_trace_interest)claw_shape_of(api)->interest :
		CLAW_TRACE_NOTHING;
}

/* A hash that was there before: true. */
static bool is_known(uint64_t *table, size_t size, uint64_t hash)
{
	uint64_t *place = &table[hash % size];

	if (__atomic_load_n(place, __ATOMIC_RELAXED) == hash)
		return true;
	__atomic_store_n(place, hash, __ATOMIC_RELAXED);
	return false;
}

static bool is_asked_again(const struct claw_call *call,
			   const struct claw_trace_shape *shape)
{
	uint64_t hash = call->api * UINT64_C(0x9e3779b97f4a7c15) +
		(uint32_t)call->err + 1;

	for (unsigned int i = 0; i < shape->words; i++) {
		uint64_t word = 0;

		memcpy(&word, call->args[i], shape->widths[i]);
		hash = (hash ^ word) * UINT64_C(0xd6e8feb86659fd93);
		hash ^= hash >> 32;
	}
	return is_known(seen.asked, ASKED, hash | 1);
}

/* ---- records */

static inline void copy_words(const struct claw_call *call,
			      const struct claw_trace_shape *shape,
			      uint64_t *words)
{
	for (unsigned int i = 0; i < shape->words; i++)
		words[i] = claw_trace_word(call->args[i], shape->widths[i]);
}

static inline uint64_t begin_ticks(const struct claw_call *call,
				   const struct claw_trace_shape *shape,
				   uint64_t position, uint32_t bytes)
{
	if (call->start_ticks)
		return call->start_ticks;
	return shape->clock == CLAW_CLOCK_READ ? claw_trace_ticks() :
		claw_trace_ticks_at(position, bytes);
}

static inline void fill(struct claw_trace_record *record,
			const struct claw_call *call,
			const struct claw_trace_shape *shape, uint32_t bytes,
			unsigned int payloads)
{
	claw_record_fill(record, begin_ticks(call, shape, record->position,
					     bytes),
			 call->ordinal, shape->words, payloads);
	record->site = call->site;
	copy_words(call, shape, (uint64_t *)(void *)(record + 1));
}

static inline void set_record(struct claw_call *call,
			      struct claw_trace_record *record,
			      uint64_t position)
{
	call->trace.record = record;
	call->trace.position = position;
}

/* Nothing but words. */
static inline void record_words(struct claw_call *call,
				const struct claw_trace_shape *shape)
{
	uint32_t bytes = (uint32_t)(sizeof(struct claw_trace_record) +
				    shape->words * sizeof(uint64_t));
	enum claw_turn turn = claw_turn_begin();
	struct claw_trace_record *record;
	uint64_t position;

	if (turn == CLAW_TURN_NONE) {
		claw_journal_add_damaged();
		return;
	}
	record = claw_ring_claim(turn, bytes, &position);
	fill(record, call, shape, bytes, 0);
	claw_ring_show(record, (uint16_t)call->api, bytes, shape->words,
		       CLAW_TRACE_BEGUN);
	claw_turn_end(turn);
	set_record(call, record, position);
}

static __attribute__((noinline)) void
record_whole(struct claw_call *call, const struct claw_trace_shape *shape)
{
	bool launches = claw_api_is_launch(call->api);
	uint64_t kernel =
		launches ? claw_number(CLAW_ARG(call, clEnqueueNDRangeKernel,
						kernel)) :
			   0;
	struct claw_trace_record *record;
	struct claw_trace_plan plan = { .kernel = NULL };
	struct claw_trace_items items;
	enum claw_turn turn;
	unsigned int count;
	uint32_t bytes;
	uint64_t position = 0;
	unsigned char *at;

	items.count = items.text_count = items.bytes = 0;
	claw_items_find(call, shape, &items);
	count = items.count;
	if (launches)
		claw_before_launch(call, &items);
	turn = claw_trace_enter();
	if (turn == CLAW_TURN_NONE) {
		claw_journal_add_damaged();
		return;
	}
	if (launches) {
		claw_bases_look(turn);
		claw_args_plan(kernel, items.count > count, &plan);
	}
	bytes = (uint32_t)(sizeof(*record) + shape->words * sizeof(uint64_t)) +
		items.bytes + plan.bytes;
	record = bytes > CLAW_TRACE_RECORD_MAX ? NULL :
		claw_ring_claim(turn, bytes, &position);
	if (record) {
		fill(record, call, shape, bytes, items.count + plan.count);
		at = (unsigned char *)(record + 1) +
			shape->words * sizeof(uint64_t);
		at = claw_items_write(&items, at);
		if (launches)
			claw_args_write(&plan, at, position,
					items.count > count);
		claw_ring_show(record, (uint16_t)call->api, bytes,
			       shape->words, CLAW_TRACE_BEGUN);
	}
	claw_trace_leave(turn);
	if (record)
		set_record(call, record, position);
	else
		claw_journal_add_damaged();
}

/* Does any pointer that is looked at lead somewhere? */
static inline bool has_items(const struct claw_call *call,
			     const struct claw_trace_shape *shape)
{
	for (unsigned int i = 0; i < shape->items; i++) {
		unsigned int param = shape->item[i].param;

		if (claw_trace_word(call->args[param], shape->widths[param]))
			return true;
	}
	return false;
}

static inline void record_call(struct claw_call *call,
			       const struct claw_trace_shape *shape)
{
	if (!has_items(call, shape) && !claw_api_is_launch(call->api))
		record_words(call, shape);
	else
		record_whole(call, shape);
}

void claw_trace_before(struct claw_call *call)
{
	const struct claw_trace_shape *shape = claw_shape_of(call->api);

	call->trace.record = NULL;
	if (shape->placed && !call->site)
		call->site = claw_site_cached();
	if (shape->interest == CLAW_TRACE_CALLS)
		record_call(call, shape);
	/* After the words were taken as the program passed them. */
	if (__builtin_expect(shape->told, 0))
		claw_notify_wrap(call);
}

/* A rule has fired. */
static void fired(const struct claw_call *call, uint16_t flags)
{
	struct claw_trace_record *record = call->trace.record;

	if (!record || !claw_ring_is_at(record, call->trace.position))
		return;
	record->flags = flags;
	record->rule = call->rule;
	record->fault = call->fault;
}

/* ---- what tells that a device is lost */

static bool waits(const struct claw_call *call)
{
	const cl_bool *blocking = claw_arg_address(call, CLAW_P_BLOCKING);
	uint32_t groups = claw_api_table[call->api].groups;

	return blocking ? *blocking : groups & CLAW_G_SYNC;
}

static bool is_live(const void *handle)
{
	enum claw_turn turn = claw_trace_enter();
	bool live;

	if (turn == CLAW_TURN_NONE)
		return false;
	live = claw_slots_find(claw_number(handle)) != CLAW_OBJ_NONE;
	claw_trace_leave(turn);
	return live;
}

static bool is_trigger(const struct claw_call *call)
{
	uint32_t groups = claw_api_table[call->api].groups;

	switch (call->err) {
	case NVIDIA_LOST:
	case -1121: case -1127: case -1128: case -1129:	/* as crash_log.c */
		return true;
	case CL_OUT_OF_RESOURCES:
		return waits(call) || groups & CLAW_G_TRANSFER;
	case CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST:
		return waits(call);
	case CL_DEVICE_NOT_AVAILABLE:
		return claw_api_makes_context(call->api) ||
		       groups & (CLAW_G_SYNC | CLAW_G_ENQUEUE);
	case CL_INVALID_COMMAND_QUEUE:
		/* Of a queue that is there: somebody has broken it. */
		return waits(call) &&
		       is_live(claw_arg_pointer(call, CLAW_P_QUEUE));
	default:
		return false;
	}
}

void claw_trace_pull(uint64_t position)
{
	uint64_t none = 0;

	claw_own_trace.told_failure = true;
	__atomic_compare_exchange_n(&claw_own_trace.header->trigger_position,
				    &none, position, false, __ATOMIC_RELAXED,
				    __ATOMIC_RELAXED);
}

static void record_asynchronous(uint64_t handle, int32_t result, const char *text,
			     bool trigger)
{
	uint64_t length = text ? claw_source_text(text, 4000) : 0;
	struct claw_trace_items items = { .count = 0 };
	struct claw_trace_record *record;
	enum claw_turn turn;
	uint64_t position;
	uint32_t bytes;

	if (length && length < 4001)
		claw_items_add(&items, CLAW_PAYLOAD_BYTES, 0, text,
			       (uint32_t)length + 1, 0);
	bytes = (uint32_t)sizeof(*record) + 8 + items.bytes;
	turn = claw_turn_begin();
	if (turn == CLAW_TURN_NONE) {
		claw_journal_add_damaged();
		return;
	}
	record = claw_ring_claim(turn, bytes, &position);
	claw_record_fill(record, claw_trace_ticks(), 0, 1, items.count);
	record->end_ticks = record->ticks;
	record->handle = handle;
	record->result = result;
	record->flags = CLAW_REC_ASYNC;
	memcpy(record + 1, &handle, sizeof(handle));
	claw_items_write(&items, (unsigned char *)(record + 1) + 8);
	claw_ring_show(record, UINT16_MAX, bytes, 1, CLAW_TRACE_DONE);
	claw_turn_end(turn);
	if (trigger)
		claw_trace_pull(position);
}

void claw_trace_told(cl_event event, cl_int status)
{
	uint64_t hash = (claw_number(event) ^ (uint64_t)(uint32_t)status << 40) *
		UINT64_C(0x9e3779b97f4a7c15);

	if (!claw_trace_is_on() || status >= 0 ||
	    is_known(seen.told, TOLD, hash | 1))
		return;
	record_asynchronous(claw_number(event), status, NULL, true);
}

/* Hints of a driver about what is slow are none. */
static bool tells_failure(const char *text)
{
	static const char *const words[] = {
		"CL_OUT_OF_RESOURCES", "CL_DEVICE_NOT_AVAILABLE",
		"CL_INVALID_COMMAND_QUEUE", "Unknown", "fault", "Fault",
		"lost", "error", "Error", "ERROR",
	};

	for (size_t i = 0; text && i < sizeof(words) / sizeof(*words); i++)
		if (strstr(text, words[i]))
			return true;
	return false;
}

void claw_trace_context_told(cl_context context, const char *text)
{
	if (claw_trace_is_on())
		record_asynchronous(claw_number(context), 0, text,
					tells_failure(text));
}

/* ---- after a success */

/* The handle whose slot keeps this call; *ret_object its type. */
static uint64_t owner_of(const struct claw_call *call,
			 const struct claw_trace_shape *shape,
			 enum claw_obj *ret_object)
{
	switch ((enum claw_trace_owner)shape->owner) {
	case CLAW_OWNER_MADE:
		*ret_object = claw_api_table[call->api].object;
		return claw_number(call->ret);
	case CLAW_OWNER_PROGRAM:
		*ret_object = CLAW_OBJ_PROGRAM;
		return claw_number(claw_arg_pointer(call, CLAW_P_PROGRAM));
	case CLAW_OWNER_KERNEL:
		*ret_object = CLAW_OBJ_KERNEL;
		return claw_number(CLAW_ARG(call, clSetKernelExecInfo, kernel));
	case CLAW_OWNER_COMMAND_BUFFER:
		*ret_object = CLAW_OBJ_COMMAND_BUFFER;
		return claw_number(claw_arg_pointer(call,
						    CLAW_P_COMMAND_BUFFER));
	case CLAW_OWNER_NONE:
		break;
	}
	return 0;
}

/* How many handles came out is the last parameter's to say, where the program
 * asked; the ledger asks in its place, and of devices we do. */
static uint32_t made_count(const struct claw_call *call, uint32_t room)
{
	unsigned int last = claw_api_table[call->api].param_count - 1u;
	const cl_uint *asked = CLAW_ARG_AT(call, cl_uint *, last);
	cl_uint count = asked ? *asked : room;

	if (!asked && gives_devices(call->api)) {
		claw_ours_begin();
		if (call->api == CLAW_API_clGetPlatformIDs)
			claw_next.clGetPlatformIDs(0, NULL, &count);
		else
			claw_next.clGetDeviceIDs(
				CLAW_ARG(call, clGetDeviceIDs, platform),
				CLAW_ARG(call, clGetDeviceIDs, device_type), 0,
				NULL, &count);
		claw_ours_end();
	}
	return count < room ? count : room;
}

/* Handles that came out through the payloads MADE: into the record. Those of a
 * list: *ret_count of them. */
static const uint64_t *take_made(const struct claw_call *call,
				 struct claw_trace_record *record,
				 uint32_t *ret_count)
{
	const struct claw_api_info *info = &claw_api_table[call->api];
	const uint64_t left = claw_ring_left(record);
	struct claw_trace_payload *payload = NULL;
	const uint64_t *made = NULL;

	*ret_count = 0;
	while ((payload = claw_payload_next(record, left, payload))) {
		const void *from;

		/* Where they lie the call says: the record may be another's. */
		if (payload->kind != CLAW_PAYLOAD_MADE ||
		    payload->param >= info->param_count)
			continue;
		from = CLAW_ARG_AT(call, void *, payload->param);
		if (!from)
			continue;
		if (info->roles[payload->param] == CLAW_P_EVENT_OUT) {
			if (payload->bytes == sizeof(void *))
				memcpy(payload + 1, from, sizeof(void *));
			continue;
		}
		made = (const void *)(payload + 1);
		*ret_count = made_count(call, payload->bytes / 8);
		if (*ret_count > claw_ring_left(payload + 1) / 8)
			*ret_count = 0;
		claw_source_copy(payload + 1, from, *ret_count * 8);
	}
	return made;
}

static void keep_made(const struct claw_call *call,
		      const struct claw_trace_record *record,
		      const uint64_t *made, uint32_t count)
{
	enum claw_obj object = CLAW_OBJ_DEVICE;

	if (call->api == CLAW_API_clCreateKernelsInProgram)
		object = CLAW_OBJ_KERNEL;
	else if (call->api == CLAW_API_clGetPlatformIDs)
		object = CLAW_OBJ_PLATFORM;
	if (gives_devices(call->api) && count)
		count = 1;		/* one slot has them all */
	for (uint32_t i = 0; made && i < count; i++)
		claw_slots_add(made[i], object, record, call->trace.position);
}

static bool name_is_chosen(cl_kernel kernel)
{
	const struct claw_trace_config *config = &claw_own_trace.config;
	char name[CLAW_RULE_WORD_MAX];
	cl_int err;

	if (config->buffers != CLAW_CAPTURE_LAUNCH || !*config->kernel)
		return true;
	claw_ours_begin();
	err = claw_next.clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME,
					sizeof(name), name, NULL);
	claw_ours_end();
	return !err && claw_glob_match(config->kernel, name);
}

static void new_kernel(uint64_t kernel, uint64_t source)
{
	bool chosen = name_is_chosen((cl_kernel)(uintptr_t)kernel);
	enum claw_turn turn = claw_trace_enter();

	if (turn == CLAW_TURN_NONE)
		return;
	if (source)
		claw_args_copy(source, kernel);
	else
		claw_args_new(kernel, chosen);
	claw_trace_leave(turn);
}

static void new_kernels(const struct claw_call *call)
{
	const cl_kernel *kernels =
		CLAW_ARG(call, clCreateKernelsInProgram, kernels);
	uint32_t count = made_count(
		call, CLAW_ARG(call, clCreateKernelsInProgram, num_kernels));

	for (uint32_t i = 0; kernels && i < count; i++)
		new_kernel(claw_number(kernels[i]), 0);
}

static void set_arg(const struct claw_call *call)
{
	bool is_value = call->api == CLAW_API_clSetKernelArg;
	const void *pointer =
		is_value ? CLAW_ARG(call, clSetKernelArg, arg_value) :
			   CLAW_ARG_PLACE(call, clSetKernelArgSVMPointer,
					  arg_value);
	uint64_t size = is_value ? CLAW_ARG(call, clSetKernelArg, arg_size) :
				   sizeof(void *);
	enum claw_turn turn = claw_trace_enter();

	if (turn == CLAW_TURN_NONE)
		return;
	claw_args_set(claw_number(CLAW_ARG(call, clSetKernelArg, kernel)),
		      CLAW_ARG(call, clSetKernelArg, arg_index), size, pointer,
		      !is_value ? CLAW_PAYLOAD_IS_SVM :
		      pointer ? 0 : CLAW_PAYLOAD_IS_LOCAL);
	claw_trace_leave(turn);
}

static void note_success(struct claw_call *call,
			 const struct claw_trace_shape *shape,
			 struct claw_trace_record *record)
{
	enum claw_obj object = CLAW_OBJ_NONE;
	uint64_t owner;

	switch (call->api) {
	case CLAW_API_clSetKernelArg:
	case CLAW_API_clSetKernelArgSVMPointer:
	case CLAW_API_clSetKernelArgMemPointerINTEL:
		set_arg(call);
		return;
	case CLAW_API_clCreateKernelsInProgram:
		new_kernels(call);
		break;
	case CLAW_API_clCreateKernel:
		new_kernel(claw_number(call->ret), 0);
		break;
	case CLAW_API_clCloneKernel:
		new_kernel(claw_number(call->ret),
			   claw_number(CLAW_ARG(call, clCloneKernel,
						source_kernel)));
		break;
	default:
		break;
	}
	owner = owner_of(call, shape, &object);
	if (owner && record)
		claw_slots_add(owner, object, record, call->trace.position);
	if (shape->fills)
		claw_data_done(call, call->trace.position, record);
	if (call->api == CLAW_API_clSetUserEventStatus) {
		enum claw_turn turn = claw_trace_enter();

		if (turn == CLAW_TURN_NONE)
			return;
		claw_slots_gate_set(claw_number(
			CLAW_ARG(call, clSetUserEventStatus, event)));
		claw_trace_leave(turn);
	}
}

/* ---- the end of a call */

static inline void finish(const struct claw_call *call,
			  const struct claw_trace_shape *shape,
			  struct claw_trace_record *record)
{
	record->handle = claw_number(call->ret);
	record->result = call->err;
	record->site = call->site;
	record->flags = call->flags;
	record->rule = call->rule;
	record->fault = call->fault;
	record->end_ticks = shape->clock == CLAW_CLOCK_READ ?
		claw_trace_ticks() : shape->clock == CLAW_CLOCK_STEP ?
		claw_trace_step() : record->ticks;
	claw_ring_set_state(record, CLAW_TRACE_DONE);
}

static bool failed(const struct claw_call *call)
{
	return call->err ||
	       (claw_api_table[call->api].fails_as != CLAW_STATUS &&
		claw_api_table[call->api].fails_as != CLAW_VOID && !call->ret);
}

static inline void end_record(struct claw_call *call,
			      const struct claw_trace_shape *shape)
{
	struct claw_trace_record *record = call->trace.record;
	const uint64_t *made = NULL;
	uint32_t count = 0;
	bool lost = !claw_ring_is_at(record, call->trace.position);

	if (__builtin_expect(call->err && !call->site, 0))
		call->site = claw_site_cached();

	/* A failure is not to be forgotten because it took long. */
	if (__builtin_expect(lost && call->err, 0)) {
		record_call(call, shape);
		record = call->trace.record;
		lost = false;
	}
	if (shape->makes && shape->noted && !lost && !failed(call))
		made = take_made(call, record, &count);
	if (!lost) {
		finish(call, shape, record);
		claw_ring_check_end(call->trace.position);
	}
	if (__builtin_expect(call->err && is_trigger(call), 0))
		claw_trace_pull(call->trace.position);
	if (shape->noted && !failed(call)) {
		if (made)
			keep_made(call, record, made, count);
		if (!call->injected || call->held || call->guarded)
			note_success(call, shape, lost ? NULL : record);
	}
}

/* A query that failed, or gave out devices; an event that ended badly. */
static void look_at_answer(struct claw_call *call)
{
	const struct claw_trace_shape *shape;
	const uint64_t *made = NULL;
	const cl_int *status;
	uint32_t count = 0;

	if (call->api == CLAW_API_clGetEventInfo && !call->err) {
		status = CLAW_ARG(call, clGetEventInfo, param_value);
		if (CLAW_ARG(call, clGetEventInfo, param_name) ==
		    CL_EVENT_COMMAND_EXECUTION_STATUS && status && *status < 0)
			claw_trace_told(CLAW_ARG(call, clGetEventInfo, event),
					*status);
		return;
	}
	if (!call->err && !gives_devices(call->api))
		return;
	shape = claw_shape_of(call->api);
	if (is_asked_again(call, shape))
		return;
	if (call->err && !call->site)
		call->site = claw_site_cached();
	record_call(call, shape);
	if (!call->trace.record)
		return;
	if (!call->err)
		made = take_made(call, call->trace.record, &count);
	finish(call, shape, call->trace.record);
	keep_made(call, call->trace.record, made, count);
}

void claw_trace_after(struct claw_call *call)
{
	const struct claw_trace_shape *shape = claw_shape_of(call->api);

	if (call->trace.record)
		end_record(call, shape);
	else if (shape->interest == CLAW_TRACE_RESULTS)
		look_at_answer(call);
	if (__builtin_expect(shape->told, 0))
		claw_notify_end(call);
}

/* ---- the wrappers' own way */

bool claw_trace_begin_call(struct claw_call *call)
{
	const struct claw_trace_shape *shape = claw_shape_of(call->api);
	cl_int **errcode;

	if (claw_ours_is_on())
		return false;
	claw_trace_before(call);
	if (shape->errcode < 0)
		return true;
	errcode = (cl_int **)call->args[shape->errcode];
	if (!*errcode)
		*errcode = &call->err;
	return true;
}

void claw_trace_end_call(struct claw_call *call)
{
	const struct claw_trace_shape *shape = claw_shape_of(call->api);

	if (shape->errcode >= 0)
		call->err = call->ret ? CL_SUCCESS :
			*CLAW_ARG_AT(call, cl_int *, shape->errcode);
	else if (claw_api_table[call->api].fails_as == CLAW_POINTER)
		call->err = CL_SUCCESS;	/* it tells no code */
	claw_trace_after(call);
}

void claw_trace_answered(enum claw_api api, const void *const *args,
			 cl_int err)
{
	struct claw_call call;

	if (claw_ours_is_on() ||
	    (!err && api == CLAW_API_clGetEventInfo &&
	     CLAW_ARG_IN(args, clGetEventInfo, param_name) !=
	     CL_EVENT_COMMAND_EXECUTION_STATUS))
		return;
	claw_call_begin(&call, api, args);
	call.err = err;
	call.ordinal = claw_journal_ordinal(api);
	look_at_answer(&call);
}

/* ---- the ledger */

static bool has_slot(const struct claw_ledger_entry *entry)
{
	return entry->object != CLAW_OBJ_MAPPING &&
	       !(entry->flags & CLAW_LEDGER_IMPLICIT);
}

static void gone(enum claw_turn turn, const struct claw_ledger_entry *entry)
{
	if (!has_slot(entry) || !claw_lock(turn, &claw_own_trace.lock))
		return;
	claw_slots_gone(entry->handle, (enum claw_obj)entry->object);
	if (entry->object == CLAW_OBJ_KERNEL)
		claw_args_gone(entry->handle);
	if (entry->object == CLAW_OBJ_MEM || entry->object == CLAW_OBJ_SVM)
		claw_ranges_gone(entry->handle,
				 entry->object == CLAW_OBJ_MEM);
	claw_unlock(turn, &claw_own_trace.lock);
}

static void back(enum claw_turn turn, const struct claw_ledger_entry *entry)
{
	if (!has_slot(entry) || !claw_lock(turn, &claw_own_trace.lock))
		return;
	claw_slots_back(entry->handle, (enum claw_obj)entry->object);
	claw_unlock(turn, &claw_own_trace.lock);
}

/* ---- the process */

static void make_salt(uint64_t *salt)
{
	int fd = open("/dev/urandom", O_RDONLY | O_CLOEXEC);

	salt[0] = claw_journal_ticks();
	salt[1] = claw_now_ns() ^ (uint64_t)getpid() << 32;
	if (fd < 0)
		return;
	if (read(fd, salt, 2 * sizeof(*salt)) < 0)
		salt[0] ^= salt[1];
	close(fd);
}

static bool begin(void)
{
	static char trace[PATH_MAX], contents[PATH_MAX];
	struct claw_trace_header *header;

	if (!claw_journal_sibling("trace.", trace, sizeof(trace)) ||
	    !claw_journal_sibling("contents.", contents, sizeof(contents)) ||
	    !claw_ring_begin(trace))
		return false;
	if (!claw_contents_begin(contents) || !claw_slots_begin() ||
	    !claw_args_begin() || !claw_bases_begin() ||
	    !claw_ranges_begin()) {
		unlink(trace);
		unlink(contents);
		claw_ring_end();
		return false;
	}
	make_salt(claw_own_trace.salt);
	header = claw_own_trace.header;
	__atomic_thread_fence(__ATOMIC_RELEASE);
	memcpy(header->magic, CLAW_TRACE_MAGIC, sizeof(header->magic));
	return true;
}

void claw_trace_begin(const struct claw_trace_config *config)
{
	static const struct claw_ledger_observer observer = {
		.restored = back, .died = gone,
	};
	struct claw_trace_config copy = *config;
	int err = errno;

	claw_trace_on = false;
	claw_contents_end();
	claw_ring_end();		/* a parent's: not ours to write */
	memset(&claw_own_trace, 0, sizeof(claw_own_trace));
	memset(&seen, 0, sizeof(seen));
	claw_own_trace.config = copy;
	claw_own_trace.short_launches =
		copy.buffers <= CLAW_CAPTURE_HASH && !copy.redact;
	claw_trace_redacts = copy.redact;
	if (copy.buffers == CLAW_CAPTURE_OFF)
		return;
	claw_shapes_begin();
	claw_notify_begin();
	claw_call_events_tell(fired);
	if (claw_ledger_is_on() && begin()) {
		claw_trace_on = true;
		claw_ledger_observe(&observer);
	} else {
		claw_say("no space for the trace: nothing is captured");
	}
	errno = err;
}
