/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What went wrong in the last call of each thread, and where.
 */
#include "config.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clw_private.h"

/* Of a thread; allocated, for a library that is loaded late has hardly any
 * thread-local memory of its own. */
struct thread {
	struct clw_place next;		/* of the next call */
	struct clw_place now;		/* of this one */
	char function[64];
	struct clw_error last;
	char report[2 * CLW_TEXT];
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static bool has_key;

static void make_key(void)
{
	has_key = pthread_key_create(&key, free) == 0;
}

static struct thread *known_thread(void)
{
	pthread_once(&once, make_key);
	return has_key ? pthread_getspecific(key) : NULL;
}

static struct thread *this_thread(void)
{
	struct thread *thread = known_thread();

	if (thread || !has_key)
		return thread;
	thread = calloc(1, sizeof(*thread));
	if (thread && pthread_setspecific(key, thread)) {
		free(thread);
		thread = NULL;
	}
	return thread;
}

/* Destructors of keys are not run for the thread that ends the process. */
__attribute__((destructor)) static void end(void)
{
	struct thread *thread = known_thread();

	if (!has_key)
		return;
	pthread_setspecific(key, NULL);
	free(thread);
}

/* ---- places ------------------------------------------------------------- */

static void copy(char *to, size_t size, const char *from)
{
	snprintf(to, size, "%s", from ? from : "");
}

void clwAt(const char *file, int line, const char *function, const char *api)
{
	struct thread *thread = this_thread();

	if (!thread)
		return;
	copy(thread->next.file, sizeof(thread->next.file), file);
	copy(thread->next.function, sizeof(thread->next.function), function);
	copy(thread->next.api, sizeof(thread->next.api), api);
	thread->next.line = line;
}

static void clear_place(struct clw_place *place)
{
	place->file[0] = place->function[0] = place->api[0] = '\0';
	place->line = 0;
}

void clw_enter(const char *function)
{
	struct thread *thread = this_thread();

	if (!thread)
		return;
	thread->now = thread->next;
	clear_place(&thread->next);
	copy(thread->function, sizeof(thread->function), function);
}

const struct clw_place *clw_place(void)
{
	static const struct clw_place nowhere;
	const struct thread *thread = known_thread();

	return thread ? &thread->now : &nowhere;
}

const char *clw_place_text(const struct clw_place *place,
			   char text[2 * CLW_NAME])
{
	const char *slash = strrchr(place->file, '/');

	text[0] = '\0';
	if (place->file[0])
		snprintf(text, 2 * CLW_NAME, " at %s:%d",
			 slash ? slash + 1 : place->file, place->line);
	return text;
}

/* ---- names -------------------------------------------------------------- */

static const struct {
	int status;
	const char *code;
} codes[] = {
	{ CLW_OK, "ok" },
	{ CLW_OUT_OF_MEMORY, "clw-out-of-memory" },
	{ CLW_MEMORY_TIMEOUT, "clw-memory-timeout" },
	{ CLW_OUT_OF_HOST_MEMORY, "clw-out-of-host-memory" },
	{ CLW_BUFFER_OVERFLOW, "clw-buffer-overflow" },
	{ CLW_INVALID_ARGUMENT, "clw-invalid-argument" },
	{ CLW_INVALID_SIZE, "clw-invalid-size" },
	{ CLW_INVALID_HANDLE, "clw-invalid-handle" },
	{ CLW_INVALID_WORK_SIZE, "clw-invalid-work-size" },
	{ CLW_ARGUMENT_NOT_SET, "clw-argument-not-set" },
	{ CLW_INVALID_CONFIGURATION, "clw-invalid-configuration" },
	{ CLW_KERNEL_NOT_FOUND, "clw-kernel-not-found" },
	{ CLW_KERNEL_BUILD_FAILURE, "clw-kernel-build-failure" },
	{ CLW_KERNEL_COMPILE_TIMEOUT, "clw-kernel-compile-timeout" },
	{ CLW_KERNEL_TIMEOUT, "clw-kernel-timeout" },
	{ CLW_NO_DEVICE, "clw-no-device" },
	{ CLW_GPU_CRASH, "clw-gpu-crash" },
	{ CLW_DEVICE_LOST, "clw-device-lost" },
	{ CLW_DRIVER_CRASH, "clw-driver-crash" },
	{ CLW_WORKER_LOST, "clw-worker-lost" },
	{ CLW_OPENCL_ERROR, "clw-opencl-error" },
};

const char *clwStatusCode(int status)
{
	for (size_t i = 0; i < sizeof(codes) / sizeof(*codes); i++)
		if (codes[i].status == status)
			return codes[i].code;
	return "clw-unknown";
}

const char *clw_cl_name(cl_int code)
{
	static const struct {
		const char *name;
		cl_int code;
	} names[] = {
#define CODE(name_, number_) { #name_, number_ },
#include "faults/shared/cl_codes.def"
#undef CODE
		{ "NVIDIA's code for a process that has lost the device",
		  CLW_NVIDIA_LOST },
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (names[i].code == code)
			return names[i].name;
	return "an unknown code";
}

/* ---- failing ------------------------------------------------------------ */

__attribute__((format(printf, 3, 0)))
static int fail(int status, cl_int code, const char *format, va_list args)
{
	struct thread *thread = this_thread();
	struct clw_error *error;
	int length;

	if (!thread)
		return status;
	error = &thread->last;
	error->status = status;
	error->cl_code = code;
	copy(error->function, sizeof(error->function), thread->function);
	error->place = thread->now;
	length = snprintf(error->text, sizeof(error->text), "%s: ",
			  clwStatusCode(status));
	vsnprintf(error->text + length, sizeof(error->text) - (size_t)length,
		  format, args);
	return status;
}

int clw_fail(int status, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fail(status, CL_SUCCESS, format, args);
	va_end(args);
	return status;
}

int clw_fail_cl(int status, cl_int code, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fail(status, code, format, args);
	va_end(args);
	return status;
}

int clw_fail_memory(void)
{
	return clw_fail(CLW_OUT_OF_HOST_MEMORY, "the host has no memory for "
			"the library's own data");
}

void clw_error_get(struct clw_error *ret_error)
{
	const struct thread *thread = known_thread();

	if (thread)
		*ret_error = thread->last;
	else
		*ret_error = (struct clw_error){
			.status = CLW_OUT_OF_HOST_MEMORY,
			.text = "clw-out-of-host-memory: the host has no "
				"memory",
		};
}

int clw_error_set(const struct clw_error *error)
{
	struct thread *thread = this_thread();

	if (thread)
		thread->last = *error;
	return error->status;
}

/* ---- asking ------------------------------------------------------------- */

int clwLastStatus(void)
{
	const struct thread *thread = known_thread();

	return thread ? thread->last.status : CLW_OK;
}

const char *clwLastError(void)
{
	const struct thread *thread = known_thread();

	return thread ? thread->last.text : "";
}

cl_int clwLastClCode(void)
{
	const struct thread *thread = known_thread();

	return thread ? thread->last.cl_code : CL_SUCCESS;
}

/* Behind what is there. */
__attribute__((format(printf, 2, 3)))
static void add(struct thread *thread, const char *format, ...)
{
	size_t length = strlen(thread->report);
	va_list args;

	va_start(args, format);
	vsnprintf(thread->report + length, sizeof(thread->report) - length,
		  format, args);
	va_end(args);
}

static void add_backtrace(struct thread *thread, const struct clw_error *error)
{
	const struct clw_place *place = &error->place;
	const char *slash = strrchr(place->file, '/');

	if (place->api[0])
		add(thread, "\nBacktrace:\n  #0 %s", place->api);
	else
		add(thread, "\nBacktrace:\n  #0 %s()", error->function);
	if (place->function[0])
		add(thread, "\n  #1 %s()", place->function);
	if (place->function[0] && place->file[0])
		add(thread, " at %s:%d", slash ? slash + 1 : place->file,
		    place->line);
}

const char *clwLastReport(void)
{
	struct thread *thread = known_thread();
	const struct clw_error *error;

	if (!thread || !thread->last.status)
		return "";
	error = &thread->last;
	copy(thread->report, sizeof(thread->report), error->text);
	if (error->cl_code)
		add(thread, "\nCLW_ERROR: %s failed with %s (%" PRId32 ")",
		    error->function, clw_cl_name(error->cl_code), error->cl_code);
	if (error->function[0])
		add_backtrace(thread, error);
	return thread->report;
}
