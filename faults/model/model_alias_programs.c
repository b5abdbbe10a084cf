/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Programs where devices are shown that there are not: what they were built to
 * is told of each device, and taken of each.
 */
#include "config.h"

#include "model_alias.h"

#include <string.h>

enum { MAX_DEVICES = 64 };

#define GIVE(value_, bytes_) \
	claw_alias_give(value_, bytes_, param_value_size, param_value, \
			param_value_size_ret)

/* The devices of a program: its own, or those of its context. */
static bool shown_of_program(cl_program program, struct claw_alias_list *shown)
{
	cl_context context = NULL;

	if (claw_alias_shown(program, shown))
		return true;
	return !claw_alias_beneath.clGetProgramInfo(program, CL_PROGRAM_CONTEXT,
						    sizeof(context), &context,
						    NULL) &&
	       claw_alias_shown(context, shown);
}

/* Of each device shown, its place among those that the driver has. */
static cl_uint find_places(cl_program program,
			   const struct claw_alias_list *shown, int *places)
{
	cl_device_id real[MAX_DEVICES];
	size_t bytes = 0;
	cl_uint count;

	if (claw_alias_beneath.clGetProgramInfo(program, CL_PROGRAM_DEVICES,
						sizeof(real), real, &bytes))
		bytes = 0;
	count = (cl_uint)(bytes / sizeof(*real));
	for (cl_uint i = 0; i < shown->count; i++) {
		places[i] = -1;
		for (cl_uint j = 0; j < count; j++)
			if (real[j] == claw_alias_real(shown->devices[i]))
				places[i] = (int)j;
	}
	return count;
}

static cl_int binary_sizes(cl_program program,
			   const struct claw_alias_list *shown, size_t *sizes)
{
	size_t real[MAX_DEVICES] = { 0 };
	int places[CLAW_ALIAS_LIST];
	cl_int err;

	find_places(program, shown, places);
	err = claw_alias_beneath.clGetProgramInfo(program,
						  CL_PROGRAM_BINARY_SIZES,
						  sizeof(real), real, NULL);
	for (cl_uint i = 0; i < shown->count; i++)
		sizes[i] = places[i] < 0 ? 0 : real[places[i]];
	return err;
}

/* Each binary once by the driver, and copies of it. */
static cl_int binaries(cl_program program, const struct claw_alias_list *shown,
		       unsigned char *const *out)
{
	unsigned char *real[MAX_DEVICES] = { NULL };
	size_t sizes[CLAW_ALIAS_LIST];
	int places[CLAW_ALIAS_LIST];
	cl_uint count = find_places(program, shown, places);
	cl_int err = binary_sizes(program, shown, sizes);

	for (cl_uint i = 0; i < shown->count; i++)
		if (places[i] >= 0 && !real[places[i]])
			real[places[i]] = out[i];
	if (!err)
		err = claw_alias_beneath.clGetProgramInfo(program,
				CL_PROGRAM_BINARIES, count * sizeof(*real),
				real, NULL);
	for (cl_uint i = 0; !err && i < shown->count; i++)
		if (places[i] >= 0 && out[i] && real[places[i]] != out[i])
			memcpy(out[i], real[places[i]], sizes[i]);
	return err;
}

cl_int CL_API_CALL claw_alias_program_info CLAW_PARAMS(clGetProgramInfo)
{
	size_t sizes[CLAW_ALIAS_LIST], bytes;
	struct claw_alias_list shown;
	cl_int err;

	if ((param_name != CL_PROGRAM_NUM_DEVICES &&
	     param_name != CL_PROGRAM_DEVICES &&
	     param_name != CL_PROGRAM_BINARY_SIZES &&
	     param_name != CL_PROGRAM_BINARIES) ||
	    !shown_of_program(program, &shown))
		return claw_alias_beneath.clGetProgramInfo
			CLAW_ARGS(clGetProgramInfo);
	if (param_name == CL_PROGRAM_NUM_DEVICES)
		return GIVE(&shown.count, sizeof(shown.count));
	if (param_name == CL_PROGRAM_DEVICES)
		return GIVE(shown.devices,
			    shown.count * sizeof(*shown.devices));
	if (param_name == CL_PROGRAM_BINARY_SIZES) {
		err = binary_sizes(program, &shown, sizes);
		return err ? err : GIVE(sizes, shown.count * sizeof(*sizes));
	}
	bytes = shown.count * sizeof(unsigned char *);
	if (param_value && param_value_size < bytes)
		return CL_INVALID_VALUE;
	err = param_value ? binaries(program, &shown, param_value) : CL_SUCCESS;
	if (!err && param_value_size_ret)
		*param_value_size_ret = bytes;
	return err;
}

/* The binary of the first device over each real one; that of another is the
 * same, or the program is wrong in a way that nobody sees. */
cl_program CL_API_CALL
claw_alias_program_of_binaries CLAW_PARAMS(clCreateProgramWithBinary)
{
	const unsigned char *real_binaries[CLAW_ALIAS_LIST];
	size_t real_lengths[CLAW_ALIAS_LIST];
	cl_int statuses[CLAW_ALIAS_LIST] = { CL_SUCCESS };
	int places[CLAW_ALIAS_LIST];
	struct claw_alias_given given = { .has_list = false };
	cl_uint count = 0;
	cl_program made;

	claw_alias_translate(device_list, num_devices, &given);
	/* Errors of the lists are the driver's to tell. */
	if (!given.has_alias || !lengths || !binaries ||
	    num_devices > CLAW_ALIAS_LIST) {
		made = claw_alias_beneath.clCreateProgramWithBinary(context,
			given.has_alias ? given.real.count : num_devices,
			given.has_alias ? given.real.devices : device_list,
			lengths, binaries, binary_status, errcode_ret);
		claw_alias_made(made, context, &given);
		return made;
	}
	for (cl_uint i = 0; i < num_devices; i++) {
		cl_device_id real = claw_alias_real(device_list[i]);
		bool wrong = !lengths[i] || !binaries[i];

		places[i] = -1;
		for (cl_uint j = 0; j < count; j++)
			if (given.real.devices[j] == real)
				places[i] = (int)j;
		if (places[i] < 0)
			places[i] = (int)count++;
		else if (!wrong)
			continue;
		given.real.devices[places[i]] = real;
		real_lengths[places[i]] = lengths[i];
		real_binaries[places[i]] = binaries[i];
	}
	made = claw_alias_beneath.clCreateProgramWithBinary(context, count,
			given.real.devices, real_lengths, real_binaries,
			binary_status ? statuses : NULL, errcode_ret);
	for (cl_uint i = 0; binary_status && i < num_devices; i++)
		binary_status[i] = statuses[places[i]];
	claw_alias_made(made, context, &given);
	return made;
}
