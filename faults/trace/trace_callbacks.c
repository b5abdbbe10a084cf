/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Callbacks that tell the trace nothing: of builds, of what is destroyed, of
 * shared memory that is freed. Their thread may be the one that a blocking read
 * would wait for, so that within them nothing is read back, as within those of
 * events. Where there is no room for one, nothing is read back any more.
 */
#include "config.h"

#include "trace_private.h"

#include "faults/call/callback_places.h"

typedef void (CL_CALLBACK *program_notify)(cl_program program, void *user);
typedef void (CL_CALLBACK *mem_notify)(cl_mem mem, void *user);
typedef void (CL_CALLBACK *context_notify)(cl_context context, void *user);
typedef void (CL_CALLBACK *free_notify)(cl_command_queue queue, cl_uint count,
					void *pointers[], void *user);

static bool has_unknown;

/* The program's function, and what was before it was called. */
struct called {
	claw_any_notify notify;
	void *user;
	unsigned int depth;
};

static bool enter(const void *name, struct called *called)
{
	if (!claw_callback_place_give_back(name, &called->notify,
					   &called->user))
		return false;
	called->depth = claw_ours_leave();
	return true;
}

static void CL_CALLBACK on_program(cl_program program, void *name)
{
	struct called called;

	if (!enter(name, &called))
		return;
	((program_notify)called.notify)(program, called.user);
	claw_ours_return(called.depth);
}

static void CL_CALLBACK on_mem(cl_mem mem, void *name)
{
	struct called called;

	if (!enter(name, &called))
		return;
	((mem_notify)called.notify)(mem, called.user);
	claw_ours_return(called.depth);
}

static void CL_CALLBACK on_context(cl_context context, void *name)
{
	struct called called;

	if (!enter(name, &called))
		return;
	((context_notify)called.notify)(context, called.user);
	claw_ours_return(called.depth);
}

static void CL_CALLBACK on_free(cl_command_queue queue, cl_uint count,
				void *pointers[], void *name)
{
	struct called called;

	if (!enter(name, &called))
		return;
	((free_notify)called.notify)(queue, count, pointers, called.user);
	claw_ours_return(called.depth);
}

/* Ours in the place of the call's, NULL: it is none of these. */
static claw_any_notify ours_of(enum claw_api api)
{
	switch (api) {
	case CLAW_API_clBuildProgram:
	case CLAW_API_clCompileProgram:
	case CLAW_API_clLinkProgram:
	case CLAW_API_clSetProgramReleaseCallback:
		return (claw_any_notify)on_program;
	case CLAW_API_clSetMemObjectDestructorCallback:
		return (claw_any_notify)on_mem;
	case CLAW_API_clSetContextDestructorCallback:
		return (claw_any_notify)on_context;
	case CLAW_API_clEnqueueSVMFree:
		return (claw_any_notify)on_free;
	default:
		return NULL;
	}
}

bool claw_callbacks_are_known(void)
{
	return !__atomic_load_n(&has_unknown, __ATOMIC_RELAXED);
}

void claw_callbacks_wrap(struct claw_call *call)
{
	claw_any_notify ours = ours_of(call->api);
	int i = claw_api_find_param(call->api, CLAW_P_NOTIFY);
	claw_any_notify *notify = i < 0 ? NULL :
		(claw_any_notify *)call->args[i];
	void *name;

	if (!ours || !notify || !*notify ||
	    claw_own_trace.config.buffers < CLAW_CAPTURE_LAUNCH)
		return;
	name = claw_callback_place_take(*notify, *(void **)call->args[i + 1]);
	if (!name) {
		__atomic_store_n(&has_unknown, true, __ATOMIC_RELAXED);
		return;
	}
	*notify = ours;
	*(void **)call->args[i + 1] = name;
}

/* A failure calls nothing, or has done so. */
void claw_callbacks_end(struct claw_call *call)
{
	claw_any_notify ours = ours_of(call->api), given;
	int i = claw_api_find_param(call->api, CLAW_P_NOTIFY);
	void **user;

	/* Of a build that failed a driver may still call back. */
	if (!ours || i < 0 || !call->err ||
	    call->err == CL_BUILD_PROGRAM_FAILURE ||
	    call->err == CL_COMPILE_PROGRAM_FAILURE ||
	    call->err == CL_LINK_PROGRAM_FAILURE ||
	    *(claw_any_notify *)call->args[i] != ours)
		return;
	user = (void **)call->args[i + 1];
	if (claw_callback_place_give_back(*user, &given, user))
		*(claw_any_notify *)call->args[i] = given;
}
