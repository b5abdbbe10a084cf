/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Uses of handles: every parameter that is one, alone or in a list, the
 * arguments of kernels, and what a launch finds in them.
 */
#include "config.h"

#include "life_private.h"

#include <string.h>

#include "hold_back.h"

enum { USES = 6, HOLDS = 128 };

/* What a function does with handles, found out once. */
struct use {
	uint8_t param, role, object;
	bool is_list, null_is_legal;
};
static struct uses {
	bool known;
	uint8_t count;
	struct use uses[USES];
} table[CLAW_API_COUNT];

/* The type of object that a role says; NONE: it is no handle. */
static enum claw_obj object_of(enum claw_role role)
{
	switch (role) {
	case CLAW_P_PLATFORM: return CLAW_OBJ_PLATFORM;
	case CLAW_P_DEVICE: case CLAW_P_OPTIONAL_DEVICE:
	case CLAW_P_DEVICES: return CLAW_OBJ_DEVICE;
	case CLAW_P_CONTEXT: return CLAW_OBJ_CONTEXT;
	case CLAW_P_QUEUE: case CLAW_P_OPTIONAL_QUEUE:
	case CLAW_P_QUEUES: return CLAW_OBJ_QUEUE;
	case CLAW_P_MEM: case CLAW_P_MEMS: return CLAW_OBJ_MEM;
	case CLAW_P_SAMPLER: return CLAW_OBJ_SAMPLER;
	case CLAW_P_PROGRAM: case CLAW_P_PROGRAMS: return CLAW_OBJ_PROGRAM;
	case CLAW_P_KERNEL: return CLAW_OBJ_KERNEL;
	case CLAW_P_EVENT: case CLAW_P_EVENTS:
	case CLAW_P_WAIT_LIST: return CLAW_OBJ_EVENT;
	case CLAW_P_SEMAPHORE:
	case CLAW_P_SEMAPHORES: return CLAW_OBJ_SEMAPHORE;
	case CLAW_P_COMMAND_BUFFER:
	case CLAW_P_COMMAND_BUFFERS: return CLAW_OBJ_COMMAND_BUFFER;
	default: return CLAW_OBJ_NONE;
	}
}

static bool is_list(enum claw_role role)
{
	return role >= CLAW_P_DEVICES && role <= CLAW_P_WAIT_LIST;
}

static bool null_is_legal(enum claw_api api, enum claw_role role)
{
	return role == CLAW_P_PLATFORM || role == CLAW_P_OPTIONAL_DEVICE ||
	       role == CLAW_P_OPTIONAL_QUEUE ||
	       (api == CLAW_API_clEnqueueNativeKernel && role == CLAW_P_MEMS);
}

static __attribute__((noinline)) void learn(enum claw_api api)
{
	const struct claw_api_info *info = &claw_api_table[api];
	struct uses *uses = &table[api];
	uint8_t count = 0;

	for (uint8_t i = 0; i < info->param_count && count < USES; i++) {
		enum claw_role role = (enum claw_role)info->roles[i];
		enum claw_obj object = object_of(role);

		if (object == CLAW_OBJ_NONE)
			continue;
		uses->uses[count++] = (struct use){
			.param = i,
			.role = (uint8_t)role,
			.object = (uint8_t)object,
			.is_list = is_list(role),
			.null_is_legal = null_is_legal(api, role),
		};
	}
	/* What is retained and released is seen to in life_ends.c. */
	uses->count = info->effect == CLAW_RETAINS ||
		      (info->effect == CLAW_RELEASES &&
		       info->object != CLAW_OBJ_SVM) ? 0 : count;
	__atomic_store_n(&uses->known, true, __ATOMIC_RELEASE);
}

/* ---- one handle */

static struct claw_found_entry begin_found(const struct claw_call *call,
					   enum claw_found_kind kind,
					   enum claw_obj object,
					   const void *handle, const char *name)
{
	struct claw_found_entry found = {
		.kind = (uint16_t)kind,
		.at = claw_found_here(call->api, object),
		.second = claw_found_nowhere(),
		.third = claw_found_nowhere(),
		.handle = (uintptr_t)handle,
	};

	claw_life_name(&found, name);
	return found;
}

static const char *param_name(const struct claw_call *call, unsigned int param)
{
	return claw_api_table[call->api].params[param];
}

void claw_life_check_wrong_type(struct claw_call *call, enum claw_obj wanted,
				const struct claw_ledger_entry *is,
				unsigned int param, cl_int code)
{
	struct claw_found_entry found = begin_found(call, CLAW_FOUND_WRONG_TYPE,
		wanted, (const void *)(uintptr_t)is->handle,
		param_name(call, param));

	found.second = claw_found_place(is->site, is->api,
					(enum claw_obj)is->object);
	claw_life_accuse(call, &found, code, CLAW_ANSWER_PROTECTED);
}

static void check_null(struct claw_call *call, enum claw_obj wanted,
		       unsigned int param, cl_int code)
{
	struct claw_found_entry found;
	struct claw_found_place failed;
	cl_int failed_code;

	if (!claw_life_failed(wanted, &failed, &failed_code))
		return;
	found = begin_found(call, CLAW_FOUND_NULL_USED, wanted, NULL,
			    param_name(call, param));
	found.second = failed;
	found.values[0] = (uint32_t)failed_code;
	claw_life_accuse(call, &found, code, CLAW_ANSWER_PROTECTED);
}

/* What the program has no reference to; entry is NULL when the ledger does
 * not have it at all. */
static bool is_released(const void *handle, enum claw_obj wanted,
			const struct claw_ledger_entry *entry,
			struct claw_grave *grave, bool *ret_has_grave)
{
	bool has = claw_graves_find(wanted, handle, grave);

	*ret_has_grave = has;
	if (entry && entry->object == wanted)
		return !(entry->flags & (CLAW_LEDGER_LENT |
					 CLAW_LEDGER_NOTIFIED));
	if (!has || grave->flags & CLAW_LEDGER_NOTIFIED)
		return false;
	/* Its handle may be another object's by now that we do not know. */
	return grave->object == wanted || claw_hold_back_has(grave->ticket);
}

static __attribute__((noinline)) void
check_closely(struct claw_call *call, const void *handle, const struct use *use,
	      const struct claw_ledger_entry *entry)
{
	enum claw_obj wanted = (enum claw_obj)use->object;
	cl_int code = claw_handles_code((enum claw_role)use->role);
	struct claw_found_entry found;
	struct claw_grave grave;
	bool has_grave;

	if (entry && entry->object != wanted && entry->references) {
		claw_life_check_wrong_type(call, wanted, entry, use->param,
					   code);
		return;
	}
	if (!is_released(handle, wanted, entry, &grave, &has_grave))
		return;
	found = begin_found(call, CLAW_FOUND_USE_RELEASED, wanted, handle,
			    param_name(call, use->param));
	claw_life_place(&found, entry, has_grave ? &grave : NULL);
	if (!entry && !claw_life_is_certain(&grave))
		found.sure = CLAW_SURE_LIKELY;
	claw_life_accuse(call, &found, code, CLAW_ANSWER_PROTECTED);
}

static inline void check(struct claw_call *call, const void *handle,
			 const struct use *use)
{
	struct claw_ledger_entry entry;
	bool known;

	if (!handle) {
		if (!use->null_is_legal)
			check_null(call, (enum claw_obj)use->object, use->param,
				   claw_handles_code((enum claw_role)use->role));
		return;
	}
	if (claw_ledger_is_alive((enum claw_obj)use->object, handle, 0))
		return;
	known = claw_ledger_copy((enum claw_obj)use->object, handle, &entry);
	if (known && entry.references && entry.object == use->object)
		return;		/* by now */
	check_closely(call, handle, use, known ? &entry : NULL);
}

static void check_list(struct claw_call *call, const struct use *use)
{
	void *const *list = CLAW_ARG_AT(call, void **, use->param);
	cl_uint count =
		use->param ? CLAW_ARG_AT(call, cl_uint, use->param - 1) : 0;

	for (cl_uint i = 0; list && i < count; i++)
		check(call, list[i], use);
}

/* ---- kernels */

/* Is the argument a number, for certain? A sampler and a queue are private,
 * too, but no numbers. */
static bool is_number(const struct claw_call *call, enum claw_obj object,
		      bool *ret_known)
{
	cl_kernel_arg_address_qualifier where = 0;
	char type[64] = "";
	cl_int err = CL_INVALID_VALUE;

	claw_ours_begin();
	if (claw_next.clGetKernelArgInfo) {
		err = claw_next.clGetKernelArgInfo(
			CLAW_ARG(call, clSetKernelArg, kernel),
			CLAW_ARG(call, clSetKernelArg, arg_index),
			CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof(where), &where,
			NULL);
		if (!err && object != CLAW_OBJ_MEM)
			err = claw_next.clGetKernelArgInfo(
				CLAW_ARG(call, clSetKernelArg, kernel),
				CLAW_ARG(call, clSetKernelArg, arg_index),
				CL_KERNEL_ARG_TYPE_NAME, sizeof(type), type,
				NULL);
	}
	claw_ours_end();
	*ret_known = !err;
	if (err)
		return false;
	if (object == CLAW_OBJ_SAMPLER)
		return strcmp(type, "sampler_t") != 0;
	if (object == CLAW_OBJ_QUEUE)
		return strcmp(type, "queue_t") != 0;
	return where == CL_KERNEL_ARG_ADDRESS_PRIVATE;
}

static cl_int code_of_value(enum claw_obj object)
{
	return object == CLAW_OBJ_SAMPLER ? CL_INVALID_SAMPLER :
	       object == CLAW_OBJ_QUEUE ? CL_INVALID_DEVICE_QUEUE :
	       CL_INVALID_MEM_OBJECT;
}

/* clSetKernelArg: eight bytes may be a handle, or a number that looks like
 * one. */
static void check_value(struct claw_call *call)
{
	const void *value = CLAW_ARG(call, clSetKernelArg, arg_value), *handle;
	struct claw_ledger_entry entry;
	struct claw_found_entry found;
	struct claw_grave grave;
	enum claw_obj object;
	bool known, has_grave, sure;

	if (CLAW_ARG(call, clSetKernelArg, arg_size) != sizeof(handle) ||
	    !value)
		return;
	memcpy(&handle, value, sizeof(handle));
	known = claw_ledger_copy(CLAW_OBJ_MEM, handle, &entry);
	if (known && entry.references)
		return;
	object = known ? (enum claw_obj)entry.object :
		claw_graves_find(CLAW_OBJ_MEM, handle, &grave) ?
		(enum claw_obj)grave.object : CLAW_OBJ_NONE;
	if ((object != CLAW_OBJ_MEM && object != CLAW_OBJ_SAMPLER &&
	     object != CLAW_OBJ_QUEUE) ||
	    !is_released(handle, object, known ? &entry : NULL, &grave,
			 &has_grave) ||
	    is_number(call, object, &sure))
		return;
	found = begin_found(call, CLAW_FOUND_USE_RELEASED, object, handle,
			    param_name(call, 3));
	claw_life_place(&found, known ? &entry : NULL,
			has_grave ? &grave : NULL);
	if (!sure || (!known && !claw_life_is_certain(&grave)))
		found.sure = CLAW_SURE_LIKELY;
	claw_life_accuse(call, &found, code_of_value(object),
			 CLAW_ANSWER_PROTECTED);
}

static void name_kernel(struct claw_found_entry *found, cl_kernel kernel)
{
	char name[256] = "";

	claw_ours_begin();
	if (claw_next.clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME,
				      sizeof(name), name, NULL))
		name[0] = '\0';
	claw_ours_end();
	name[sizeof(name) - 1] = '\0';
	claw_life_name(found, name);
}

/* A kernel does not hold its arguments (clSetKernelArg): a launch with one
 * that the program has released uses what is gone. */
static void check_hold(struct claw_call *call, cl_kernel kernel,
		       const struct claw_ledger_hold *hold)
{
	const void *handle = (const void *)(uintptr_t)hold->handle;
	struct claw_ledger_entry entry;
	struct claw_found_entry found;
	struct claw_grave grave;
	bool known, same, has_grave;

	if (claw_ledger_is_alive(CLAW_OBJ_MEM, handle, hold->serial))
		return;
	known = claw_ledger_copy(CLAW_OBJ_MEM, handle, &entry);
	same = known && entry.serial == hold->serial;

	/* The ledger has it as long as the kernel holds it, or the one that has
	 * its handle now. */
	if (!known ||
	    (same && (entry.references ||
		      entry.flags & (CLAW_LEDGER_LENT | CLAW_LEDGER_NOTIFIED))))
		return;
	has_grave = claw_graves_find(CLAW_OBJ_MEM, handle, &grave) &&
		    grave.serial == hold->serial;
	found = begin_found(call, CLAW_FOUND_USE_RELEASED, CLAW_OBJ_MEM, handle,
			    "");
	claw_life_place(&found, same ? &entry : NULL,
			has_grave ? &grave : NULL);
	found.values[0] = hold->argument + UINT64_C(1);
	name_kernel(&found, kernel);
	claw_life_accuse(call, &found, CL_INVALID_KERNEL_ARGS,
			 CLAW_ANSWER_PROTECTED);
}

static void check_launch(struct claw_call *call)
{
	struct claw_ledger_hold holds[HOLDS];
	cl_kernel kernel = claw_arg_pointer(call, CLAW_P_KERNEL);
	unsigned int count;
	bool all;

	/* A released kernel has been said. */
	if (!kernel || call->injected)
		return;
	count = claw_ledger_holds(CLAW_OBJ_KERNEL, kernel, holds, HOLDS,
				  &all);
	if (!all)
		claw_found_count(CLAW_COUNT_COMMANDS_LOST, 1);
	for (unsigned int i = 0; i < count; i++)
		check_hold(call, kernel, &holds[i]);
}

/* A memory object that an image is made on. */
static void check_image(struct claw_call *call)
{
	const cl_image_desc *desc = claw_arg_pointer(call, CLAW_P_IMAGE_DESC);
	const struct use use = {
		.param = (uint8_t)claw_api_find_param(call->api,
						      CLAW_P_IMAGE_DESC),
		.role = CLAW_P_MEM, .object = CLAW_OBJ_MEM,
	};

	if (desc && desc->mem_object)
		check(call, desc->mem_object, &use);
}

void claw_life_check_uses(struct claw_call *call)
{
	const struct uses *uses = &table[call->api];

	if (__builtin_expect(!__atomic_load_n(&uses->known, __ATOMIC_ACQUIRE),
			     0))
		learn(call->api);
	for (unsigned int i = 0; i < uses->count; i++) {
		const struct use *use = &uses->uses[i];

		if (use->is_list)
			check_list(call, use);
		else
			check(call, CLAW_ARG_AT(call, void *, use->param), use);
	}
	switch (call->api) {
	case CLAW_API_clSetKernelArg:
		check_value(call);
		break;
	case CLAW_API_clEnqueueNDRangeKernel:
	case CLAW_API_clEnqueueTask:
		check_launch(call);
		break;
	default:
		if (claw_api_makes_image(call->api))
			check_image(call);
		break;
	}
}
