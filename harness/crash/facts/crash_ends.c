/* SPDX-License-Identifier: Apache-2.0 */
/* How a process ended: the END rows of crash_rules.def. */
#include "config.h"

#include <signal.h>
#include <string.h>

#include "crash_rules.h"
#include "harness/records/diagnosis.h"
#include "harness/crash/dump/dump_log.h"

#define END_RULE(name_)							\
	bool claw_end_##name_(const struct claw_crash_facts *f,		\
			      const char **code)

static bool is_timeout(const struct claw_crash_facts *f)
{
	return strcmp(f->trigger, "timeout") == 0;
}

static bool is_fatal(int number)
{
	return number == SIGSEGV || number == SIGBUS || number == SIGABRT ||
	       number == SIGILL || number == SIGFPE || number == SIGTRAP ||
	       number == SIGSYS;
}

/* Did it end with success, or does it run? Then what failed was dealt with. */
static bool has_coped(const struct claw_crash_facts *f)
{
	return f->status == 0 || (!f->ended && !f->signal &&
				  (strcmp(f->trigger, "request") == 0 ||
				   strcmp(f->trigger, "exit") == 0));
}

static const struct claw_trace_call *
pending_call(const struct claw_crash_facts *f)
{
	return claw_crash_call(f, f->pending);
}

static bool pending_in(const struct claw_crash_facts *f, uint32_t groups)
{
	const struct claw_trace_call *call = pending_call(f);

	return call && claw_api_table[call->api].groups & groups;
}

/* ---- signals ---------------------------------------------------------- */

END_RULE(oom_killer)
{
	(void)code;
	return f->signal == SIGKILL && !is_timeout(f) &&
	       claw_dmesg_has_killed(f->dump->dmesg,
				     (uint64_t)json_integer_value(
				     json_object_get(f->dump->meta, "pid")));
}

END_RULE(hang_injected)
{
	const struct claw_trace_call *launch = claw_crash_call(f, f->launch);
	const struct claw_trace_call *call = pending_call(f);

	(void)code;
	return is_timeout(f) &&
	       ((launch && launch->fault == CLAW_FAULT_HANG) ||
		(call && call->fault == CLAW_FAULT_HANG));
}

END_RULE(build_timeout)
{
	(void)code;
	return is_timeout(f) && pending_in(f, CLAW_G_BUILD);
}

/* Only its event told, and nobody looked for that. */
END_RULE(told_unheard)
{
	if (!is_timeout(f) || f->pending || !f->told ||
	    strcmp(f->told_code, "clw-gpu-crash") != 0)
		return false;
	*code = f->told_code;
	return true;
}

END_RULE(gate_timeout)
{
	(void)code;
	return is_timeout(f) && f->pending &&
	       claw_crash_waits(pending_call(f)) && claw_crash_has_gate(f);
}

END_RULE(kernel_timeout)
{
	(void)code;
	/* An event that is polled is no call that has not returned. */
	return is_timeout(f) && f->launch &&
	       (!f->pending || claw_crash_waits(pending_call(f)) ||
		claw_api_is_launch(pending_call(f)->api));
}

END_RULE(memory_timeout)
{
	(void)code;
	return is_timeout(f) && pending_in(f, CLAW_G_ALLOC | CLAW_G_TRANSFER);
}

END_RULE(device_timeout)
{
	(void)code;
	return is_timeout(f) && f->pending;
}

END_RULE(other_timeout)
{
	(void)code;
	return is_timeout(f);
}

END_RULE(debug_break)
{
	(void)code;
	return f->signal == SIGTRAP && pending_call(f) &&
	       pending_call(f)->fault == CLAW_FAULT_BREAK;
}

END_RULE(crash_injected)
{
	(void)code;
	return is_fatal(f->signal) && claw_crash_is_made(f);
}

END_RULE(kernel_signal)
{
	(void)code;
	return is_fatal(f->signal) && f->launch && f->top == CLAW_TOP_KERNEL;
}

/* A second thread of the driver's may end the process before the first has
 * written down where it crashed: the launch that was under way then is more
 * likely than the call, which only made or awaited it. */
static bool has_no_last_words(const struct claw_crash_facts *f)
{
	const struct claw_trace_call *call = claw_crash_call(f, f->pending);

	return f->dump->journal && !f->crash && f->launch && call &&
	       (claw_api_is_launch(call->api) || claw_crash_waits(call));
}

END_RULE(call_signal)
{
	(void)code;
	return is_fatal(f->signal) && f->pending &&
	       !claw_crash_is_worker(f) && !has_no_last_words(f) &&
	       f->top != CLAW_TOP_PROGRAM;
}

END_RULE(worker_signal)
{
	(void)code;
	return is_fatal(f->signal) && f->launch &&
	       (claw_crash_is_worker(f) || has_no_last_words(f)) &&
	       f->top != CLAW_TOP_PROGRAM;
}

END_RULE(driver_signal)
{
	(void)code;
	return is_fatal(f->signal) && f->top == CLAW_TOP_DRIVER;
}

/* A dump that is cut off: with its calls or its journal it may have lost that
 * it was a kernel. */
END_RULE(signal_unplaced)
{
	(void)code;
	return is_fatal(f->signal) && !f->dump->whole &&
	       (!f->dump->trace || !f->dump->journal);
}

END_RULE(own_signal)
{
	(void)code;
	return is_fatal(f->signal);
}

END_RULE(killed)
{
	(void)code;
	return f->signal != 0;
}

/* ---- codes ------------------------------------------------------------ */

/* A device that failed is told of whatever the program made of it. */
static bool is_about_device(const struct claw_crash_facts *f)
{
	return f->told && (!has_coped(f) || strcmp(f->trigger, "device") == 0);
}

END_RULE(lost)
{
	(void)code;
	return is_about_device(f) &&
	       strcmp(f->told_code, "clw-device-lost") == 0;
}

END_RULE(off_the_bus)
{
	(void)code;
	return is_about_device(f) &&
	       !claw_crash_is_injected(claw_crash_call(f, f->told)) &&
	       claw_dump_log_has_code(f->dump, "clw-device-lost");
}

END_RULE(watchdog)
{
	if (!is_about_device(f) ||
	    strcmp(f->told_code, "clw-device-timeout") != 0)
		return false;
	*code = f->told_code;
	return true;
}

END_RULE(told)
{
	if (!is_about_device(f))
		return false;
	*code = f->told_code;
	return true;
}

END_RULE(gone_at_start)
{
	const struct claw_trace_call *call;

	(void)code;
	if (has_coped(f) || f->first_context)
		return false;
	call = claw_crash_call(f, f->failed);
	return call && (call->result == CL_DEVICE_NOT_FOUND ||
			call->result == CL_DEVICE_NOT_AVAILABLE ||
			call->result == CL_PLATFORM_NOT_FOUND_KHR);
}

END_RULE(build_refused)
{
	(void)code;
	return !has_coped(f) && f->build && f->build >= f->no_memory &&
	       claw_crash_is_of_build(f);
}

END_RULE(no_memory)
{
	(void)code;
	return !has_coped(f) && f->no_memory;
}

/* The diagnosis that has the code of the call and is known by it. */
static const char *code_of_call(const struct claw_trace_call *call)
{
	const char *name = claw_code_name(call->result);

	if (call->fault && call->fault < CLAW_FAULT_COUNT &&
	    claw_crash_is_injected(call))
		return claw_diagnosis_of_fault((enum claw_fault)call->fault);
	if (name && claw_diagnosis_has(
		    claw_diagnosis_find("clw-invalid-handle"), name))
		return "clw-invalid-handle";
	return NULL;
}

END_RULE(gave_up)
{
	const struct claw_trace_call *call = claw_crash_call(f, f->failed);

	if (has_coped(f) || !call)
		return false;
	*code = code_of_call(call);
	return true;
}

END_RULE(well)
{
	(void)code;
	return has_coped(f);
}

END_RULE(unknown)
{
	(void)f;
	(void)code;
	return true;
}
