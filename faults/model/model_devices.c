/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which devices the program finds. One model is what all of them are shown as;
 * of several, each is one device, and the real ones that are left over are not
 * there. CLW_DEVICE_ID leaves one, with models or without.
 */
#include "config.h"

#include "model.h"

#include <limits.h>
#include <stdlib.h>

enum { MAX_DEVICES = 64 };

static bool is_chosen;
static unsigned int chosen;	/* UINT_MAX: one that there is not */

void claw_device_choose(void)
{
	const char *text = getenv("CLW_DEVICE_ID");
	unsigned long long number;
	char *end;

	is_chosen = text && *text;
	if (!is_chosen)
		return;
	number = strtoull(text, &end, 10);
	chosen = *end || *text < '0' || *text > '9' || number > UINT_MAX ?
		UINT_MAX : (unsigned int)number;
}

bool claw_device_choice_interest(enum claw_api api)
{
	return is_chosen && (api == CLAW_API_clGetDeviceIDs ||
		api == CLAW_API_clCreateContextFromType);
}

cl_device_type claw_model_type(const struct claw_model *model)
{
	switch ((enum claw_model_type)model->type) {
	case CLAW_MODEL_GPU: return CL_DEVICE_TYPE_GPU;
	case CLAW_MODEL_CPU: return CL_DEVICE_TYPE_CPU;
	case CLAW_MODEL_ACCELERATOR: return CL_DEVICE_TYPE_ACCELERATOR;
	case CLAW_MODEL_ANY_TYPE: break;
	}
	return 0;
}

/* ---- one model */

static void ask_type(struct claw_call *call)
{
	/* The parameter is the wrapper's own copy. */
	cl_device_type *type =
		CLAW_ARG_PLACE(call, clGetDeviceIDs, device_type);
	cl_device_type ours = claw_model_type(claw_model_get(0));

	if (!ours || *type == CL_DEVICE_TYPE_ALL ||
	    *type == CL_DEVICE_TYPE_DEFAULT || *type == CL_DEVICE_TYPE_CUSTOM)
		return;
	if (*type & ours)
		*type = CL_DEVICE_TYPE_ALL;
	else if (*type & (CL_DEVICE_TYPE_GPU | CL_DEVICE_TYPE_CPU |
			  CL_DEVICE_TYPE_ACCELERATOR))
		claw_fail(call, CL_DEVICE_NOT_FOUND);
}

/* ---- several, or one that is chosen */

static cl_device_type shown_type(cl_device_id device, unsigned int index)
{
	cl_device_type type = claw_models_are_on() ?
		claw_model_type(claw_model_get(index)) : 0;

	if (!type && claw_next.clGetDeviceInfo(device, CL_DEVICE_TYPE,
					       sizeof(type), &type, NULL))
		type = 0;
	return type;
}

static bool is_shown(unsigned int index)
{
	return (!is_chosen || index == chosen) &&
	       (claw_models_known < 2 || index < claw_models_known);
}

/* Is the chosen one there? What is wrong is said once. */
static void check_choice(void)
{
	static bool said;
	unsigned int count = claw_device_count();
	const char *text = getenv("CLW_DEVICE_ID");

	if (claw_models_known > 1 && count > claw_models_known)
		count = claw_models_known;
	if (chosen < count || __atomic_exchange_n(&said, true, __ATOMIC_RELAXED))
		return;
	claw_say("CLW_DEVICE_ID: expected the number of a device (there %s "
		 "%u), found \"%.80s\": no device is shown",
		 count == 1 ? "is" : "are", count, text ? text : "");
}

/* Devices of the platform that present that type. */
static cl_uint list_shown(cl_platform_id platform, cl_device_type type,
			  cl_device_id *shown)
{
	cl_device_id all[MAX_DEVICES];
	cl_uint count = 0, kept = 0;

	claw_ours_begin();
	/* Drivers need not know a platform of no name. */
	if (!platform)
		claw_next.clGetPlatformIDs(1, &platform, NULL);
	if (claw_next.clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, MAX_DEVICES,
				     all, &count))
		count = 0;
	for (cl_uint i = 0; i < count && i < MAX_DEVICES; i++) {
		int index = claw_device_index(all[i]);
		cl_device_type is;

		if (index < 0 || !is_shown((unsigned int)index))
			continue;
		is = shown_type(all[i], (unsigned int)index);
		if (type == CL_DEVICE_TYPE_ALL || is & type ||
		    (type & CL_DEVICE_TYPE_DEFAULT && !kept))
			shown[kept++] = all[i];
	}
	claw_ours_end();
	if (is_chosen)
		check_choice();
	return kept;
}

/* The program takes it that the driver said so. */
static void answer(struct claw_call *call, cl_int err)
{
	call->injected = call->guarded = true;
	call->err = err;
}

static void list_devices(struct claw_call *call)
{
	cl_uint room = CLAW_ARG(call, clGetDeviceIDs, num_entries), count;
	cl_device_id *out = CLAW_ARG(call, clGetDeviceIDs, devices);
	cl_uint *ret_count = CLAW_ARG(call, clGetDeviceIDs, num_devices);
	cl_device_type type = CLAW_ARG(call, clGetDeviceIDs, device_type);
	cl_device_id shown[MAX_DEVICES];

	/* An error is the driver's to tell. */
	if ((out && !room) || (!out && !ret_count) || !type)
		return;
	count = list_shown(CLAW_ARG(call, clGetDeviceIDs, platform), type,
			   shown);
	for (cl_uint i = 0; out && i < count && i < room; i++)
		out[i] = shown[i];
	if (ret_count)
		*ret_count = count;
	answer(call, count ? CL_SUCCESS : CL_DEVICE_NOT_FOUND);
}

static void create_from_type(struct claw_call *call)
{
	const cl_context_properties *properties =
		CLAW_ARG(call, clCreateContextFromType, properties);
	cl_int *errcode = claw_arg_pointer(call, CLAW_P_ERRCODE);
	void (CL_CALLBACK *notify)(const char *, const void *, size_t, void *);
	cl_platform_id platform = NULL;
	cl_device_id shown[MAX_DEVICES];
	cl_int err = CL_DEVICE_NOT_FOUND;
	cl_uint count;

	for (const cl_context_properties *p = properties; p && *p; p += 2)
		if (*p == CL_CONTEXT_PLATFORM)
			platform = (cl_platform_id)p[1];
	count = list_shown(platform,
			   CLAW_ARG(call, clCreateContextFromType, device_type),
			   shown);
	notify = CLAW_ARG(call, clCreateContextFromType, pfn_notify);
	claw_ours_begin();
	if (count)
		call->ret = claw_next.clCreateContext(
			properties, count, shown, notify,
			CLAW_ARG(call, clCreateContextFromType, user_data),
			&err);
	claw_ours_end();
	answer(call, err);
	if (errcode)
		*errcode = err;
}

void claw_model_ask_devices(struct claw_call *call)
{
	if (claw_models_known == 1 && !is_chosen)
		ask_type(call);
	else if (call->api == CLAW_API_clGetDeviceIDs)
		list_devices(call);
	else
		create_from_type(call);
}
