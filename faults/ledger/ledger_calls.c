/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a call does to the ledger's objects, by what api.def says of its
 * function and by the roles of its parameters. The few that make or end
 * objects in a way that no column tells are named in find_kind().
 */
#include "config.h"

#include "ledger.h"

#include <string.h>

#include "ledger_private.h"

/* What a function does, but for the event that it may give out. */
enum kind {
	NOTHING,		/* of interest here */
	CREATE,
	RETAIN,
	RELEASE,
	FREE,			/* of shared memory, by a pointer */
	FREE_LIST,
	MAP,
	UNMAP,
	CREATE_LIST,
	SET_ARG,
};

/* Where a new object's parent is found. */
enum parent_kind {
	PLAIN,			/* parameter number parent */
	PART,			/* the same, and it is a part of it */
	IMAGE,			/* it may be a part of one in its description */
	OF_DEVICES,
	CLONE,
	OF_QUEUES,
};

static struct shape {
	uint8_t kind, parent_kind, object;
	int8_t parent, flags, size, event_out, queue, kernel;	/* -1: none */
	bool has_bytes, known;
} shapes[CLAW_API_COUNT];

/* The long way's; a call within a call that fails is beyond us. */
static __thread struct claw_ledger_entry ended
	__attribute__((tls_model(CLAW_TLS_MODEL)));

static enum kind find_kind(enum claw_api api)
{
	const struct claw_api_info *info = &claw_api_table[api];

	switch (api) {
	case CLAW_API_clEnqueueSVMFree:
		return FREE_LIST;
	case CLAW_API_clEnqueueMapBuffer:
	case CLAW_API_clEnqueueMapImage:
		return MAP;
	case CLAW_API_clEnqueueUnmapMemObject:
		return UNMAP;
	case CLAW_API_clCreateSubDevices:
	case CLAW_API_clCreateSubDevicesEXT:
	case CLAW_API_clCreateKernelsInProgram:
		return CREATE_LIST;
	case CLAW_API_clSetKernelArg:
		return SET_ARG;
	default:
		break;
	}
	switch (info->effect) {
	case CLAW_CREATES:
		return CREATE;
	case CLAW_RETAINS:
		return RETAIN;
	case CLAW_RELEASES:
		return info->object == CLAW_OBJ_SVM ? FREE : RELEASE;
	case CLAW_NOTHING:
		break;
	}
	return NOTHING;
}

static int8_t find_role(enum claw_api api, enum claw_role role)
{
	return (int8_t)claw_api_find_param(api, role);
}

/* What a new object keeps alive: the narrowest of what it is made from. */
static int8_t find_parent(enum claw_api api)
{
	static const enum claw_role roles[] = {
		CLAW_P_MEM, CLAW_P_PROGRAM, CLAW_P_CONTEXT,
	};
	int8_t found = -1;

	for (size_t i = 0; i < sizeof(roles) / sizeof(*roles) && found < 0; i++)
		found = find_role(api, roles[i]);
	return found;
}

static enum parent_kind find_parent_kind(enum claw_api api)
{
	if (claw_api_makes_part(api))
		return PART;
	if (claw_api_makes_image(api))
		return IMAGE;
	switch (api) {
	case CLAW_API_clCreateContext:
		return OF_DEVICES;
	case CLAW_API_clCloneKernel:
		return CLONE;
	case CLAW_API_clCreateCommandBufferKHR:
	case CLAW_API_clRemapCommandBufferKHR:
		return OF_QUEUES;
	default:
		return PLAIN;
	}
}

static __attribute__((noinline)) void learn(enum claw_api api)
{
	struct shape *shape = &shapes[api];
	enum claw_obj object = claw_api_table[api].object;

	shape->kind = (uint8_t)find_kind(api);
	shape->object = (uint8_t)object;
	shape->parent_kind = (uint8_t)find_parent_kind(api);
	shape->has_bytes = object == CLAW_OBJ_MEM || object == CLAW_OBJ_SVM;
	shape->parent = find_parent(api);
	shape->flags = find_role(api, CLAW_P_FLAGS);
	shape->size = find_role(api, CLAW_P_SIZE);
	shape->event_out = find_role(api, CLAW_P_EVENT_OUT);
	shape->queue = find_role(api, CLAW_P_QUEUE);
	shape->kernel = find_role(api, CLAW_P_KERNEL);
	__atomic_store_n(&shape->known, true, __ATOMIC_RELEASE);
}

static inline const struct shape *shape_of(enum claw_api api)
{
	if (__builtin_expect(!shapes[api].known, 0))
		learn(api);
	return &shapes[api];
}

enum claw_ledger_interest claw_ledger_interest(enum claw_api api)
{
	const struct shape *shape = shape_of(api);

	return shape->kind != NOTHING ? CLAW_LEDGER_OBJECTS :
		shape->event_out >= 0 ? CLAW_LEDGER_EVENT_OUT :
		CLAW_LEDGER_NOTHING;
}

/* ---- before */

/* Shared memory's pointer is the last parameter; NULL frees nothing. */
static const void *freed_pointer(const struct claw_call *call)
{
	return CLAW_ARG_AT(call, void *,
		   claw_api_table[call->api].param_count - 1);
}

/* How many objects a list got is something that a program need not ask. */
static void lend_count(struct claw_call *call)
{
	unsigned int last = claw_api_table[call->api].param_count - 1u;
	cl_uint **count = (cl_uint **)call->args[last];

	if (!*count)
		*count = &call->made_count;
}

void claw_ledger_before(struct claw_call *call)
{
	void *const *list;
	cl_uint count;

	switch ((enum kind)shape_of(call->api)->kind) {
	case RELEASE:
		call->ledger.release = (uint8_t)claw_ledger_releasing(
			claw_api_table[call->api].object,
			CLAW_ARG_FIRST(call), &ended);
		break;
	case FREE:
		call->ledger.release = (uint8_t)claw_ledger_releasing(
			CLAW_OBJ_SVM, freed_pointer(call), &ended);
		break;
	case FREE_LIST:
		count = claw_call_freed(call, &list);
		for (cl_uint i = 0; i < count; i++)
			claw_ledger_freeing(CLAW_OBJ_SVM, list[i]);
		break;
	case UNMAP:
		call->ledger.release = (uint8_t)claw_ledger_releasing(
			CLAW_OBJ_MAPPING,
			CLAW_ARG(call, clEnqueueUnmapMemObject, mapped_ptr),
			&ended);
		break;
	case CREATE_LIST:
		lend_count(call);
		break;
	case NOTHING: case CREATE: case RETAIN: case MAP: case SET_ARG:
		break;
	}
}

const struct claw_ledger_entry *claw_ledger_last(const struct claw_call *call)
{
	switch ((enum kind)shape_of(call->api)->kind) {
	case RELEASE: case FREE: case UNMAP:
		return call->ledger.release == CLAW_LEDGER_KNOWN &&
		       ended.serial ? &ended : NULL;
	default:
		return NULL;
	}
}

/* ---- after */

/* A memory object that an image is made on, or NULL. */
static const void *image_parent(const struct claw_call *call)
{
	const cl_image_desc *desc = claw_arg_pointer(call, CLAW_P_IMAGE_DESC);

	return desc ? desc->mem_object : NULL;
}

/* The first queue of a list that may be left out; else what the command
 * buffer is on. */
static const void *queue_in_list(const struct claw_call *call)
{
	const void *buffer = claw_arg_pointer(call, CLAW_P_COMMAND_BUFFER);
	void *const *queues;
	bool known;

	if (claw_arg_list(call, CLAW_P_QUEUES, &queues))
		return queues[0];
	return buffer ? claw_ledger_parent(CLAW_OBJ_COMMAND_BUFFER, buffer,
					   &known) : NULL;
}

static __attribute__((noinline)) void
find_special_parent(const struct claw_call *call, const struct shape *shape,
		    struct claw_ledger_new *made)
{
	const void *parent;
	void *const *devices;
	bool known = false;

	switch ((enum parent_kind)shape->parent_kind) {
	case OF_DEVICES:
		/* Of devices, only parts are objects. */
		if (claw_arg_list(call, CLAW_P_DEVICES, &devices))
			claw_ledger_parent(CLAW_OBJ_DEVICE, devices[0], &known);
		made->parent = known ? devices[0] : NULL;
		break;
	case CLONE:
		made->kernel = CLAW_ARG(call, clCloneKernel, source_kernel);
		made->parent = claw_ledger_parent(CLAW_OBJ_KERNEL, made->kernel,
						  &known);
		break;
	case OF_QUEUES:
		made->parent = queue_in_list(call);
		break;
	case IMAGE:
		parent = image_parent(call);
		if (parent)
			made->flags |= CLAW_LEDGER_SUB;
		made->parent = parent ? parent :
			CLAW_ARG_AT(call, void *, shape->parent);
		break;
	case PART:
		made->flags |= CLAW_LEDGER_SUB;
		made->parent = CLAW_ARG_AT(call, void *, shape->parent);
		break;
	case PLAIN:
		break;
	}
}

/* Of a memory object or of shared memory. */
static void find_bytes(const struct claw_call *call, const struct shape *shape,
		       struct claw_ledger_new *made)
{
	if (shape->flags >= 0)
		made->mem_flags = CLAW_ARG_AT(call, cl_mem_flags, shape->flags);
	if (made->object == CLAW_OBJ_MEM &&
	    made->mem_flags & CL_MEM_USE_HOST_PTR)
		made->flags |= CLAW_LEDGER_HOST_PTR;
	if (shape->size >= 0)
		made->bytes = CLAW_ARG_AT(call, size_t, shape->size);
	else
		made->bytes = claw_call_bytes(call);
}

/* ---- what tells one kernel or program from another */

enum { IDENTITY_BYTES_MAX = 1 << 20 };

static uint64_t mix_text(uint64_t hash, const char *text, size_t length)
{
	for (size_t i = 0; i < length && text[i]; i++)
		hash = (hash ^ (unsigned char)text[i]) *
			UINT64_C(0x100000001b3);
	return hash;
}

/* Of its name or its source; never 0, and without the model's bits. */
static __attribute__((noinline)) uint64_t
identity_of(const struct claw_call *call)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	if (call->api == CLAW_API_clCreateKernel) {
		hash = mix_text(hash,
				CLAW_ARG(call, clCreateKernel, kernel_name),
				IDENTITY_BYTES_MAX);
	} else if (call->api == CLAW_API_clCreateProgramWithSource) {
		const char *const *texts =
			CLAW_ARG(call, clCreateProgramWithSource, strings);
		const size_t *lengths =
			CLAW_ARG(call, clCreateProgramWithSource, lengths);

		for (cl_uint i = 0;
		     i < CLAW_ARG(call, clCreateProgramWithSource, count); i++)
			hash = mix_text(hash, texts[i], lengths && lengths[i] ?
					lengths[i] : IDENTITY_BYTES_MAX);
	} else {
		return 0;
	}
	return (hash >> 8) | 1;
}

void claw_ledger_create(const struct claw_call *call)
{
	const struct shape *shape = shape_of(call->api);
	struct claw_ledger_new made = {
		.handle = call->ret,
		.api = call->api,
		.object = (enum claw_obj)shape->object,
		.site = call->site,
	};

	if (!call->ret)
		return;
	if (shape->parent_kind != PLAIN)
		find_special_parent(call, shape, &made);
	else if (shape->parent >= 0)
		made.parent = CLAW_ARG_AT(call, void *, shape->parent);
	if (shape->has_bytes)
		find_bytes(call, shape, &made);
	if (made.object == CLAW_OBJ_KERNEL || made.object == CLAW_OBJ_PROGRAM)
		made.mem_flags = identity_of(call);
	if (shape->has_bytes && claw_own_ledger.memory)
		claw_own_ledger.memory->entering(call, &made);
	claw_ledger_created(&made);
}

static uint64_t mapped_bytes(const struct claw_call *call)
{
	const size_t *region, *row, *slice;

	if (call->api == CLAW_API_clEnqueueMapBuffer)
		return CLAW_ARG(call, clEnqueueMapBuffer, size);
	region = CLAW_ARG(call, clEnqueueMapImage, region);
	row = CLAW_ARG(call, clEnqueueMapImage, image_row_pitch);
	slice = CLAW_ARG(call, clEnqueueMapImage, image_slice_pitch);
	if (!region || !row)
		return 0;
	return slice && *slice ? (uint64_t)*slice * region[2] :
		(uint64_t)*row * region[1] * region[2];
}

static void map(const struct claw_call *call)
{
	struct claw_ledger_new made = {
		.handle = call->ret,
		.api = call->api,
		.object = CLAW_OBJ_MAPPING,
		.parent = CLAW_ARG(call, clEnqueueMapBuffer, buffer),
		.bytes = mapped_bytes(call),
		.site = call->site,
	};

	if (call->model.bits)
		claw_own_ledger.memory->entering(call, &made);
	claw_ledger_created(&made);
}

static void create_list(const struct claw_call *call)
{
	unsigned int last = claw_api_table[call->api].param_count - 1u;
	void *const *list = CLAW_ARG_AT(call, void **, last - 1);
	cl_uint room = CLAW_ARG_AT(call, cl_uint, last - 2);
	cl_uint count = *CLAW_ARG_AT(call, cl_uint *, last);
	bool kernels = call->api == CLAW_API_clCreateKernelsInProgram;

	for (cl_uint i = 0; list && i < count && i < room; i++)
		claw_ledger_created(&(struct claw_ledger_new){
			.handle = list[i],
			.api = call->api,
			.object = kernels ? CLAW_OBJ_KERNEL : CLAW_OBJ_DEVICE,
			.parent = CLAW_ARG_FIRST(call),
			.flags = kernels ? 0 : CLAW_LEDGER_SUB,
			/* Each is another kernel of the program. */
			.mem_flags = kernels ? i + 1u : 0,
			.site = call->site,
		});
}

/* The event of a command, if the program asked for it. */
static void create_event(const struct claw_call *call,
			 const struct shape *shape)
{
	const cl_event *event = CLAW_ARG_AT(call, cl_event *, shape->event_out);
	bool launches = claw_api_is_launch(call->api);

	if (!event || !*event)
		return;
	claw_ledger_created(&(struct claw_ledger_new){
		.handle = *event,
		.api = call->api,
		.object = CLAW_OBJ_EVENT,
		.parent = shape->queue >= 0 ?
				  CLAW_ARG_AT(call, void *, shape->queue) :
				  queue_in_list(call),
		.flags = CLAW_LEDGER_IMPLICIT,
		.site = call->site,
		.kernel = launches ? CLAW_ARG_AT(call, void *, shape->kernel) :
				     NULL,
	});
}

static void end_list(const struct claw_call *call)
{
	void *const *list;
	cl_uint count = claw_call_freed(call, &list);

	for (cl_uint i = 0; i < count; i++)
		claw_ledger_freed(CLAW_OBJ_SVM, list[i], !call->err);
}

/* What was taken before is given back. */
static void end_release(const struct claw_call *call, enum claw_obj object,
			const void *handle)
{
	struct claw_ledger_entry before = ended;

	/* A call within this call may have ended another. */
	if (before.handle && before.handle != (uintptr_t)handle)
		before.handle = 0;
	if (call->err && call->ledger.release == CLAW_LEDGER_KNOWN)
		claw_ledger_kept(object, handle, &before);
}

void claw_ledger_after(struct claw_call *call)
{
	const struct shape *shape = shape_of(call->api);
	enum claw_obj object = claw_api_table[call->api].object;

	switch ((enum kind)shape->kind) {
	case RELEASE:
		end_release(call, object, CLAW_ARG_FIRST(call));
		break;
	case FREE:
		end_release(call, object, freed_pointer(call));
		break;
	case FREE_LIST:
		end_list(call);
		break;
	case UNMAP:
		end_release(
			call, CLAW_OBJ_MAPPING,
			CLAW_ARG(call, clEnqueueUnmapMemObject, mapped_ptr));
		break;
	case RETAIN:
		if (!call->err)
			claw_ledger_retained(object, CLAW_ARG_FIRST(call));
		break;
	case CREATE:
		claw_ledger_create(call);
		break;
	case MAP:
		if (call->ret)
			map(call);
		break;
	case CREATE_LIST:
		if (!call->err)
			create_list(call);
		break;
	case SET_ARG:
		if (!call->err)
			claw_ledger_set_arg(
				CLAW_ARG(call, clSetKernelArg, kernel),
				CLAW_ARG(call, clSetKernelArg, arg_index),
				CLAW_ARG(call, clSetKernelArg, arg_size),
				CLAW_ARG(call, clSetKernelArg, arg_value));
		break;
	case NOTHING:
		break;
	}
	if (!call->err && shape->event_out >= 0)
		create_event(call, shape);
}

void claw_ledger_swallowed(const struct claw_call *call)
{
	const struct shape *shape = shape_of(call->api);

	if (!call->err && shape->event_out >= 0)
		create_event(call, shape);
}
