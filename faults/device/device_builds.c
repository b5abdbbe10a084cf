/* SPDX-License-Identifier: Apache-2.0 */
/* Programs that could not be built. */
#include "config.h"

#include "faults/call/guest.h"

#include <pthread.h>
#include <stdatomic.h>

#include "device_private.h"
#include "faults/call/rule_table.h"
#include "stand_in.h"

enum { MAX_FAILED_PROGRAMS = 256 };

static const char build_log[] =
	"<kernel>:1:1: error: build failed (INJECTED by openclaw)\n";

struct failed_program {
	cl_program program;
	unsigned int rule;
	bool log;
};

static struct {
	pthread_mutex_t lock;
	struct failed_program items[MAX_FAILED_PROGRAMS];
	_Atomic unsigned int count;
} failures = { .lock = PTHREAD_MUTEX_INITIALIZER };

bool claw_failed_builds_are_any(void)
{
	return failures.count;
}

static bool find_failed(cl_program program, struct failed_program *ret_failed)
{
	bool found = false;

	pthread_mutex_lock(&failures.lock);
	for (unsigned int i = 0; i < failures.count && !found; i++) {
		found = program && failures.items[i].program == program;
		if (found)
			*ret_failed = failures.items[i];
	}
	pthread_mutex_unlock(&failures.lock);
	return found;
}

void claw_failed_build_forget(cl_program program)
{
	pthread_mutex_lock(&failures.lock);
	for (unsigned int i = 0; i < failures.count; i++)
		if (failures.items[i].program == program)
			failures.items[i].program = NULL;
	pthread_mutex_unlock(&failures.lock);
}

/* Under the lock: the program's entry, or one that is not needed any more, or
 * NULL. */
static struct failed_program *place_of_program(cl_program program)
{
	struct failed_program *spare = NULL;

	for (unsigned int i = 0; i < failures.count; i++) {
		if (failures.items[i].program == program)
			return &failures.items[i];
		if (!failures.items[i].program)
			spare = &failures.items[i];
	}
	if (!spare && failures.count < MAX_FAILED_PROGRAMS)
		spare = &failures.items[failures.count];
	return spare;
}

static void keep_program(cl_program program, unsigned int rule, bool log)
{
	static bool said;
	struct failed_program *failed;

	pthread_mutex_lock(&failures.lock);
	failed = place_of_program(program);
	if (failed) {
		*failed = (struct failed_program){ program, rule, log };
		if (failed == &failures.items[failures.count])
			atomic_fetch_add(&failures.count, 1);
	} else {
		claw_say_full(&said, "programs whose build failed");
	}
	pthread_mutex_unlock(&failures.lock);
}

void claw_device_fail_build(struct claw_call *call, unsigned int rule_index)
{
	const struct claw_rule *rule = claw_rules_get(rule_index);
	cl_program program = claw_arg_pointer(call, CLAW_P_PROGRAM);
	void (CL_CALLBACK *const *notify)(cl_program, void *) =
		claw_arg_address(call, CLAW_P_NOTIFY);
	void *user = claw_arg_pointer(call, CLAW_P_USER_DATA);

	if (program)
		keep_program(program, rule_index, rule->words == CLAW_BUILD_LOG);
	claw_watch_all();
	claw_fail(call, claw_rule_code(rule, call->api));
	/* "called when the program executable has been built (successfully
	 * or unsuccessfully)", OpenCL 3.0, clBuildProgram. */
	if (notify && *notify && program)
		(*notify)(program, user);
}

bool claw_failed_build_check(struct claw_call *call)
{
	struct failed_program failed;

	if (call->api != CLAW_API_clCreateKernel &&
	    call->api != CLAW_API_clCreateKernelsInProgram)
		return false;
	if (!find_failed(claw_arg_pointer(call, CLAW_P_PROGRAM), &failed))
		return false;
	claw_fail(call, CL_INVALID_PROGRAM_EXECUTABLE);
	claw_device_consequence(call, failed.rule);
	claw_write_event(call, 0);
	return true;
}

void claw_failed_build_patch(struct claw_call *call)
{
	struct failed_program failed;
	cl_program_build_info name =
		CLAW_ARG(call, clGetProgramBuildInfo, param_name);
	cl_build_status status = CL_BUILD_ERROR;

	if (!find_failed(claw_arg_pointer(call, CLAW_P_PROGRAM), &failed))
		return;
	if (name == CL_PROGRAM_BUILD_STATUS)
		claw_device_answer(call, 3, &status, sizeof(status));
	else if (name == CL_PROGRAM_BUILD_LOG && failed.log)
		claw_device_answer(call, 3, build_log, sizeof(build_log));
	else if (name == CL_PROGRAM_BUILD_LOG)
		claw_device_answer(call, 3, "", 1);
}

void claw_failed_builds_reset(void)
{
	pthread_mutex_init(&failures.lock, NULL);
	atomic_store(&failures.count, 0);
}
