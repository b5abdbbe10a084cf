/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How a run of a kernel ended: the first thing that went wrong, in words, and
 * which diagnosis an OpenCL error means.
 */
#include "config.h"

#include "kernel.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "faults/shared/api.h"
#include "suites/case_result.h"

/* NVIDIA's driver, when the context is gone. */
enum { CODE_NVIDIA_LOST = -9999 };

/* The first outcome stays. */
__attribute__((format(printf, 4, 0)))
static void set_outcome(struct claw_kernel_run *run,
			enum claw_kernel_status status, unsigned int line,
			const char *format, va_list args)
{
	if (run->status != CLAW_KERNEL_HELD)
		return;
	run->status = status;
	run->line = line;
	vsnprintf(run->message, sizeof(run->message), format, args);
}

bool claw_kernel_fail(struct claw_kernel_run *run, unsigned int line,
		      const char *format, ...)
{
	va_list args;

	va_start(args, format);
	set_outcome(run, CLAW_KERNEL_FAILED, line, format, args);
	va_end(args);
	return false;
}

bool claw_kernel_skip(struct claw_kernel_run *run, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	set_outcome(run, CLAW_KERNEL_SKIPPED, 0, format, args);
	va_end(args);
	return false;
}

bool claw_kernel_refuse(struct claw_kernel_run *run, unsigned int line,
			const char *format, ...)
{
	va_list args;

	va_start(args, format);
	set_outcome(run, CLAW_KERNEL_USAGE, line, format, args);
	va_end(args);
	return false;
}

void claw_kernel_add(struct claw_kernel_run *run, const char *format, ...)
{
	size_t length = strlen(run->message);
	va_list args;

	if (length + 2 >= sizeof(run->message))
		return;
	memcpy(run->message + length, ": ", 3);
	va_start(args, format);
	vsnprintf(run->message + length + 2,
		  sizeof(run->message) - length - 2, format, args);
	va_end(args);
}

__attribute__((format(printf, 2, 3)))
static void set_broken(struct claw_kernel_run *run, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	set_outcome(run, CLAW_KERNEL_BROKEN, 0, format, args);
	va_end(args);
}

bool claw_kernel_break(struct claw_kernel_run *run, const char *what)
{
	set_broken(run, "out of memory for %s", what);
	return false;
}

const char *claw_kernel_code(cl_int code)
{
	static char texts[4][64];
	static unsigned int next;
	char *text = texts[next++ % 4];
	const char *name = claw_code_name(code);

	if (name)
		snprintf(text, sizeof(texts[0]), "%s (%d)", name, (int)code);
	else
		snprintf(text, sizeof(texts[0]), "%d", (int)code);
	return text;
}

const char *claw_kernel_type(const struct claw_clw_arg *arg)
{
	static char texts[4][64];
	static unsigned int next;
	char *text = texts[next++ % 4];
	char width[16] = "";

	if (arg->type.width > 1)
		snprintf(width, sizeof(width), "%u", arg->type.width);
	snprintf(text, sizeof(texts[0]), "%s%s[%zu]",
		 claw_clw_base_name(arg->type.base), width, arg->count);
	return text;
}

const struct claw_clw_arg *
claw_kernel_about(const struct claw_kernel_object *object)
{
	return object->in ? object->in : object->out;
}

/* Does the test hand over a handle that is none on purpose? */
static bool has_bad_handle(const struct claw_kernel_run *run)
{
	for (size_t i = 0; i < run->object_count; i++)
		if (run->objects[i].is_null || run->objects[i].is_freed)
			return true;
	return false;
}

/* Codes that say a handle of ours is not one. */
static bool is_about_handle(cl_int err)
{
	switch (err) {
	case CL_INVALID_CONTEXT:
	case CL_INVALID_COMMAND_QUEUE:
	case CL_INVALID_MEM_OBJECT:
	case CL_INVALID_SAMPLER:
	case CL_INVALID_PROGRAM:
	case CL_INVALID_KERNEL:
	case CL_INVALID_EVENT:
		return true;
	default:
		return false;
	}
}

static const char *diagnose(const struct claw_kernel_run *run, cl_int err)
{
	switch (err) {
	case CL_MEM_OBJECT_ALLOCATION_FAILURE:
	case CL_OUT_OF_HOST_MEMORY:
		return "clw-out-of-memory";
	case CL_DEVICE_NOT_AVAILABLE:
		return "clw-device-lost";
	case CL_OUT_OF_RESOURCES:
		return run->is_launched ? "clw-gpu-crash" :
					  "clw-out-of-memory";
	case CODE_NVIDIA_LOST:
		return "clw-gpu-crash";
	case CL_BUILD_PROGRAM_FAILURE:
	case CL_COMPILE_PROGRAM_FAILURE:
		return "clw-kernel-build-failure";
	case CL_INVALID_KERNEL_ARGS:
	case CL_INVALID_ARG_VALUE:
		return has_bad_handle(run) ? "clw-invalid-handle" : NULL;
	default:
		break;
	}
	if (run->is_launched)
		return "clw-gpu-crash";
	return is_about_handle(err) ? "clw-invalid-handle" : NULL;
}

/* An error that the specification has for what a caller did wrong. */
static bool is_callers(cl_int err)
{
	return err == CL_MISALIGNED_SUB_BUFFER_OFFSET ||
	       (err <= CL_INVALID_VALUE && err > -100);
}

bool claw_kernel_fail_call(struct claw_kernel_run *run, const char *call,
			   const struct claw_clw_arg *arg, cl_int err)
{
	const char *code = diagnose(run, err);
	char text[256], whose[32] = "";

	if (arg)
		snprintf(whose, sizeof(whose), " for argument %u", arg->index);
	if (err == CL_SUCCESS) {
		code = "clw-invalid-handle";
		snprintf(text, sizeof(text), "%s%s returned CL_SUCCESS but no "
			 "object", call, whose);
	} else {
		snprintf(text, sizeof(text), "%s%s returned %s%s", call, whose,
			 claw_kernel_code(err), run->is_launched ?
			 " after the launch" : "");
	}
	if (code)
		claw_case_result_line("code", code, text, NULL);
	else if (is_callers(err))
		claw_case_result_line("finding", "api-error", "", call, "",
				      "0", "0", "0", text, NULL);
	run->is_call = run->is_call || run->status == CLAW_KERNEL_HELD;
	return claw_kernel_fail(run, arg ? arg->line : 0, "%s", text);
}
