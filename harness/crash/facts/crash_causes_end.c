/* SPDX-License-Identifier: Apache-2.0 */
/* Causes that show at the end itself, and those where nothing else does. */
#include "config.h"

#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "crash_output.h"
#include "crash_rules.h"
#include "crash_words.h"
#include "harness/records/diagnosis.h"
#include "harness/base/words.h"

/* ---- the device ------------------------------------------------------- */

/* What the program was about when the device was told to be gone. */
static const char *phase_of(const struct claw_crash_facts *f, uint32_t number)
{
	const struct claw_trace_call *call = claw_crash_call(f, number);
	uint32_t groups = claw_crash_is_call(call) ?
		claw_api_table[call->api].groups : CLAW_G_SYNC;

	if (!f->first_context || number <= f->first_context)
		return "at startup, before a context existed";
	if (groups & CLAW_G_RELEASE)
		return "while it released its objects";
	if (groups & CLAW_G_BUILD)
		return "while it built a program";
	if (claw_crash_is_call(call) && claw_api_is_launch(call->api))
		return "at a launch";
	if (f->launch && f->launch < number &&
	    (groups & CLAW_G_SYNC || claw_crash_waits(call)))
		return "while a launch was running";
	if (groups & CLAW_G_TRANSFER)
		return "in a transfer";
	if (groups & CLAW_G_SYNC)
		return "in a wait";
	if (!f->first_launch || number < f->first_launch)
		return "during setup, before the first launch";
	if (groups & CLAW_G_CREATE)
		return "while it created objects, after launches";
	return "between launches";
}

bool claw_cause_lost_in_phase(const struct claw_crash_facts *f,
			      struct claw_crash_note *note)
{
	uint32_t number = f->told;

	if (!number && !f->first_context)
		number = f->failed;
	if (note->nth || !number ||
	    (f->told && strcmp(f->told_code, "clw-device-lost") != 0) ||
	    (!f->told && claw_crash_call(f, number)->result !=
	     CL_DEVICE_NOT_FOUND && claw_crash_call(f, number)->result !=
	     CL_PLATFORM_NOT_FOUND_KHR))
		return false;
	fputs(phase_of(f, number), note->detail);
	claw_crash_put_call(note->evidence, f, number);
	if (f->launch && f->launch < number) {
		fputs("; pending: ", note->evidence);
		claw_crash_put_launch(note->evidence, f, f->launch);
	}
	return true;
}

/* ---- what it printed -------------------------------------------------- */

bool claw_cause_build_error(const struct claw_crash_facts *f,
			    struct claw_crash_note *note)
{
	static const char *const words[] = { "error:", "Error:", NULL };
	const struct claw_trace_call *call = claw_crash_call(f, f->build);
	const struct claw_trace_arg *options;
	char *line;

	if (note->nth || !call || !claw_crash_is_of_build(f) ||
	    f->build == f->told)
		return false;
	claw_crash_put_call(note->evidence, f, f->build);
	options = claw_crash_arg(call, "options");
	if (options && options->kind == CLAW_ARG_BYTES && options->bytes)
		fprintf(note->evidence, " with options \"%.*s\"",
			(int)strnlen(options->bytes, options->size < 200 ?
				     options->size : 200),
			(const char *)options->bytes);
	line = claw_crash_said(f->dump, words);
	if (line)
		fprintf(note->evidence, "; it printed: %s", line);
	free(line);
	return true;
}

bool claw_cause_uncaught(const struct claw_crash_facts *f,
			 struct claw_crash_note *note)
{
	static const char *const words[] = {
		"terminate called", "Assertion `", "assertion failed",
		"panicked at", "Traceback (most recent call last)",
		"pyopencl", "Check failed", NULL,
	};
	bool has_died = f->signal == SIGABRT || f->status > 0;
	char *line = note->nth || !has_died ? NULL :
		claw_crash_said(f->dump, words);

	if (!line)
		return false;
	/* Why, another rule may know. */
	if (f->failed || f->top == CLAW_TOP_DRIVER)
		note->percent = 50;
	fprintf(note->evidence, "it printed: %s", line);
	free(line);
	return true;
}

/* Why it ended itself, or waited until it was ended. */
bool claw_cause_device_told(const struct claw_crash_facts *f,
			    struct claw_crash_note *note)
{
	if (note->nth || !f->told ||
	    (strcmp(f->trigger, "timeout") != 0 &&
	     (f->signal != SIGABRT || f->top != CLAW_TOP_PROGRAM)))
		return false;
	note->code = f->told_code;
	claw_crash_put_call(note->evidence, f, f->told);
	if (f->launch) {
		fputs("; that was ", note->evidence);
		claw_crash_put_launch(note->evidence, f, f->launch);
	}
	return true;
}

/* ---- addresses -------------------------------------------------------- */

/* Had it a pointer to give? */
static bool has_given_null(const struct claw_trace_call *call)
{
	return call && claw_crash_is_call(call) &&
	       (call->api == CLAW_API_clEnqueueMapBuffer ||
		call->api == CLAW_API_clEnqueueMapImage ||
		call->api == CLAW_API_clSVMAlloc);
}

bool claw_cause_null_address(const struct claw_crash_facts *f,
			     struct claw_crash_note *note)
{
	if (note->nth || f->signal != SIGSEGV || !f->has_address ||
	    f->address >= 65536 || claw_crash_is_made(f))
		return false;
	fprintf(note->evidence, "the faulting address is 0x%" PRIx64,
		f->address);
	if (has_given_null(claw_crash_call(f, f->failed))) {
		note->percent = 85;
		fputs("that of a call that failed", note->detail);
		fputs("; ", note->evidence);
		claw_crash_put_call(note->evidence, f, f->failed);
	} else if (f->top == CLAW_TOP_PROGRAM && !f->failed) {
		note->percent = 30;	/* of its own making */
	}
	return true;
}

/* ---- what is left ----------------------------------------------------- */

bool claw_cause_killed(const struct claw_crash_facts *f,
		       struct claw_crash_note *note)
{
	if (note->nth || strcmp(f->trigger, "timeout") == 0 ||
	    (f->signal != SIGKILL && f->signal != SIGTERM &&
	     f->signal != SIGINT && f->signal != SIGHUP &&
	     f->signal != SIGQUIT && f->signal != SIGXCPU))
		return false;
	fprintf(note->evidence, "it was sent %s, and the kernel log has no "
		"entry about it", claw_signal_name(f->signal));
	if (f->pending) {
		fputs("; it was in ", note->evidence);
		claw_crash_put_call(note->evidence, f, f->pending);
	}
	return true;
}

/* Other rules speak of memory, builds and devices. */
bool claw_cause_failed_call(const struct claw_crash_facts *f,
			    struct claw_crash_note *note)
{
	const struct claw_trace_call *call = claw_crash_call(f, f->failed);
	const char *name;

	if (note->nth || !call || claw_crash_is_of_build(f) ||
	    f->failed == f->told || f->failed == f->no_memory)
		return false;
	if (f->signal || f->told)
		note->percent = 30;
	claw_crash_put_call(note->evidence, f, f->failed);
	name = claw_code_name(call->result);
	if (name && claw_diagnosis_has(
		    claw_diagnosis_find("clw-invalid-handle"), name))
		note->code = "clw-invalid-handle";
	return true;
}

static void put_arguments(const struct claw_crash_facts *f,
			  const struct claw_trace_call *launch, FILE *out)
{
	for (uint32_t i = 0; i < launch->kernel_arg_count && i < 8; i++) {
		const struct claw_trace_kernel_arg *arg =
			&launch->kernel_args[i];
		const struct claw_trace_object *object =
			claw_trace_object_get(f->trace, arg->object);

		if (!object || !object->bytes)
			continue;
		fprintf(out, "; argument %" PRIu32 " has ", arg->index);
		claw_crash_put_bytes(out, object->bytes);
	}
}

/* Was there a choice? */
static void put_others(const struct claw_crash_facts *f, FILE *out)
{
	if (f->alike > 1)
		fprintf(out, " (one of %" PRIu32 " unfinished launches that "
			"cannot be told apart; crash-analyze --deep replays "
			"all of them)", f->alike);
	else if (f->open_launches > 1)
		fprintf(out, " (the most suspicious of %" PRIu32 " unfinished "
			"launches)", f->open_launches);
}

bool claw_cause_launch_faulted(const struct claw_crash_facts *f,
			       struct claw_crash_note *note)
{
	const struct claw_trace_call *launch = claw_crash_call(f, f->launch);

	if (note->nth || !launch || (!f->told && !f->signal) ||
	    f->signal == SIGKILL || f->top == CLAW_TOP_PROGRAM ||
	    (f->told && strcmp(f->told_code, "clw-gpu-crash") != 0) ||
	    claw_crash_is_injected(launch))
		return false;
	claw_crash_put_launch(note->evidence, f, f->launch);
	fputs(" had not finished", note->evidence);
	put_others(f, note->evidence);
	fputs(": global size ", note->evidence);
	claw_crash_put_sizes(note->evidence, launch, "global_work_size");
	put_arguments(f, launch, note->evidence);
	return true;
}

bool claw_cause_own_code(const struct claw_crash_facts *f,
			 struct claw_crash_note *note)
{
	char *place;

	if (note->nth || f->top != CLAW_TOP_PROGRAM || !f->crash)
		return false;
	place = claw_crash_place(f, f->crash->site);
	fprintf(note->evidence, "the fault is in it: %s",
		place ? place : "an unnamed place");
	free(place);
	return true;
}

bool claw_cause_driver_bug(const struct claw_crash_facts *f,
			   struct claw_crash_note *note)
{
	const struct claw_trace_call *call = claw_crash_call(f, f->pending);
	char *place;

	if (note->nth || f->top == CLAW_TOP_PROGRAM || !f->signal ||
	    f->signal == SIGKILL || (!call && f->top != CLAW_TOP_DRIVER) ||
	    (call && claw_crash_is_injected(call)))
		return false;
	place = f->crash ? claw_crash_place(f, f->crash->site) : NULL;
	if (call)
		claw_crash_put_call(note->evidence, f, f->pending);
	if (place)
		fprintf(note->evidence, "%sthe fault is in %s",
			call ? "; " : "", place);
	free(place);
	return true;
}
