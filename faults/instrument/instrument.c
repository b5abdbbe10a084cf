/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels with probes: which calls are of interest, and what is done at each. */
#include "config.h"

#include "instrument_valid.h"
#include "instrument_verify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "faults/call/callback_places.h"
#include "faults/call/exit_thread.h"
#include "faults/life/kept.h"

enum { ENDS = 64 };		/* of the process, that are waited for */

static const uint64_t END_NS = 5000000000;

struct claw_instrument_config claw_instrument_config;
bool claw_instrument_is_begun;

/* ---- which calls */

static bool is_of_svm(enum claw_api api)
{
	const struct claw_api_info *info = &claw_api_table[api];

	return info->object == CLAW_OBJ_SVM &&
	       (info->effect == CLAW_CREATES || info->effect == CLAW_RELEASES);
}

/* Programs and kernels, what is set on them, and the ends of what they are
 * in. */
static bool is_of_objects(enum claw_api api)
{
	const struct claw_api_info *info = &claw_api_table[api];

	if (info->effect != CLAW_NOTHING &&
	    (info->object == CLAW_OBJ_PROGRAM ||
	     info->object == CLAW_OBJ_KERNEL ||
	     info->object == CLAW_OBJ_QUEUE))
		return true;
	switch (api) {
	case CLAW_API_clBuildProgram:
	case CLAW_API_clCompileProgram:
	case CLAW_API_clCreateKernelsInProgram:
	case CLAW_API_clSetKernelArg:
	case CLAW_API_clSetKernelArgSVMPointer:
	case CLAW_API_clSetKernelArgMemPointerINTEL:
	case CLAW_API_clSetKernelExecInfo:
	case CLAW_API_clCommandNDRangeKernelKHR:
	case CLAW_API_clGetContextInfo:
	case CLAW_API_clGetCommandQueueInfo:
	case CLAW_API_clReleaseContext:
		return true;
	case CLAW_API_clGetProgramInfo:
		return claw_known_is_on();
	default:
		return is_of_svm(api);
	}
}

static bool may_wait(enum claw_api api)
{
	return api == CLAW_API_clFinish || api == CLAW_API_clFlush ||
	       api == CLAW_API_clWaitForEvents ||
	       claw_api_find_param(api, CLAW_P_BLOCKING) >= 0;
}

bool claw_instrument_checks(void)
{
	return claw_instrument_is_on() &&
	       claw_instrument_config.modes & CLAW_PROBE_CHECKS;
}

bool claw_instrument_interest(enum claw_api api)
{
	return claw_instrument_is_begun &&
	       (is_of_objects(api) || claw_api_is_launch(api) ||
		may_wait(api) || claw_valid_interest(api));
}

/* The queue that the call waits for, NULL: any; false: it does not wait. */
static bool waits(const struct claw_call *call, cl_command_queue *ret_queue)
{
	const cl_bool *blocking = claw_arg_address(call, CLAW_P_BLOCKING);

	*ret_queue = claw_arg_pointer(call, CLAW_P_QUEUE);
	return may_wait(call->api) && (!blocking || *blocking);
}

/* ---- what a driver calls when it has built something */

typedef void (CL_CALLBACK *build_notify)(cl_program program, void *user);

/* Within it nothing may be built, so that its kernels get no twins. */
static void CL_CALLBACK on_built(cl_program program, void *name)
{
	claw_any_notify notify;
	unsigned int depth;
	void *user;

	if (!claw_callback_place_give_back(name, &notify, &user))
		return;
	depth = claw_ours_leave();
	((build_notify)notify)(program, user);
	claw_ours_return(depth);
}

static build_notify *callback_of(const struct claw_call *call, void ***ret_user)
{
	int i = claw_api_find_param(call->api, CLAW_P_NOTIFY);

	*ret_user = i < 0 ? NULL : (void **)call->args[i + 1];
	return i < 0 ? NULL : (build_notify *)call->args[i];
}

static void wrap_callback(struct claw_call *call)
{
	void **user, *name;
	build_notify *notify = callback_of(call, &user);

	if (!notify || !*notify)
		return;
	name = claw_callback_place_take((claw_any_notify)*notify, *user);
	if (name) {
		*notify = on_built;
		*user = name;
	}
}

/* Nothing was begun that there would be an end of. */
static void unwrap_callback(struct claw_call *call)
{
	void **user;
	build_notify *notify = callback_of(call, &user);
	claw_any_notify given;

	if (notify && *notify == on_built &&
	    call->err != CL_BUILD_PROGRAM_FAILURE &&
	    call->err != CL_COMPILE_PROGRAM_FAILURE &&
	    call->err != CL_LINK_PROGRAM_FAILURE &&
	    claw_callback_place_give_back(*user, &given, user))
		*notify = (build_notify)given;
}

/* Then what is built is known before: its kernels may be made in there. */
static bool has_callback(const struct claw_call *call)
{
	int i = claw_api_find_param(call->api, CLAW_P_NOTIFY);

	return i >= 0 && *(const build_notify *)call->args[i];
}

/* ---- before the driver */

static void before(struct claw_call *call)
{
	cl_command_queue queue;

	if (waits(call, &queue))
		claw_copies_begin(queue, call->api == CLAW_API_clFlush);
	claw_valid_before(call);
	switch (call->api) {
	case CLAW_API_clBuildProgram:
	case CLAW_API_clCompileProgram:
		claw_probed_build_begins();
		if (has_callback(call) && !call->injected)
			claw_probed_built(call);
		wrap_callback(call);
		break;
	case CLAW_API_clLinkProgram:
		wrap_callback(call);
		break;
	case CLAW_API_clEnqueueNDRangeKernel:
	case CLAW_API_clEnqueueTask:
		if (!call->injected)
			claw_launch_before(call);
		break;
	/* Before anybody else can get their handles. */
	case CLAW_API_clReleaseKernel:
		claw_probed_kernel_released(claw_arg_pointer(call,
							     CLAW_P_KERNEL));
		break;
	case CLAW_API_clReleaseProgram:
		claw_probed_released(claw_arg_pointer(call, CLAW_P_PROGRAM));
		break;
	case CLAW_API_clReleaseCommandQueue:
		claw_copies_queue_goes(claw_arg_pointer(call, CLAW_P_QUEUE));
		break;
	case CLAW_API_clGetContextInfo:
		if (claw_kept_shows(call))
			claw_copies_wait(claw_arg_pointer(call,
							  CLAW_P_CONTEXT));
		break;
	case CLAW_API_clGetCommandQueueInfo:
		if (claw_kept_shows(call))
			claw_copies_leave(claw_arg_pointer(call,
							   CLAW_P_QUEUE));
		break;
	case CLAW_API_clReleaseContext:
		claw_copies_finish(claw_arg_pointer(call, CLAW_P_CONTEXT));
		break;
	default:
		if (is_of_svm(call->api) && claw_api_table[call->api].effect ==
		    CLAW_RELEASES)
			claw_probed_svm_freed(*(void *const *)call->args[
				claw_api_table[call->api].param_count - 1]);
		break;
	}
}

void claw_instrument_before(struct claw_call *call)
{
	if (!claw_instrument_interest(call->api))
		return;
	claw_ours_begin();
	before(call);
	claw_ours_end();
}

/* ---- after it */

static void copy_the_rest(void)
{
	claw_ours_begin();
	claw_copies_finish(NULL);
	claw_ours_end();
}

static void end_process(void)
{
	static bool has_given_up;	/* a queue does not move: nobody waits twice */

	if (!has_given_up &&
	    __atomic_load_n(&claw_page.alive, __ATOMIC_ACQUIRE) &&
	    claw_instrument_is_begun && !claw_is_called_back() &&
	    claw_copies_are_behind())
		has_given_up = !claw_exit_thread_run(copy_the_rest, END_NS) ||
			claw_copies_are_behind();
}

/* The driver is there by now, and its own handlers of the process's end are
 * behind ours. */
static void watch_end(void)
{
	static uint32_t is_watched;

	if (!__atomic_exchange_n(&is_watched, 1, __ATOMIC_RELAXED))
		atexit(end_process);
}

/* So are those of what it has made since, to run new kernels (Oclgrind): what
 * is waiting still in its queues has to be run before. */
static void watch_end_again(void)
{
	static const struct claw_words *seen;
	static uint32_t ends;
	const struct claw_words *words = claw_words_first();

	if (words && words != __atomic_exchange_n(&seen, words,
						  __ATOMIC_RELAXED) &&
	    __atomic_load_n(&ends, __ATOMIC_RELAXED) < ENDS) {
		__atomic_add_fetch(&ends, 1, __ATOMIC_RELAXED);
		atexit(end_process);
	}
}

static void made_kernels(const struct claw_call *call)
{
	cl_program program = claw_arg_pointer(call, CLAW_P_PROGRAM);
	cl_uint room = CLAW_ARG(call, clCreateKernelsInProgram, num_kernels),
		made = room;
	cl_kernel *kernels = CLAW_ARG(call, clCreateKernelsInProgram, kernels);
	const cl_uint *ret_made =
		CLAW_ARG(call, clCreateKernelsInProgram, num_kernels_ret);

	if (!kernels)
		return;
	if (ret_made)
		made = *ret_made;
	else if (claw_next.clGetProgramInfo) {
		size_t known = made;

		claw_next.clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS,
					   sizeof(known), &known, NULL);
		made = (cl_uint)known;
	}
	for (cl_uint i = 0; i < made && i < room; i++)
		claw_probed_kernel_made(program, kernels[i]);
}

static void after_creation(const struct claw_call *call)
{
	if (!call->ret || claw_api_table[call->api].effect != CLAW_CREATES)
		return;
	if (claw_api_table[call->api].object == CLAW_OBJ_QUEUE)
		claw_probed_queue_made(call->ret);
	else if (is_of_svm(call->api))
		claw_probed_svm_made(call->ret, claw_call_bytes(call));
}

/* As it is without us. */
static void answer_context(const struct claw_call *call)
{
	cl_uint *value = CLAW_ARG(call, clGetContextInfo, param_value);

	if (value && claw_kept_shows(call))
		*value -= claw_words_references(claw_arg_pointer(call,
			CLAW_P_CONTEXT));
}

static void after_objects(struct claw_call *call)
{
	switch (call->api) {
	case CLAW_API_clCreateProgramWithSource:
	case CLAW_API_clCreateProgramWithBinary:
	case CLAW_API_clCreateProgramWithIL:
	case CLAW_API_clCreateProgramWithBuiltInKernels:
		claw_probed_created(call);
		break;
	case CLAW_API_clBuildProgram:
	case CLAW_API_clCompileProgram:
		if (!has_callback(call))
			claw_probed_built(call);
		break;
	case CLAW_API_clLinkProgram:
		claw_probed_linked(call);
		break;
	case CLAW_API_clGetProgramInfo:
		claw_probed_asked(call);
		break;
	case CLAW_API_clRetainProgram:
		claw_probed_retained(claw_arg_pointer(call, CLAW_P_PROGRAM));
		break;
	case CLAW_API_clCreateKernel:
		claw_probed_kernel_made(claw_arg_pointer(call, CLAW_P_PROGRAM),
					call->ret);
		watch_end();
		break;
	case CLAW_API_clCreateKernelsInProgram:
		made_kernels(call);
		watch_end();
		break;
	case CLAW_API_clCloneKernel:
		claw_probed_kernel_cloned(claw_arg_pointer(call, CLAW_P_KERNEL),
					  call->ret);
		break;
	case CLAW_API_clRetainKernel:
		claw_probed_kernel_retained(claw_arg_pointer(call,
							     CLAW_P_KERNEL));
		break;
	case CLAW_API_clCommandNDRangeKernelKHR:
		claw_launch_other(CLAW_ARG_AT(call, cl_kernel,
			CLAW_AT(clCommandNDRangeKernelKHR, kernel)));
		break;
	default:
		after_creation(call);
		break;
	}
}

static void after(struct claw_call *call)
{
	cl_command_queue queue;

	if (waits(call, &queue)) {
		claw_copies_end(queue, call->api == CLAW_API_clFinish);
		watch_end_again();
		claw_valid_look();
	}
	claw_valid_after(call);
	switch (call->api) {
	case CLAW_API_clSetKernelArg:
	case CLAW_API_clSetKernelArgSVMPointer:
	case CLAW_API_clSetKernelArgMemPointerINTEL:
	case CLAW_API_clSetKernelExecInfo:
		claw_probed_kernel_set(call);
		break;
	case CLAW_API_clGetContextInfo:
		answer_context(call);
		break;
	case CLAW_API_clRetainCommandQueue:
		claw_probed_queue_retained(claw_arg_pointer(call,
							    CLAW_P_QUEUE));
		break;
	default:
		after_objects(call);
		break;
	}
}

void claw_instrument_launched(struct claw_call *call)
{
	claw_ours_begin();
	claw_launch_after(call);
	claw_ours_end();
}

/* What the program is built of now is not known. */
static void fail(struct claw_call *call)
{
	claw_valid_failed(call);
	unwrap_callback(call);
	if ((call->api == CLAW_API_clBuildProgram ||
	     call->api == CLAW_API_clCompileProgram) && has_callback(call))
		claw_probed_forget(claw_arg_pointer(call, CLAW_P_PROGRAM));
}

void claw_instrument_after(struct claw_call *call)
{
	if (!claw_instrument_interest(call->api))
		return;
	claw_ours_begin();
	if (call->err)
		fail(call);
	else
		after(call);
	claw_ours_end();
}

/* ---- the process */

/* Beside the layer, or where it is installed. */
static void find_helper(char *path, size_t size)
{
	const char *layer = claw_site_path_of(
		(const void *)(uintptr_t)claw_instrument_begin);
	const char *slash = strrchr(layer, '/');

	if (*path)
		return;
	if (slash) {
		snprintf(path, size, "%.*s/openclaw-instrument",
			 (int)(slash - layer), layer);
		if (access(path, X_OK) == 0)
			return;
	}
	snprintf(path, size, "%s/openclaw-instrument", CLAW_PKGLIBEXECDIR);
}

void claw_instrument_begin(const struct claw_instrument_config *config)
{
	claw_instrument_config = *config;
	claw_instrument_is_begun = config->modes && claw_journal_is_on_disk();
	if (!claw_instrument_is_begun)
		return;
	find_helper(claw_instrument_config.helper,
		    sizeof(claw_instrument_config.helper));
	claw_cache_begin();
	claw_callback_places_begin();
	claw_probed_programs_begin();
	claw_probed_kernels_begin();
	claw_twins_begin();
	claw_probed_queues_begin();
	claw_valid_begin();
	claw_words_begin();
	claw_copies_reset();
	claw_complete_begin();
	claw_verify_begin();
	claw_launches_begin();
	claw_probe_found_begin();
}
