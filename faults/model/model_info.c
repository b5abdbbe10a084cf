/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the program sees of a device: the model's words and numbers in place of
 * the real ones. A limit is the lower of the two, because what the real device
 * cannot do nobody can.
 */
#include "config.h"

#include "model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of CL/cl_ext.h, which not every installation has. */
#define GLOBAL_FREE_MEMORY_AMD 0x4039

/* The width of a query's value, and how the model's joins the real one. */
enum form { TEXT, NUMBERED, UINT, UINT_LIMIT, SIZE_LIMIT, ULONG_LIMIT };

#define AT(field_) offsetof(struct claw_model, field_)

static const struct field {
	cl_uint query;
	enum form form;
	size_t offset;
} device_fields[] = {
	{ CL_DEVICE_NAME, TEXT, AT(name) },
	{ CL_DEVICE_VENDOR, TEXT, AT(vendor) },
	{ CL_DEVICE_VENDOR_ID, UINT, AT(vendor_id) },
	{ CL_DEVICE_VERSION, NUMBERED, AT(version) },
	{ CL_DEVICE_OPENCL_C_VERSION, NUMBERED, AT(c_version) },
	{ CL_DRIVER_VERSION, TEXT, AT(driver_version) },
	{ CL_DEVICE_MAX_COMPUTE_UNITS, UINT, AT(compute_units) },
	{ CL_DEVICE_MAX_CLOCK_FREQUENCY, UINT, AT(clock_mhz) },
	{ CL_DEVICE_MAX_WORK_GROUP_SIZE, SIZE_LIMIT, AT(work_group_size) },
	{ CL_DEVICE_LOCAL_MEM_SIZE, ULONG_LIMIT, AT(local_memory) },
	{ CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE, ULONG_LIMIT,
	  AT(constant_memory) },
};

static const struct field platform_fields[] = {
	{ CL_PLATFORM_NAME, TEXT, AT(platform_name) },
	{ CL_PLATFORM_VENDOR, TEXT, AT(platform_vendor) },
	{ CL_PLATFORM_VERSION, NUMBERED, AT(platform_version) },
};

void claw_model_answer(struct claw_call *call, unsigned int first_param,
		       const void *value, size_t size)
{
	size_t room = CLAW_ARG_AT(call, size_t, first_param);
	void *out = CLAW_ARG_AT(call, void *, first_param + 1);
	size_t *size_out = CLAW_ARG_AT(call, size_t *, first_param + 2);

	call->err = out && room < size ? CL_INVALID_VALUE : CL_SUCCESS;
	if (call->err)
		return;
	if (out)
		memcpy(out, value, size);
	if (size_out)
		*size_out = size;
}

/* ---- texts */

/* The part of a version that says its number: "OpenCL C 1.2", or 0 bytes. */
static size_t number_end(const char *version, unsigned long *ret_number)
{
	size_t length = strcspn(version, "0123456789");
	char *end;

	if (!version[length])
		return 0;
	*ret_number = 100 * strtoul(version + length, &end, 10);
	if (*end == '.' && end[1] >= '0' && end[1] <= '9')
		*ret_number += strtoul(end + 1, &end, 10);
	return (size_t)(end - version);
}

/*
 * The model's words behind the lower number of the two. Behind the number is a
 * space, also where no word follows (4.1, 4.2): programs look for it.
 */
static void join_versions(const char *ours, const char *real, char *joined,
			  size_t size)
{
	unsigned long our_number = 0, real_number = 0;
	size_t our_end = number_end(ours, &our_number);
	size_t real_end = number_end(real, &real_number);
	const char *space = our_end && !ours[our_end] ? " " : "";

	if (our_end && real_end && real_number < our_number)
		snprintf(joined, size, "%.*s%s%s", (int)real_end, real,
			 ours + our_end, space);
	else
		snprintf(joined, size, "%s%s", ours, space);
}

/* Ask what the program asks, with room of our own. */
static cl_int ask_real(const struct claw_call *call, void *value, size_t size)
{
	cl_int err;

	claw_ours_begin();
	err = call->api == CLAW_API_clGetDeviceInfo ?
		      claw_next.clGetDeviceInfo(
			      CLAW_ARG(call, clGetDeviceInfo, device),
			      CLAW_ARG(call, clGetDeviceInfo, param_name), size,
			      value, NULL) :
		      claw_next.clGetPlatformInfo(
			      CLAW_ARG(call, clGetPlatformInfo, platform),
			      CLAW_ARG(call, clGetPlatformInfo, param_name),
			      size, value, NULL);
	claw_ours_end();
	return err;
}

static void give_text(struct claw_call *call, const char *text, bool version)
{
	char real[512] = "", joined[640];

	if (!*text)
		return;
	if (version && ask_real(call, real, sizeof(real)))
		real[0] = '\0';
	real[sizeof(real) - 1] = '\0';
	if (version)
		join_versions(text, real, joined, sizeof(joined));
	else
		snprintf(joined, sizeof(joined), "%s", text);
	claw_model_answer(call, 2, joined, strlen(joined) + 1);
}

/* ---- numbers */

static void give_ulong(struct claw_call *call, uint64_t wanted, bool is_limit)
{
	cl_ulong value = wanted, real = wanted;

	if (is_limit && !ask_real(call, &real, sizeof(real)) && real < value)
		value = real;
	claw_model_answer(call, 2, &value, sizeof(value));
}

static void give_size(struct claw_call *call, uint64_t wanted)
{
	size_t value = (size_t)wanted, real = value;

	if (!ask_real(call, &real, sizeof(real)) && real < value)
		value = real;
	claw_model_answer(call, 2, &value, sizeof(value));
}

static void give_field(struct claw_call *call, const struct field *field,
		       const void *from)
{
	uint64_t number;
	cl_uint narrow;

	if (field->form == TEXT || field->form == NUMBERED) {
		give_text(call, from, field->form == NUMBERED);
		return;
	}
	memcpy(&number, from, sizeof(number));
	narrow = (cl_uint)number;
	if (!number)
		return;
	if (field->form == UINT)
		claw_model_answer(call, 2, &narrow, sizeof(narrow));
	else if (field->form == SIZE_LIMIT)
		give_size(call, number);
	else
		give_ulong(call, number, true);
}

static bool give_from(struct claw_call *call, const struct field *fields,
		      size_t count, cl_uint query,
		      const struct claw_model *model)
{
	for (size_t i = 0; i < count; i++)
		if (fields[i].query == query) {
			give_field(call, &fields[i],
				   (const char *)model + fields[i].offset);
			return true;
		}
	return false;
}

/* ---- devices */

static void present_device(struct claw_call *call)
{
	unsigned int device =
		claw_model_of_device(CLAW_ARG(call, clGetDeviceInfo, device));
	const struct claw_model *model = claw_model_get(device);
	cl_device_info query = CLAW_ARG(call, clGetDeviceInfo, param_name);
	cl_device_type type = claw_model_type(model);
	cl_bool unified = model->unified_memory == CLAW_MODEL_IS;

	if (give_from(call, device_fields,
		      sizeof(device_fields) / sizeof(*device_fields), query,
		      model))
		return;
	if (query == CL_DEVICE_TYPE && type)
		claw_model_answer(call, 2, &type, sizeof(type));
	else if (query == CL_DEVICE_HOST_UNIFIED_MEMORY &&
		 model->unified_memory)
		claw_model_answer(call, 2, &unified, sizeof(unified));
	else if (query == CL_DEVICE_GLOBAL_MEM_SIZE && model->memory)
		give_ulong(call, model->memory, false);
	else if (query == CL_DEVICE_MAX_MEM_ALLOC_SIZE &&
		 claw_model_largest(model))
		give_ulong(call, claw_model_largest(model), false);
}

static void present_work_group(struct claw_call *call)
{
	size_t *out = CLAW_ARG(call, clGetKernelWorkGroupInfo, param_value);
	uint64_t most;

	if (CLAW_ARG(call, clGetKernelWorkGroupInfo, param_name) !=
	    CL_KERNEL_WORK_GROUP_SIZE || call->err || !out)
		return;
	most = claw_model_get(claw_model_of_call(call))->work_group_size;
	if (most && *out > most)
		*out = (size_t)most;
}

/* Did the driver answer, or would it if the program had given it more room? */
static bool was_answered(const struct claw_call *call)
{
	return !call->err || (call->err == CL_INVALID_VALUE &&
			      CLAW_ARG(call, clGetDeviceInfo, param_value));
}

/* cl_amd_device_attribute_query: KiB that are free, and of the largest piece
 * of it. Whatever the driver says about its own. */
static void present_free(struct claw_call *call)
{
	cl_device_id device = CLAW_ARG(call, clGetDeviceInfo, device);
	unsigned int number = claw_model_of_device(device);
	struct claw_model_memory memory;
	size_t kib[2];

	if (call->err == CL_INVALID_DEVICE)
		return;
	claw_model_memory_prepare(number, device);
	claw_model_memory_look(number, &memory);
	if (!memory.total)
		return;
	kib[0] = (size_t)(memory.free / 1024);
	kib[1] = (size_t)(memory.largest / 1024);
	claw_model_answer(call, 2, kib, sizeof(kib));
}

void claw_model_present(struct claw_call *call)
{
	switch (call->api) {
	case CLAW_API_clGetDeviceInfo:
		if (CLAW_ARG(call, clGetDeviceInfo, param_name) ==
		    GLOBAL_FREE_MEMORY_AMD)
			present_free(call);
		else if (was_answered(call))
			present_device(call);
		break;
	case CLAW_API_clGetPlatformInfo:
		if (was_answered(call))
			give_from(call, platform_fields,
				  sizeof(platform_fields) /
				  sizeof(*platform_fields),
				  CLAW_ARG(call, clGetPlatformInfo, param_name),
				  claw_model_get(0));
		break;
	case CLAW_API_clGetKernelWorkGroupInfo:
		present_work_group(call);
		break;
	default:
		break;
	}
}

/* ---- what is asked of the driver */

static void check_launch(struct claw_call *call)
{
	cl_uint dimensions = CLAW_ARG(call, clEnqueueNDRangeKernel, work_dim);
	const size_t *local =
		CLAW_ARG(call, clEnqueueNDRangeKernel, local_work_size);
	uint64_t items = 1, most;

	if (!local || !dimensions || dimensions > 3)
		return;
	for (cl_uint i = 0; i < dimensions; i++)
		items *= local[i] < UINT32_MAX ? local[i] : UINT32_MAX;
	if (items <= 256)	/* no model has less, and few launches more */
		return;
	most = claw_model_get(claw_model_of_call(call))->work_group_size;
	if (most && items > most)
		claw_fail(call, CL_INVALID_WORK_GROUP_SIZE);
}

void claw_model_ask(struct claw_call *call)
{
	switch (call->api) {
	case CLAW_API_clGetDeviceIDs:
	case CLAW_API_clCreateContextFromType:
		claw_model_ask_devices(call);
		break;
	case CLAW_API_clEnqueueNDRangeKernel:
		check_launch(call);
		break;
	default:
		break;
	}
}
