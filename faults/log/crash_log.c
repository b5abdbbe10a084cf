/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Remember the last launch; tell of it when the device has crashed.
 */
#include "config.h"

#include "crash_log.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "log.h"
#include "faults/call/model_table.h"
#include "faults/call/own_session.h"

/* NVIDIA's, in no header: the process has lost the device. */
enum { CODE_NVIDIA_LOST = -9999 };

static struct {
	bool gpu_debug;
	bool is_case;		/* of which openclaw itself tells */
	bool launched;		/* atomic */
	bool told;		/* atomic */
	int device_index;
	char device[128], workload[128];
} state;

static void copy_text(char *to, size_t size, const char *from)
{
	claw_copy_text(to, size, from, strlen(from));
}

void claw_crash_log_begin(void)
{
	const char *workload = getenv("CLW_WORKLOAD");
	const char *debug = getenv("CLW_GPU_DEBUG");

	memset(&state, 0, sizeof(state));
	state.gpu_debug = debug && strcmp(debug, "1") == 0 &&
			  claw_log_is_on(CLAW_LOG_DEBUG);
	state.is_case = getenv("OPENCLAW_CASE_RESULT") != NULL;
	copy_text(state.workload, sizeof(state.workload),
		  workload && *workload ? workload : claw_guest.exe);
}

bool claw_crash_log_watches(enum claw_api api)
{
	return claw_log_is_on(CLAW_LOG_ERROR) &&
	       (claw_api_is_launch(api) || claw_api_table[api].groups &
		(CLAW_G_SYNC | CLAW_G_TRANSFER));
}

/* "64x64" */
static void size_text(const size_t *size, cl_uint dimensions, char *text,
		      size_t room)
{
	size_t length = 0;

	snprintf(text, room, "%s", size ? "" : "any");
	for (cl_uint i = 0; size && i < dimensions && i < 3 && length < room;
	     i++)
		length += (size_t)snprintf(text + length, room - length,
					   "%s%zu", i ? "x" : "", size[i]);
}

static void tell_launch(const struct claw_call *call)
{
	cl_kernel kernel = claw_arg_pointer(call, CLAW_P_KERNEL);
	char name[128] = "", global[72], local[72];
	bool is_task = call->api == CLAW_API_clEnqueueTask;
	cl_uint dimensions =
		is_task ? 0 : CLAW_ARG(call, clEnqueueNDRangeKernel, work_dim);

	claw_ours_begin();
	if (!kernel || claw_next.clGetKernelInfo(kernel,
			CL_KERNEL_FUNCTION_NAME, sizeof(name) - 1, name, NULL))
		copy_text(name, sizeof(name), "not known");
	claw_ours_end();
	size_text(is_task ? NULL :
			    CLAW_ARG(call, clEnqueueNDRangeKernel,
				     global_work_size),
		  dimensions, global, sizeof(global));
	size_text(is_task ? NULL :
			    CLAW_ARG(call, clEnqueueNDRangeKernel,
				     local_work_size),
		  dimensions, local, sizeof(local));
	claw_log(CLAW_LOG_DEBUG, "Launching kernel %s: global size %s, local "
		 "size %s", name, global, local);
}

void claw_crash_log_before(const struct claw_call *call)
{
	cl_device_id devices[16];

	if (!claw_api_is_launch(call->api))
		return;
	if (state.gpu_debug)
		tell_launch(call);
	if (__atomic_load_n(&state.launched, __ATOMIC_ACQUIRE))
		return;
	/* A process has one device, as a rule: its first launch's. */
	claw_model_show_name(call, state.device, sizeof(state.device));
	state.device_index = claw_device_of_call(call, devices, 16) ?
		claw_device_index(devices[0]) : -1;
	__atomic_store_n(&state.launched, true, __ATOMIC_RELEASE);
}

static const char *type_of_code(cl_int code)
{
	switch (code) {
	case CODE_NVIDIA_LOST:
	case -1127:	/* CL_PAGE_FAULT_IMG */
		return "GPU_MEMORY_SEGFAULT";
	case CL_OUT_OF_RESOURCES:
	case -1108:	/* CL_COMMAND_TERMINATED_ITSELF_WITH_FAILURE_ARM */
	case -1121:	/* CL_CONTEXT_TERMINATED_KHR */
	case -1128:	/* CL_SAFETY_FAULT_IMG */
	case -1129:	/* CL_GENERAL_FAULT_IMG */
		return "GPU_FAULT";
	default:
		return NULL;
	}
}

/* type: "GPU_MEMORY_SEGFAULT"; after: " (INJECTED)" or "". */
static void tell_crash(const char *type, const char *after)
{
	char place[460];
	const char *dump;

	if (!claw_log_is_on(CLAW_LOG_ERROR) || state.is_case ||
	    !__atomic_load_n(&state.launched, __ATOMIC_ACQUIRE) ||
	    __atomic_exchange_n(&state.told, true, __ATOMIC_ACQ_REL))
		return;
	claw_log_plain(CLAW_LOG_ERROR, "[ERROR] OpenClaw Worker: clw-gpu-crash "
		       "detected%s\n"
		       "[ERROR]   Device: %s (ID: %d)\n"
		       "[ERROR]   Workload: %s\n"
		       "[ERROR]   Crash type: %s", after, state.device,
		       state.device_index, state.workload, type);
	dump = claw_own_session_dump(place, sizeof(place));
	if (dump)
		claw_log_plain(CLAW_LOG_ERROR,
			       "[ERROR]   Context dump saved to: %s", dump);
}

void claw_crash_log_after(const struct claw_call *call)
{
	const char *type = type_of_code(call->err);

	if (type && claw_call_waits(call))
		tell_crash(type, claw_call_is_injected(call) ? " (INJECTED)" :
			   "");
}

void claw_crash_log_injected(const struct claw_call *call,
			     enum claw_crash_kind kind)
{
	if (!claw_crash_log_watches(call->api))
		return;
	claw_crash_log_before(call);
	tell_crash(kind == CLAW_CRASH_MISALIGNED ?
			    "GPU_MISALIGNED_ACCESS" :
			    kind == CLAW_CRASH_TRAP ? "GPU_TRAP" :
			    "GPU_MEMORY_SEGFAULT", " (INJECTED)");
}

/* Is there code on the stack, from one frame to another, that is nobody's but
 * the program's? */
static bool is_of_program(const struct claw_site *site, uint32_t frame_count)
{
	for (uint32_t i = 0; i < frame_count; i++) {
		const struct claw_module *module = site->frames[i].module;
		const char *slash = module ? strrchr(module->path, '/') : NULL;

		if (module && strcmp(slash ? slash + 1 : module->path,
				     claw_guest.exe) == 0)
			return true;
	}
	return false;
}

static const char *signal_name(int number)
{
	return number == SIGSEGV ? "SIGSEGV" : number == SIGBUS ? "SIGBUS" :
	       number == SIGFPE ? "SIGFPE" : number == SIGILL ? "SIGILL" :
	       "SIGABRT";
}

static void tell_driver(int number, unsigned int api,
			const struct claw_site *site)
{
	/* A fault's own crash has been told. */
	if (api < CLAW_API_COUNT && !claw_call_under_way->fault &&
	    !is_of_program(site, 1) &&
	    !(claw_api_table[api].groups & (CLAW_G_SYNC | CLAW_G_ENQUEUE)))
		claw_log_plain(CLAW_LOG_ERROR, "[ERROR] clw-driver-crash: %s "
			       "in %s", signal_name(number),
			       claw_api_table[api].name);
}

void claw_crash_log_signal(int number, unsigned int api,
			   const struct claw_site *site)
{
	if (!site->frame_count)
		return;
	/* A thread that called is the program's: its crash may be its own. */
	if (claw_journal_self.number) {
		tell_driver(number, api, site);
		return;
	}
	if (is_of_program(site, site->frame_count))
		return;
	tell_crash(number == SIGFPE ? "GPU_ARITHMETIC_FAULT" :
			    number == SIGILL ? "GPU_ILLEGAL_INSTRUCTION" :
			    number == SIGABRT ? "GPU_FAULT" :
			    "GPU_MEMORY_SEGFAULT", "");
}
