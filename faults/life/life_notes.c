/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What calls tell of handles: which creations failed, which handles are given
 * out again by the driver or will be by a callback, what has to end promptly,
 * and when nothing may be held back any longer.
 */
#include "config.h"

#include "life_private.h"

#include "hold_back.h"
#include "kept.h"

static struct failure {
	uint32_t lock;
	bool known;
	struct claw_found_place place;
	cl_int code;
} failures[CLAW_OBJ_COUNT];

void claw_life_notes_begin(void)
{
	for (unsigned int i = 0; i < CLAW_OBJ_COUNT; i++)
		failures[i] = (struct failure){ .lock = 0 };
	claw_life_waits_begin();
}

/* ---- failed creations. The latest one will do, so nobody waits. */

static bool try_lock(struct failure *failure)
{
	return !__atomic_exchange_n(&failure->lock, 1, __ATOMIC_ACQUIRE);
}

static void unlock(struct failure *failure)
{
	__atomic_store_n(&failure->lock, 0, __ATOMIC_RELEASE);
}

static void note_failure(const struct claw_call *call, enum claw_obj object)
{
	struct failure *failure = &failures[object];
	struct claw_found_place place = claw_found_here(call->api, object);

	if (!try_lock(failure))
		return;
	failure->place = place;
	failure->code = call->err;
	__atomic_store_n(&failure->known, true, __ATOMIC_RELAXED);
	unlock(failure);
}

bool claw_life_failed(enum claw_obj object, struct claw_found_place *ret_place,
		      cl_int *ret_code)
{
	struct failure *failure = &failures[object];

	if (!__atomic_load_n(&failure->known, __ATOMIC_RELAXED) ||
	    !try_lock(failure))
		return false;
	*ret_place = failure->place;
	*ret_code = failure->code;
	unlock(failure);
	return true;
}

/* ---- before */

static bool allocates(const struct claw_call *call)
{
	return claw_api_table[call->api].groups & CLAW_G_ALLOC;
}

static void *first(const struct claw_call *call)
{
	return CLAW_ARG_FIRST(call);
}

/* With a callback that will be given the handle: it may use it then, whether
 * the program has released it or not. */
static void note_callback(const struct claw_call *call)
{
	switch (call->api) {
	case CLAW_API_clSetEventCallback:
		claw_ledger_mark(CLAW_OBJ_EVENT, first(call),
				 CLAW_LEDGER_NOTIFIED, false);
		break;
	case CLAW_API_clBuildProgram:
	case CLAW_API_clCompileProgram:
		if (claw_arg_pointer(call, CLAW_P_NOTIFY))
			claw_ledger_mark(CLAW_OBJ_PROGRAM, first(call),
					 CLAW_LEDGER_NOTIFIED, false);
		break;
	case CLAW_API_clEnqueueSVMFree:
		if (CLAW_ARG(call, clEnqueueSVMFree, pfn_free_func))
			claw_ledger_mark(CLAW_OBJ_QUEUE, first(call),
					 CLAW_LEDGER_NOTIFIED, false);
		break;
	case CLAW_API_clSetMemObjectDestructorCallback:
		claw_life_make_prompt(CLAW_OBJ_MEM, first(call));
		break;
	case CLAW_API_clSetContextDestructorCallback:
		claw_life_make_prompt(CLAW_OBJ_CONTEXT, first(call));
		break;
	case CLAW_API_clSetProgramReleaseCallback:
		claw_life_make_prompt(CLAW_OBJ_PROGRAM, first(call));
		break;
	default:
		break;
	}
}

void claw_life_note_before(struct claw_call *call)
{
	bool is_build = claw_api_table[call->api].groups & CLAW_G_BUILD;
	bool shows = claw_kept_shows(call);

	note_callback(call);
	/* A driver may count what its other objects keep alive, too; to a
	 * build only kernels matter. */
	if (shows && is_build)
		claw_hold_back_end_keepers();
	else if (shows || (allocates(call) &&
			   claw_hold_back_is_in_way(claw_call_bytes(call))))
		claw_hold_back_end_all();
}

/* ---- after */

/* Which queries give which handles; all have the parameters of
 * clGetContextInfo. */
static const struct gift {
	uint16_t api;
	uint16_t object;
	cl_uint name;
} gifts[] = {
#define GIFT(api_, name_, object_) \
	{ CLAW_API_##api_, CLAW_OBJ_##object_, name_ },
	GIFT(clGetContextInfo, CL_CONTEXT_DEVICES, DEVICE)
	GIFT(clGetDeviceInfo, CL_DEVICE_PARENT_DEVICE, DEVICE)
	GIFT(clGetCommandQueueInfo, CL_QUEUE_CONTEXT, CONTEXT)
	GIFT(clGetCommandQueueInfo, CL_QUEUE_DEVICE, DEVICE)
	GIFT(clGetCommandQueueInfo, 0x1095 /* CL_QUEUE_DEVICE_DEFAULT */, QUEUE)
	GIFT(clGetMemObjectInfo, CL_MEM_CONTEXT, CONTEXT)
	GIFT(clGetMemObjectInfo, CL_MEM_ASSOCIATED_MEMOBJECT, MEM)
	GIFT(clGetImageInfo, CL_IMAGE_BUFFER, MEM)
	GIFT(clGetSamplerInfo, CL_SAMPLER_CONTEXT, CONTEXT)
	GIFT(clGetProgramInfo, CL_PROGRAM_CONTEXT, CONTEXT)
	GIFT(clGetProgramInfo, CL_PROGRAM_DEVICES, DEVICE)
	GIFT(clGetKernelInfo, CL_KERNEL_CONTEXT, CONTEXT)
	GIFT(clGetKernelInfo, CL_KERNEL_PROGRAM, PROGRAM)
	GIFT(clGetEventInfo, CL_EVENT_CONTEXT, CONTEXT)
	GIFT(clGetEventInfo, CL_EVENT_COMMAND_QUEUE, QUEUE)
	GIFT(clGetCommandBufferInfoKHR, 0x1294 /* CL_COMMAND_BUFFER_QUEUES_KHR */,
	     QUEUE)
	GIFT(clGetCommandBufferInfoKHR, 0x1299 /* ..._CONTEXT_KHR */, CONTEXT)
	GIFT(clGetSemaphoreInfoKHR, 0x2039 /* CL_SEMAPHORE_CONTEXT_KHR */,
	     CONTEXT)
#undef GIFT
};

/* Bytes that the driver has written: all that there is room for may be more
 * than the list has. */
static size_t given_bytes(const struct claw_call *call)
{
	const size_t *told =
		CLAW_ARG(call, clGetContextInfo, param_value_size_ret);
	size_t room = CLAW_ARG(call, clGetContextInfo, param_value_size),
	       bytes = sizeof(void *);

	if (told)
		return *told < room ? *told : room;
	claw_ours_begin();
	if (room > bytes && call->api == CLAW_API_clGetContextInfo)
		claw_next.clGetContextInfo(
			CLAW_ARG(call, clGetContextInfo, context),
			CL_CONTEXT_DEVICES, 0, NULL, &bytes);
	else if (room > bytes && call->api == CLAW_API_clGetProgramInfo)
		claw_next.clGetProgramInfo(
			CLAW_ARG(call, clGetProgramInfo, program),
			CL_PROGRAM_DEVICES, 0, NULL, &bytes);
	claw_ours_end();
	return bytes < room ? bytes : room;
}

static void note_gifts(const struct claw_call *call)
{
	for (size_t i = 0; i < sizeof(gifts) / sizeof(*gifts); i++) {
		void *const *values;
		size_t bytes;

		if (gifts[i].api != call->api ||
		    gifts[i].name !=
			    CLAW_ARG(call, clGetContextInfo, param_name))
			continue;
		values = CLAW_ARG(call, clGetContextInfo, param_value);
		bytes = values ? given_bytes(call) : 0;
		for (size_t j = 0; j < bytes / sizeof(*values); j++)
			claw_ledger_mark((enum claw_obj)gifts[i].object,
					 values[j], CLAW_LEDGER_LENT, true);
	}
}

/* Properties: pairs of a key and a value, 0 ends them. */
static bool has_other_properties(const cl_context_properties *list)
{
	for (; list && *list; list += 2)
		if (*list != CL_CONTEXT_PLATFORM &&
		    *list != CL_CONTEXT_INTEROP_USER_SYNC)
			return true;
	return false;
}

/* There may be one such queue only. */
static bool is_on_device(const cl_queue_properties *list)
{
	for (; list && *list; list += 2)
		if (*list == CL_QUEUE_PROPERTIES)
			return list[1] & 4 /* CL_QUEUE_ON_DEVICE */;
	return false;
}

/* Is the new object one of another API's, or one that there are few of? */
static bool is_made_prompt(const struct claw_call *call)
{
	switch (call->api) {
	case CLAW_API_clCreateContext:
	case CLAW_API_clCreateContextFromType:
		return has_other_properties(
			CLAW_ARG(call, clCreateContext, properties));
	case CLAW_API_clCreateCommandQueueWithProperties:
		return is_on_device(CLAW_ARG(
			call, clCreateCommandQueueWithProperties, properties));
	case CLAW_API_clCreateBufferWithProperties:
	case CLAW_API_clCreateImageWithProperties:
		return CLAW_ARG(call, clCreateBufferWithProperties,
				properties) &&
		       *CLAW_ARG(call, clCreateBufferWithProperties,
				 properties);
	case CLAW_API_clCreateFromGLBuffer:
	case CLAW_API_clCreateFromGLTexture2D:
	case CLAW_API_clCreateFromGLTexture3D:
	case CLAW_API_clCreateFromGLTexture:
	case CLAW_API_clCreateFromGLRenderbuffer:
	case CLAW_API_clCreateFromEGLImageKHR:
	case CLAW_API_clCreateEventFromGLsyncKHR:
	case CLAW_API_clCreateEventFromEGLSyncKHR:
		return true;
	default:
		return false;
	}
}

static void note_created(const struct claw_call *call, enum claw_obj object)
{
	struct claw_ledger_entry entry;

	claw_graves_remove(object, call->ret);
	if (is_made_prompt(call))
		claw_life_make_prompt(object, call->ret);
	if (call->api == CLAW_API_clLinkProgram &&
	    claw_arg_pointer(call, CLAW_P_NOTIFY))
		claw_ledger_mark(object, call->ret, CLAW_LEDGER_NOTIFIED,
				 false);
	if (object == CLAW_OBJ_CONTEXT)
		claw_hold_back_meet(call->ret);
	if (object == CLAW_OBJ_MEM &&
	    claw_ledger_copy(object, call->ret, &entry) &&
	    !(entry.flags & (CLAW_LEDGER_SUB | CLAW_LEDGER_HOST_PTR)))
		claw_hold_back_gain(entry.bytes);
}

static void note_list(const struct claw_call *call, enum claw_obj object)
{
	unsigned int last = claw_api_table[call->api].param_count - 1u;
	void *const *list = CLAW_ARG_AT(call, void **, last - 1);
	cl_uint room = CLAW_ARG_AT(call, cl_uint, last - 2);
	const cl_uint *count = CLAW_ARG_AT(call, cl_uint *, last);

	for (cl_uint i = 0; list && count && i < *count && i < room; i++)
		claw_graves_remove(object, list[i]);
}

static void note_success(const struct claw_call *call)
{
	const struct claw_api_info *info = &claw_api_table[call->api];
	cl_event *const *event = claw_arg_address(call, CLAW_P_EVENT_OUT);

	if (info->effect == CLAW_CREATES && call->ret)
		note_created(call, info->object);
	if (event && *event && **event)
		claw_graves_remove(CLAW_OBJ_EVENT, **event);
	switch (call->api) {
	case CLAW_API_clEnqueueMapBuffer:
	case CLAW_API_clEnqueueMapImage:
		claw_graves_remove(CLAW_OBJ_MAPPING, call->ret);
		break;
	case CLAW_API_clCreateKernelsInProgram:
		note_list(call, CLAW_OBJ_KERNEL);
		break;
	case CLAW_API_clCreateSubDevices:
	case CLAW_API_clCreateSubDevicesEXT:
		note_list(call, CLAW_OBJ_DEVICE);
		break;
	default:
		if (info->groups & CLAW_G_QUERY && info->param_count == 5)
			note_gifts(call);
		break;
	}
}

static bool is_lack(cl_int err)
{
	return err == CL_MEM_OBJECT_ALLOCATION_FAILURE ||
	       err == CL_OUT_OF_RESOURCES || err == CL_OUT_OF_HOST_MEMORY;
}

/* A creation or a command that is refused has done nothing; a build may have
 * called the program back, and a blocking command may have begun. */
static bool may_be_made_again(const struct claw_call *call)
{
	const struct claw_api_info *info = &claw_api_table[call->api];

	return info->groups & (CLAW_G_CREATE | CLAW_G_ENQUEUE) &&
	       !(info->groups & CLAW_G_BUILD) && !claw_call_is_blocking(call);
}

bool claw_life_again(struct claw_call *call)
{
	bool lacks = is_lack(call->err) ||
		     claw_api_table[call->api].fails_as == CLAW_POINTER;

	return lacks && claw_hold_back_make_room() && may_be_made_again(call);
}

void claw_life_note_after(struct claw_call *call)
{
	const struct claw_api_info *info = &claw_api_table[call->api];

	if (!call->err) {
		note_success(call);
		return;
	}
	if (info->fails_as == CLAW_HANDLE)
		note_failure(call, info->object);
	else if (claw_arg_pointer(call, CLAW_P_EVENT_OUT))
		note_failure(call, CLAW_OBJ_EVENT);
}
