/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Answers that stand on what the driver said: another code in its place, a
 * text to the context.
 */
#include "config.h"

#include "failure_private.h"

#include <string.h>

#include "stand_in.h"

enum { MAX_KERNELS = 64 };

/* What stood where the driver is about to write. */
static __thread struct {
	cl_ulong *at;
	cl_ulong value;
} kept;

/* More local memory than the device is said to have, in a kernel of the
 * program that has just been built. */
static bool is_over_local(const struct claw_call *call)
{
	cl_program program = claw_arg_pointer(call, CLAW_P_PROGRAM);
	cl_kernel kernels[MAX_KERNELS];
	cl_device_id device = NULL;
	cl_uint count = 0;
	uint64_t limit = claw_models_are_on() ?
		claw_model_get(claw_fail_model_of(call))->local_memory : 0;
	bool over = false;

	if (!limit || !program || !claw_device_of_call(call, &device, 1))
		return false;
	claw_ours_begin();
	if (claw_next.clCreateKernelsInProgram(program, MAX_KERNELS, kernels,
					       &count) || count > MAX_KERNELS)
		count = 0;
	for (cl_uint i = 0; i < count; i++) {
		cl_ulong bytes = 0;

		claw_next.clGetKernelWorkGroupInfo(kernels[i], device,
			CL_KERNEL_LOCAL_MEM_SIZE, sizeof(bytes), &bytes, NULL);
		over = over || bytes > limit;
		claw_next.clReleaseKernel(kernels[i]);
	}
	claw_ours_end();
	return over;
}

/* Was the status of an event asked for, and is it that? */
static bool shows_status(const struct claw_call *call, cl_int wanted)
{
	cl_int status;

	if (call->api != CLAW_API_clGetEventInfo ||
	    CLAW_ARG(call, clGetEventInfo, param_name) !=
	    CL_EVENT_COMMAND_EXECUTION_STATUS ||
	    !CLAW_ARG(call, clGetEventInfo, param_value))
		return false;
	memcpy(&status, CLAW_ARG(call, clGetEventInfo, param_value),
	       sizeof(status));
	return status == wanted;
}

/* What an answer asks of the call besides the driver's code. */
static bool fits(const struct claw_fail_answer *answer,
		 const struct claw_call *call)
{
	if (answer->null_value &&
	    (call->api != CLAW_API_clSetKernelArg ||
	     CLAW_ARG(call, clSetKernelArg, arg_value)))
		return false;
	if (answer->has_shows && !shows_status(call, answer->shows))
		return false;
	return !answer->over_local || is_over_local(call);
}

/* A query of times is the one whose failure is known to leave the value. */
void claw_fail_keep_value(const struct claw_call *call)
{
	if (call->api != CLAW_API_clGetEventProfilingInfo)
		return;
	kept.at = CLAW_ARG(call, clGetEventProfilingInfo, param_value);
	if (CLAW_ARG(call, clGetEventProfilingInfo, param_value_size) <
	    sizeof(kept.value))
		kept.at = NULL;
	if (kept.at)
		memcpy(&kept.value, kept.at, sizeof(kept.value));
}

static void put_back(const struct claw_call *call)
{
	if (call->api == CLAW_API_clGetEventProfilingInfo && kept.at &&
	    kept.at == CLAW_ARG(call, clGetEventProfilingInfo, param_value))
		memcpy(kept.at, &kept.value, sizeof(kept.value));
	kept.at = NULL;
}

/* The answer to what the driver said, of this state. */
const struct claw_fail_answer *
claw_fail_find_said(unsigned int model, int state, const struct claw_call *call)
{
	const struct claw_fail_rules *of = claw_fail_rules_of(model);

	for (unsigned int i = 0; i < of->answer_count; i++)
		if (of->answers[i].state == state && of->answers[i].has_says &&
		    of->answers[i].says == call->err &&
		    claw_fail_targets(&of->answers[i], call->api) &&
		    fits(&of->answers[i], call))
			return &of->answers[i];
	return NULL;
}

void claw_fail_mend(struct claw_call *call,
		    const struct claw_fail_answer *answer, cl_int error,
		    unsigned int shown)
{
	cl_int code = !answer->has_code ? call->err :
		answer->code_is_error ? error : answer->code;
	cl_context context;

	if (*answer->tell) {
		claw_ours_begin();
		context = claw_device_context_of(call);
		claw_ours_end();
		claw_fail_tell(context, answer->tell, code, call->api, shown);
	}
	if (answer->has_status)
		claw_device_answer(call, 2, &answer->status,
				   sizeof(answer->status));
	if (!answer->has_code ||
	    claw_api_table[call->api].fails_as != CLAW_STATUS)
		return;
	if (code)
		put_back(call);
	call->err = code;
	call->flags |= CLAW_REC_INJECTED;
}
