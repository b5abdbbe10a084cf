/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Workloads: what a worker is to run, and what it came to.
 */
#include "config.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clw_private.h"
#include "worker.h"

enum { MS_MAX = 7 * 24 * 3600 * 1000, RETRIES_MAX = 1000 };

struct argument {
	unsigned int index;
	int kind, output;
	size_t size;
	void *data;			/* NULL: zeros */
};

struct clw_workload {
	pthread_mutex_t lock;
	char *name, *test;		/* test: behind "#", or "" */
	bool recovery;
	int64_t retries, gpu_timeout_ms, device, seed;
	unsigned int dimensions;	/* 0: the file's */
	bool has_local;
	size_t global[3], local[3];
	struct argument *args;
	size_t count;
};

/* ---- making ------------------------------------------------------------- */

static void free_workload(struct clw_workload *workload)
{
	for (size_t i = 0; i < workload->count; i++)
		free(workload->args[i].data);
	free(workload->args);
	free(workload->name);
	free(workload->test);
	pthread_mutex_destroy(&workload->lock);
	free(workload);
}

static bool copy_names(struct clw_workload *workload, const char *name)
{
	size_t length = strcspn(name, "#");

	workload->name = strndup(name, length);
	workload->test = strdup(name[length] ? name + length + 1 : "");
	return workload->name && workload->test;
}

int clwCreateWorkload(const char *name, struct clw_workload **ret_workload)
{
	struct clw_workload *workload;
	struct clw_settings settings;
	int status;

	clw_enter(__func__);
	if (!name || !*name || !ret_workload)
		return clw_fail(CLW_INVALID_ARGUMENT, "%s is %s", ret_workload ?
				"name" : "ret_workload", name && !*name ?
				"empty" : "NULL");
	status = clw_settings_read(&settings);
	if (status)
		return status;
	workload = calloc(1, sizeof(*workload));
	if (!workload || pthread_mutex_init(&workload->lock, NULL)) {
		free(workload);
		return clw_fail_memory();
	}
	if (!copy_names(workload, name)) {
		free_workload(workload);
		return clw_fail_memory();
	}
	workload->recovery = settings.recovery;
	workload->retries = (int64_t)settings.retries;
	workload->gpu_timeout_ms = (int64_t)settings.gpu_timeout_ms;
	workload->device = CLW_DEFAULT_DEVICE;
	*ret_workload = workload;
	return CLW_OK;
}

void clwReleaseWorkload(struct clw_workload *workload)
{
	clw_enter(__func__);
	if (workload)
		free_workload(workload);
}

static int fail_null(void)
{
	return clw_fail(CLW_INVALID_HANDLE, "the workload is NULL");
}

int clwConfigureWorkload(struct clw_workload *workload, const char *key,
			 int64_t value)
{
	int64_t recovery = 0;
	int status = CLW_OK;

	clw_enter(__func__);
	if (!workload || !key)
		return workload ? clw_fail(CLW_INVALID_ARGUMENT, "key is NULL") :
		       fail_null();
	const struct {
		const char *name;
		int64_t low, high, *value;
	} keys[] = {
		{ "enable_crash_recovery", 0, 1, &recovery },
		{ "max_retry_attempts", 0, RETRIES_MAX, &workload->retries },
		{ "gpu_timeout_ms", 0, MS_MAX, &workload->gpu_timeout_ms },
		{ "device", -1, INT_MAX, &workload->device },
		{ "seed", 0, INT64_MAX, &workload->seed },
	};
	enum { KEYS = sizeof(keys) / sizeof(*keys) };
	size_t i = 0;

	while (i < KEYS && strcmp(keys[i].name, key) != 0)
		i++;
	if (i == KEYS)
		return clw_fail(CLW_INVALID_ARGUMENT, "'%.80s' is no key of a "
				"workload: enable_crash_recovery, "
				"max_retry_attempts, gpu_timeout_ms, device, "
				"seed", key);
	pthread_mutex_lock(&workload->lock);
	if (value < keys[i].low || value > keys[i].high)
		status = clw_fail(CLW_INVALID_ARGUMENT, "%s: expected %" PRId64
				  " to %" PRId64 ", found %" PRId64, key,
				  keys[i].low, keys[i].high, value);
	else
		*keys[i].value = value;
	if (!status && i == 0)
		workload->recovery = recovery != 0;
	pthread_mutex_unlock(&workload->lock);
	return status;
}

int clwWorkloadDevice(const struct clw_workload *workload)
{
	return workload ? (int)workload->device : CLW_DEFAULT_DEVICE;
}

/* ---- arguments ------------------------------------------------------------ */

/* With the lock: the one of that index, or a new one. */
static struct argument *find_arg(struct clw_workload *workload,
				 unsigned int index)
{
	struct argument *args;

	for (size_t i = 0; i < workload->count; i++)
		if (workload->args[i].index == index)
			return &workload->args[i];
	args = realloc(workload->args, (workload->count + 1) * sizeof(*args));
	if (!args)
		return NULL;
	workload->args = args;
	args += workload->count++;
	*args = (struct argument){ .index = index };
	return args;
}

static int set(struct clw_workload *workload, const struct argument *given)
{
	struct argument *arg;
	void *data = NULL;
	int status = CLW_OK;

	if (!workload)
		return fail_null();
	if (!given->size || given->size > CLW_SIZE_MAX)
		return clw_fail(CLW_INVALID_SIZE, "argument %u: its size is "
				"%zu", given->index, given->size);
	if (given->index >= CLW_ARGS_MAX)
		return clw_fail(CLW_INVALID_ARGUMENT, "argument %u: expected "
				"at most %d", given->index, CLW_ARGS_MAX - 1);
	if (given->data) {
		data = malloc(given->size);
		if (!data)
			return clw_fail_memory();
		memcpy(data, given->data, given->size);
	}
	pthread_mutex_lock(&workload->lock);
	arg = find_arg(workload, given->index);
	if (arg) {
		free(arg->data);
		*arg = *given;
		arg->data = data;
	} else {
		free(data);
		status = clw_fail_memory();
	}
	pthread_mutex_unlock(&workload->lock);
	return status;
}

int clwSetWorkloadValue(struct clw_workload *workload, unsigned int index,
			size_t size, const void *value)
{
	struct argument arg = {
		.index = index, .kind = CLW_ARG_VALUE, .size = size,
		.data = (void *)(uintptr_t)value,
	};

	clw_enter(__func__);
	return value ? set(workload, &arg) :
	       clw_fail(CLW_INVALID_ARGUMENT, "value is NULL");
}

int clwSetWorkloadBuffer(struct clw_workload *workload, unsigned int index,
			 size_t size, const void *data, int output)
{
	struct argument arg = {
		.index = index, .kind = CLW_ARG_BUFFER, .size = size,
		.output = output != 0, .data = (void *)(uintptr_t)data,
	};

	clw_enter(__func__);
	return set(workload, &arg);
}

int clwSetWorkloadLocal(struct clw_workload *workload, unsigned int index,
			size_t size)
{
	struct argument arg = {
		.index = index, .kind = CLW_ARG_LOCAL, .size = size,
	};

	clw_enter(__func__);
	return set(workload, &arg);
}

int clwSetWorkloadSize(struct clw_workload *workload, unsigned int dimensions,
		       const size_t *global, const size_t *local)
{
	clw_enter(__func__);
	if (!workload)
		return fail_null();
	if (dimensions < 1 || dimensions > 3 || !global)
		return clw_fail(CLW_INVALID_WORK_SIZE, "expected a global size "
				"of 1 to 3 dimensions, found %s of %u", global ?
				"one" : "NULL", dimensions);
	pthread_mutex_lock(&workload->lock);
	workload->dimensions = dimensions;
	workload->has_local = local != NULL;
	for (unsigned int i = 0; i < 3; i++) {
		workload->global[i] = i < dimensions ? global[i] : 1;
		workload->local[i] = local && i < dimensions ? local[i] : 1;
	}
	pthread_mutex_unlock(&workload->lock);
	return CLW_OK;
}

/* ---- running -------------------------------------------------------------- */

static void put_args(struct clw_wire *wire, const struct clw_workload *workload)
{
	clw_put(wire, workload->count);
	for (size_t i = 0; i < workload->count; i++) {
		const struct argument *arg = &workload->args[i];

		clw_put(wire, arg->index);
		clw_put(wire, (uint64_t)arg->kind);
		clw_put(wire, (uint64_t)arg->output);
		clw_put(wire, arg->size);
		clw_put_bytes(wire, arg->data, arg->data ? arg->size : 0);
	}
}

/* The worker may have been started elsewhere: a path from the root. */
static int put_workload(struct clw_wire *wire,
			const struct clw_workload *workload)
{
	char found[PATH_MAX], path[PATH_MAX], function[CLW_NAME];
	int status = clw_source_find(workload->name, found, sizeof(found),
				     function, sizeof(function));

	if (status)
		return status;
	if (!realpath(found, path))
		return clw_fail(CLW_KERNEL_NOT_FOUND, "%.400s: %s", found,
				strerror(errno));
	clw_put_text(wire, path);
	clw_put_text(wire, function);
	clw_put_text(wire, workload->test);
	clw_put(wire, (uint64_t)workload->seed);
	clw_put(wire, workload->dimensions);
	clw_put(wire, workload->has_local);
	for (unsigned int i = 0; i < 3; i++) {
		clw_put(wire, workload->global[i]);
		clw_put(wire, workload->local[i]);
	}
	put_args(wire, workload);
	return CLW_OK;
}

static int take_output(struct clw_wire *reply, struct clw_output *ret_output)
{
	struct clw_output output = { .index = (unsigned int)clw_get(reply) };
	const void *data;

	snprintf(output.type, sizeof(output.type), "%s", clw_get_text(reply));
	output.count = (size_t)clw_get(reply);
	data = clw_get_bytes(reply, &output.size);
	if (reply->is_bad)
		return clw_fail(CLW_WORKER_LOST, "the worker's results are "
				"not whole");
	output.data = malloc(output.size ? output.size : 1);
	if (!output.data)
		return clw_fail_memory();
	memcpy(output.data, data, output.size);
	*ret_output = output;
	return CLW_OK;
}

static int take_result(struct clw_wire *reply, struct clw_result *result)
{
	uint64_t count;
	int status = CLW_OK;

	result->peak_bytes = clw_get(reply);
	result->elapsed_ns = clw_get(reply);
	count = clw_get(reply);
	if (reply->is_bad || count > CLW_ARGS_MAX)
		return clw_fail(CLW_WORKER_LOST, "the worker's results are "
				"not whole");
	result->outputs = calloc(count ? (size_t)count : 1,
				 sizeof(*result->outputs));
	if (!result->outputs)
		return clw_fail_memory();
	while (!status && result->output_count < count) {
		status = take_output(reply,
				     &result->outputs[result->output_count]);
		result->output_count += status == CLW_OK;
	}
	return status;
}

static int run(const struct clw_workload *workload,
	       const struct clw_wire *request, struct clw_result *result)
{
	uint64_t timeout_ns = (uint64_t)workload->gpu_timeout_ms *
			      CLW_NS_PER_MS;
	struct clw_wire reply = { .data = NULL };
	char what[CLW_NAME];
	int status;

	snprintf(what, sizeof(what), "workload %.100s", workload->name);
	do {
		if (result->attempts)
			clw_log_own(CLAW_LOG_WARN, "%s; trying again (%u of %"
				    PRId64 ")", clwLastError(),
				    result->attempts, workload->retries);
		result->attempts++;
		clw_log_plain(CLAW_LOG_INFO, "[INFO] Initializing workload");
		status = clw_worker_ask((int)workload->device, CLW_RUN,
					request, timeout_ns, what, &reply);
	} while (clw_worker_may_help(status) && workload->recovery &&
		 result->attempts <= workload->retries);
	if (!status)
		status = take_result(&reply, result);
	clw_wire_clear(&reply);
	return status;
}

/* What the thread's error says of status. */
static int describe(struct clw_result *result, int status)
{
	struct clw_error error = { .status = CLW_OK };

	if (status)
		clw_error_get(&error);
	result->status = status;
	result->cl_code = error.cl_code;
	result->code = strdup(clwStatusCode(status));
	result->message = strdup(error.text);
	return result->code && result->message ? CLW_OK : clw_fail_memory();
}

int clwExecuteWorkload(struct clw_workload *workload,
		       struct clw_result **ret_result)
{
	struct clw_wire request = { .data = NULL };
	struct clw_result *result;
	int status;

	clw_enter(__func__);
	if (!workload)
		return fail_null();
	result = calloc(1, sizeof(*result));
	if (!result)
		return clw_fail_memory();
	pthread_mutex_lock(&workload->lock);
	status = put_workload(&request, workload);
	if (!status)
		status = run(workload, &request, result);
	pthread_mutex_unlock(&workload->lock);
	clw_wire_clear(&request);
	if (describe(result, status)) {
		clwReleaseResult(result);
		return CLW_OUT_OF_HOST_MEMORY;
	}
	if (ret_result)
		*ret_result = result;
	else
		clwReleaseResult(result);
	return status;
}

void clwReleaseResult(struct clw_result *result)
{
	if (!result)
		return;
	for (size_t i = 0; i < result->output_count; i++)
		free(result->outputs[i].data);
	free(result->outputs);
	free(result->code);
	free(result->message);
	free(result);
}

/* ---- recovery ------------------------------------------------------------- */

/* A caller's own time, else that of a workload where it is shorter than the
 * default: whoever says how long a run may take says it of this one, too. */
static uint64_t time_of(unsigned int timeout_ms)
{
	struct clw_settings settings;
	uint64_t ms = timeout_ms ? timeout_ms : 30000;

	if (!timeout_ms && !clw_settings_read(&settings) &&
	    settings.gpu_timeout_ms && settings.gpu_timeout_ms < ms)
		ms = settings.gpu_timeout_ms;
	return ms * CLW_NS_PER_MS;
}

static int probe(int device, uint64_t timeout_ns)
{
	struct clw_wire reply = { .data = NULL };
	char what[32];
	int status;

	snprintf(what, sizeof(what), "probe of device %d", device);
	status = clw_worker_ask(device, CLW_PROBE, NULL, timeout_ns, what,
				&reply);
	clw_wire_clear(&reply);
	return status;
}

int clwProbeDevice(int device, unsigned int timeout_ms)
{
	clw_enter(__func__);
	return probe(device, time_of(timeout_ms));
}

int clwResetDevice(int device)
{
	clw_enter(__func__);
	clw_worker_end(device);
	return probe(device, time_of(0));
}

int clwWaitForRecovery(int device, unsigned int timeout_ms)
{
	uint64_t deadline = clw_deadline(time_of(timeout_ms));
	uint64_t nap = 10 * CLW_NS_PER_MS, now;
	struct clw_error last = { .status = CLW_OK };
	int status;

	clw_enter(__func__);
	/* However short the time is, and whenever we get a processor: without a
	 * probe nothing is known. */
	do {
		now = clw_now_ns();
		status = probe(device, now < deadline ? deadline - now : 1);
		if (!status)
			return CLW_OK;
		/* One that ran out of our time says nothing of the device that
		 * a whole one has not. */
		if (status != CLW_KERNEL_TIMEOUT || !last.status)
			clw_error_get(&last);
		clw_worker_end(device);
		now = clw_now_ns();
		if (now < deadline)
			clw_sleep_ns(nap < deadline - now ? nap :
				     deadline - now);
		if (nap < CLW_NS_PER_S)
			nap *= 2;
	} while (clw_now_ns() < deadline);
	return clw_error_set(&last);
}
