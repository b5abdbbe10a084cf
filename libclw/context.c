/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Contexts: one device and one queue; and what a code of OpenCL means there.
 */
#include "config.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clw_private.h"

/* ---- making ------------------------------------------------------------- */

static void free_context(struct clw_context *context)
{
	if (context->side)
		clReleaseCommandQueue(context->side);
	if (context->queue)
		clReleaseCommandQueue(context->queue);
	if (context->handle)
		clReleaseContext(context->handle);
	pthread_cond_destroy(&context->released);
	pthread_mutex_destroy(&context->build_lock);
	pthread_mutex_destroy(&context->lock);
	context->magic = 0;
	free(context);
}

static int init_locks(struct clw_context *context)
{
	pthread_condattr_t attributes;

	if (pthread_mutex_init(&context->lock, NULL))
		return clw_fail_memory();
	if (pthread_mutex_init(&context->build_lock, NULL))
		goto lock;
	if (pthread_condattr_init(&attributes))
		goto build_lock;
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	if (pthread_cond_init(&context->released, &attributes)) {
		pthread_condattr_destroy(&attributes);
		goto build_lock;
	}
	pthread_condattr_destroy(&attributes);
	return CLW_OK;
build_lock:
	pthread_mutex_destroy(&context->build_lock);
lock:
	pthread_mutex_destroy(&context->lock);
	return clw_fail_memory();
}

static bool means_lost(cl_int code)
{
	switch (code) {
	case CLW_NVIDIA_LOST:
	case CL_DEVICE_NOT_AVAILABLE:
	case CL_OUT_OF_RESOURCES:
	case CL_INVALID_COMMAND_QUEUE:
	case CL_INVALID_CONTEXT:
		return true;
	default:
		return false;
	}
}

static int open_device(struct clw_context *context)
{
	const char *name = context->device.name;
	cl_int err = CL_SUCCESS;

	context->handle = clCreateContext(NULL, 1, &context->device.id, NULL,
					  NULL, &err);
	if (!context->handle && means_lost(err))
		return clw_fail_cl(CLW_DEVICE_LOST, err, "Device %s (ID:%d) "
				   "gives this process no context "
				   "(clCreateContext: %s); a new process may "
				   "have it: clwResetDevice()", name,
				   context->device.number, clw_cl_name(err));
	if (!context->handle)
		return clw_fail_cl(err == CL_OUT_OF_HOST_MEMORY ?
				   CLW_OUT_OF_HOST_MEMORY : CLW_OPENCL_ERROR,
				   err, "no context for device '%s' "
				   "(clCreateContext: %s)", name,
				   clw_cl_name(err));
	context->queue = clCreateCommandQueue(context->handle,
					      context->device.id, 0, &err);
	if (context->queue && context->device.is_lazy)
		context->side = clCreateCommandQueue(context->handle,
						     context->device.id, 0,
						     &err);
	if (!context->queue || (context->device.is_lazy && !context->side))
		return clw_fail_cl(means_lost(err) ? CLW_DEVICE_LOST :
				   err == CL_OUT_OF_HOST_MEMORY ?
				   CLW_OUT_OF_HOST_MEMORY : CLW_OPENCL_ERROR,
				   err, "no queue for device '%s' "
				   "(clCreateCommandQueue: %s)", name,
				   clw_cl_name(err));
	return CLW_OK;
}

static void set_up(struct clw_context *context,
		   const struct clw_settings *settings)
{
	context->magic = CLW_MAGIC_CONTEXT;
	context->references = 1;
	context->pid = getpid();
	context->end = &context->first;
	context->memory_timeout_ns =
		settings->memory_timeout_ms * CLW_NS_PER_MS;
	context->build_timeout_ns = 300 * CLW_NS_PER_S;
	/* The layer holds them where it is. */
	if (clw_layer_is_there())
		return;
	context->max_bytes = settings->max_allocation_mb << 20;
	context->reserve_bytes = settings->reserve_mb << 20;
	context->paging = settings->paging;
}

int clwCreateContext(int device, struct clw_context **ret_context)
{
	struct clw_settings settings;
	struct clw_context *context;
	int status;

	clw_enter(__func__);
	if (!ret_context)
		return clw_fail(CLW_INVALID_ARGUMENT, "ret_context is NULL");
	status = clw_settings_read(&settings);
	if (status)
		return status;
	context = calloc(1, sizeof(*context));
	if (!context)
		return clw_fail_memory();
	status = init_locks(context);
	if (status) {
		free(context);
		return status;
	}
	status = clw_device_find(device, &settings, &context->device);
	if (!status)
		status = open_device(context);
	if (status) {
		free_context(context);
		return status;
	}
	set_up(context, &settings);
	*ret_context = context;
	return CLW_OK;
}

/* ---- ending ------------------------------------------------------------- */

void clw_context_get(struct clw_context *context)
{
	__atomic_fetch_add(&context->references, 1, __ATOMIC_RELAXED);
}

/* Nobody is told any more but whoever reads stderr. */
static void say_untold(struct clw_context *context)
{
	if (!context->is_lost && clw_commands_wait(context))
		clw_log_own(CLAW_LOG_ERROR, "%s", clwLastError());
	if (context->has_failed)
		clw_log_own(CLAW_LOG_ERROR, "never waited for: %s",
			    context->failed.text);
	context->has_failed = false;
}

void clw_context_put(struct clw_context *context)
{
	if (__atomic_sub_fetch(&context->references, 1, __ATOMIC_ACQ_REL))
		return;
	if (context->pid != getpid()) {
		/* The driver is the parent's. */
		free(context);
		return;
	}
	clw_commands_free(context);
	clw_kernels_free(context);
	clw_programs_free(context);
	clw_helpers_end(context);
	free_context(context);
}

void clwReleaseContext(struct clw_context *context)
{
	clw_enter(__func__);
	if (!context || context->magic != CLW_MAGIC_CONTEXT)
		return;
	if (context->pid == getpid())
		say_untold(context);
	clw_context_put(context);
}

/* ---- asking and setting -------------------------------------------------- */

int clw_context_check(struct clw_context *context)
{
	if (!context || context->magic != CLW_MAGIC_CONTEXT)
		return clw_fail(CLW_INVALID_HANDLE, "the context is %s",
				context ? "not a context of libclw, or was "
				"released" : "NULL");
	if (context->pid != getpid())
		return clw_fail(CLW_INVALID_HANDLE, "the context was made in "
				"process %d, from which this one was forked: "
				"make one here, or use a workload",
				(int)context->pid);
	if (__atomic_load_n(&context->is_lost, __ATOMIC_ACQUIRE))
		return clw_fail(CLW_DEVICE_LOST, "Device %s (ID:%d) has entered "
				"unrecoverable state for this context: release "
				"it, and run the work in a new process (a "
				"workload does)",
				context->device.name, context->device.number);
	return CLW_OK;
}

int clw_seconds(double seconds, uint64_t *ret_ns)
{
	/* Also not a number. */
	if (!(seconds >= 0 && seconds <= 7 * 24 * 3600.0))
		return clw_fail(CLW_INVALID_ARGUMENT, "expected seconds from 0 "
				"to 604800, found %g", seconds);
	*ret_ns = (uint64_t)(seconds * (double)CLW_NS_PER_S);
	return CLW_OK;
}

static int set_timeout(struct clw_context *context, double seconds,
		       uint64_t *ret_ns, bool *ret_own)
{
	uint64_t ns = 0;
	int status = clw_context_check(context);

	if (!status)
		status = clw_seconds(seconds, &ns);
	if (status)
		return status;
	pthread_mutex_lock(&context->lock);
	*ret_ns = ns;
	if (ret_own)
		*ret_own = true;
	pthread_mutex_unlock(&context->lock);
	return CLW_OK;
}

int clwSetMemoryTimeout(struct clw_context *context, double seconds)
{
	clw_enter(__func__);
	return set_timeout(context, seconds, &context->memory_timeout_ns,
			   &context->has_own_timeout);
}

int clwSetBuildTimeout(struct clw_context *context, double seconds)
{
	clw_enter(__func__);
	return set_timeout(context, seconds, &context->build_timeout_ns, NULL);
}

int clwSetKernelTimeout(struct clw_context *context, double seconds)
{
	clw_enter(__func__);
	return set_timeout(context, seconds, &context->kernel_timeout_ns, NULL);
}

/* What may be taken in all. */
static uint64_t limit_of(const struct clw_context *context)
{
	uint64_t limit = context->device.total;

	if (context->paging)
		return UINT64_MAX;
	if (context->reserve_bytes)
		limit = limit > context->reserve_bytes ?
			limit - context->reserve_bytes : 0;
	else if (!context->max_bytes)
		return UINT64_MAX;
	return context->max_bytes && context->max_bytes < limit ?
		context->max_bytes : limit;
}

int clwContextMemory(struct clw_context *context,
		     struct clw_memory *ret_memory)
{
	struct clw_memory memory;
	int status;

	clw_enter(__func__);
	if (!ret_memory || ret_memory->struct_size < sizeof(memory))
		return clw_fail(CLW_INVALID_ARGUMENT, "ret_memory is NULL, or "
				"its struct_size is not set");
	status = clw_context_check(context);
	if (status && status != CLW_DEVICE_LOST)
		return status;
	pthread_mutex_lock(&context->lock);
	memory = (struct clw_memory){
		.struct_size = ret_memory->struct_size,
		.total_bytes = context->device.total,
		.limit_bytes = limit_of(context),
		.used_bytes = context->used, .peak_bytes = context->peak,
		.buffers = context->buffers,
	};
	pthread_mutex_unlock(&context->lock);
	*ret_memory = memory;
	return CLW_OK;
}

int clwContextState(struct clw_context *context)
{
	clw_enter(__func__);
	return clw_context_check(context);
}

int clwContextDevice(const struct clw_context *context)
{
	return context ? context->device.number : -1;
}

cl_context clwContextHandle(const struct clw_context *context)
{
	return context ? context->handle : NULL;
}

cl_command_queue clwQueueHandle(const struct clw_context *context)
{
	return context ? context->queue : NULL;
}

int clwContextKeeps(struct clw_context *context, const void *object)
{
	bool keeps;

	if (!context || !object)
		return 0;
	if (object == context->handle || object == context->queue ||
	    object == context->side)
		return 1;
	pthread_mutex_lock(&context->build_lock);
	keeps = clw_programs_have(context, object) ||
		clw_kernels_have(context, object);
	pthread_mutex_unlock(&context->build_lock);
	return keeps;
}

cl_device_id clwDeviceHandle(const struct clw_context *context)
{
	return context ? context->device.id : NULL;
}

/* ---- what a code means ---------------------------------------------------- */

/* Does the device do anything for this context? An H200 that is lost goes on
 * accepting launches and allocations, so a write is waited for. */
static cl_int try_write(cl_context context, cl_command_queue queue)
{
	cl_uint word = 0;
	cl_int err = CL_SUCCESS;
	cl_mem probe = clCreateBuffer(context, CL_MEM_READ_WRITE,
				      sizeof(word), NULL, &err);

	if (!probe)
		return err;
	err = clEnqueueWriteBuffer(queue, probe, CL_TRUE, 0, sizeof(word),
				   &word, 0, NULL, NULL);
	if (!err)
		err = clFinish(queue);
	clReleaseMemObject(probe);
	return err;
}

/* Would a new context have it? */
static bool is_back(const struct clw_context *context)
{
	cl_int err = CL_SUCCESS;
	cl_command_queue queue;
	cl_context other = clCreateContext(NULL, 1, &context->device.id, NULL,
					   NULL, &err);

	if (!other)
		return false;
	queue = clCreateCommandQueue(other, context->device.id, 0, &err);
	if (queue) {
		err = try_write(other, queue);
		clReleaseCommandQueue(queue);
	}
	clReleaseContext(other);
	return queue && !err;
}

bool clw_context_is_gone(struct clw_context *context, cl_int code)
{
	return means_lost(code) &&
	       !__atomic_load_n(&context->is_stuck, __ATOMIC_RELAXED) &&
	       means_lost(try_write(context->handle, context->queue));
}

static void mark_lost(struct clw_context *context, const char *why, bool back)
{
	if (__atomic_exchange_n(&context->is_lost, true, __ATOMIC_ACQ_REL))
		return;
	clw_log_plain(CLAW_LOG_ERROR, "[ERROR] clw-gpu-crash: %s", why);
	clw_log_plain(CLAW_LOG_ERROR, "[ERROR]   Context marked for isolation");
	if (back)
		return;
	clw_log_plain(CLAW_LOG_ERROR, "[ERROR] clw-device-lost: Device %s "
		      "(ID:%d) has entered unrecoverable state",
		      context->device.name, context->device.number);
	clw_log_plain(CLAW_LOG_WARN, "[WARN]   GPU recovery required - a new "
		      "process may have the device again (clwResetDevice)");
}

static int status_of(cl_int code)
{
	switch (code) {
	case CL_MEM_OBJECT_ALLOCATION_FAILURE:
		return CLW_OUT_OF_MEMORY;
	case CL_OUT_OF_HOST_MEMORY:
		return CLW_OUT_OF_HOST_MEMORY;
	case CL_INVALID_WORK_DIMENSION:
	case CL_INVALID_WORK_GROUP_SIZE:
	case CL_INVALID_WORK_ITEM_SIZE:
	case CL_INVALID_GLOBAL_WORK_SIZE:
		return CLW_INVALID_WORK_SIZE;
	case CL_INVALID_KERNEL_ARGS:
		return CLW_ARGUMENT_NOT_SET;
	case CL_INVALID_VALUE:
	case CL_INVALID_ARG_INDEX:
	case CL_INVALID_ARG_VALUE:
	case CL_INVALID_ARG_SIZE:
		return CLW_INVALID_ARGUMENT;
	default:
		return CLW_OPENCL_ERROR;
	}
}

/* The device is gone for this context, and maybe for this process. */
static int fail_lost(struct clw_context *context, cl_int code, bool launched,
		     const char *what)
{
	bool back = is_back(context);

	clw_fail_cl(launched ? CLW_GPU_CRASH : CLW_DEVICE_LOST, code,
		    "%s: %s (%d); this %s has lost device %s (ID:%d), a new "
		    "one %s", what, clw_cl_name(code), code, back ? "context" :
		    "process", context->device.name, context->device.number,
		    back ? "has it" : "may have it: clwResetDevice()");
	mark_lost(context, what, back);
	return clwLastStatus();
}

int clw_context_fail(struct clw_context *context, cl_int code, bool launched,
		     const char *format, ...)
{
	char what[CLW_TEXT - 2 * CLW_NAME];
	bool is_lost = clw_context_is_gone(context, code);
	va_list args;
	int status;

	va_start(args, format);
	vsnprintf(what, sizeof(what), format, args);
	va_end(args);
	/* What took the device along is a command before this call. */
	status = is_lost && !launched ? clw_commands_finish(context) : CLW_OK;
	if (status)
		return status;
	if (is_lost)
		return fail_lost(context, code, launched, what);
	if (!launched || code != CL_OUT_OF_RESOURCES)
		return clw_fail_cl(code == CL_DEVICE_NOT_AVAILABLE ?
				   CLW_DEVICE_LOST : status_of(code), code,
				   "%s: %s (%d)", what, clw_cl_name(code), code);
	return clw_fail_cl(CLW_GPU_CRASH, code, "%s: %s (%d); the context still "
			   "has device %s (ID:%d)", what, clw_cl_name(code),
			   code, context->device.name, context->device.number);
}
