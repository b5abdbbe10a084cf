/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Count the memory of live objects, say it, limit it.
 */
#include "config.h"

#include "memory_use.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "faults/log/log.h"
#include "faults/shared/units.h"
#include "model.h"

enum {
	MAX_DEVICES = 64,
	PRESSURE_PERCENT = 85,	/* from here on a warning */
	MIB_SHIFT = 20,
};

static struct {
	uint64_t max_bytes, reserve_bytes;	/* 0: no limit */
	bool paging;
	bool on;
	uint64_t live[MAX_DEVICES];		/* bytes; atomic */
} state;

static uint64_t read_mib(const char *name)
{
	const char *text = getenv(name);
	char *end;
	uint64_t number;

	if (!text || text[0] < '0' || text[0] > '9')
		return 0;
	number = strtoull(text, &end, 10);
	return *end || number >> (63 - MIB_SHIFT) ? 0 : number << MIB_SHIFT;
}

void claw_memory_begin_process(void)
{
	const char *paging = getenv("CLW_PAGING");

	state.max_bytes = read_mib("CLW_MAX_ALLOCATION_MB");
	state.reserve_bytes = read_mib("CLW_RESERVE_MB");
	state.paging = paging && strcmp(paging, "1") == 0;
	memset(state.live, 0, sizeof(state.live));
	state.on = claw_log_is_on(CLAW_LOG_ERROR) || state.max_bytes ||
		   state.reserve_bytes;
}

static bool makes_mem(enum claw_api api)
{
	const struct claw_api_info *info = &claw_api_table[api];

	return info->groups & CLAW_G_ALLOC && info->object == CLAW_OBJ_MEM;
}

bool claw_memory_watches(enum claw_api api)
{
	return state.on && (claw_api_table[api].groups & CLAW_G_ALLOC ||
			    api == CLAW_API_clReleaseMemObject);
}

/* ---- devices ---------------------------------------------------------- */

static cl_device_id device_of(const struct claw_call *call)
{
	cl_device_id devices[16];

	return claw_device_of_call(call, devices, 16) ? devices[0] : NULL;
}

/* Of the device that the program is shown. */
static uint64_t total_of(const struct claw_call *call, cl_device_id device)
{
	struct claw_model_memory model;
	cl_ulong bytes = 0;

	if (claw_models_are_on()) {
		claw_model_memory_look(claw_model_of_call(call), &model);
		return model.total;
	}
	claw_ours_begin();
	if (claw_next.clGetDeviceInfo(device, CL_DEVICE_GLOBAL_MEM_SIZE,
				      sizeof(bytes), &bytes, NULL))
		bytes = 0;
	claw_ours_end();
	return bytes;
}

static uint64_t *live_of(cl_device_id device)
{
	int index = claw_device_index(device);

	return &state.live[index < 0 ? 0 : index % MAX_DEVICES];
}

/* Bytes of its own that an object has; of a part of another, none. */
static uint64_t own_bytes(cl_mem mem)
{
	cl_mem whole = NULL;
	size_t bytes = 0;

	claw_ours_begin();
	if (claw_next.clGetMemObjectInfo(mem, CL_MEM_ASSOCIATED_MEMOBJECT,
					 sizeof(whole), &whole, NULL) ||
	    whole || claw_next.clGetMemObjectInfo(mem, CL_MEM_SIZE,
						  sizeof(bytes), &bytes, NULL))
		bytes = 0;
	claw_ours_end();
	return bytes;
}

static bool is_last_reference(cl_mem mem)
{
	cl_uint count = 0;
	cl_int err;

	claw_ours_begin();
	err = claw_next.clGetMemObjectInfo(mem, CL_MEM_REFERENCE_COUNT,
					   sizeof(count), &count, NULL);
	claw_ours_end();
	return !err && count == 1;
}

/* ---- an allocation ---------------------------------------------------- */

/* What may be taken in all, of so much. */
static uint64_t limit_of(uint64_t total)
{
	uint64_t limit = UINT64_MAX;

	if (state.reserve_bytes && total)
		limit = total > state.reserve_bytes ?
			total - state.reserve_bytes : 0;
	if (state.max_bytes && state.max_bytes < limit)
		limit = state.max_bytes;
	return limit;
}

static void say_before(const struct claw_call *call, uint64_t total,
		       uint64_t live, uint64_t bytes)
{
	uint64_t free_bytes = total > live ? total - live : 0, percent;
	struct claw_model_memory model;

	if (claw_models_are_on()) {
		claw_model_memory_look(claw_model_of_call(call), &model);
		total = model.total;
		free_bytes = model.free;
	}
	claw_log(CLAW_LOG_DEBUG, "Querying device memory: %" PRIu64
		 " MiB total, %" PRIu64 " MiB free", total >> MIB_SHIFT,
		 free_bytes >> MIB_SHIFT);
	if (bytes >> MIB_SHIFT)
		claw_log(CLAW_LOG_DEBUG, "Attempting allocation: %" PRIu64
			 " MiB", bytes >> MIB_SHIFT);
	else
		claw_log(CLAW_LOG_DEBUG, "Attempting allocation: %" PRIu64
			 " B", bytes);
	if (!total)
		return;
	bytes += total - free_bytes;
	percent = bytes > UINT64_MAX / 100 ? 100 : bytes * 100 / total;
	if (percent >= PRESSURE_PERCENT)
		claw_log(CLAW_LOG_WARN, "Memory pressure detected: %" PRIu64
			 "%% utilization", percent);
}

static void refuse(struct claw_call *call)
{
	static const struct claw_rule no_memory = { .fault = CLAW_FAULT_OOM };

	claw_fail(call, claw_rule_code(&no_memory, call->api));
	claw_write_event(call, 0);
}

/* How much there was for the call that failed. */
static uint64_t available(const struct claw_call *call)
{
	cl_device_id device = device_of(call);
	uint64_t total = device ? total_of(call, device) : 0, limit, live;
	struct claw_model_memory model;

	if (!device || !total)
		return UINT64_MAX;
	live = __atomic_load_n(live_of(device), __ATOMIC_RELAXED);
	limit = limit_of(total) < total ? limit_of(total) : total;
	limit = live < limit ? limit - live : 0;
	if (!claw_models_are_on())
		return limit;
	claw_model_memory_look(claw_model_of_call(call), &model);
	return model.free < limit ? model.free : limit;
}

static const char *tag_of(const struct claw_call *call)
{
	return call->flags & CLAW_REC_INJECTED ? " (INJECTED)" : "";
}

/* Of no bytes it is a mistake, of some more than CL_DEVICE_MAX_MEM_ALLOC_SIZE
 * (5.2.1). */
static bool is_too_large(const struct claw_call *call)
{
	return call->err == CL_INVALID_BUFFER_SIZE && claw_call_bytes(call) > 0;
}

/* Refused here, by a fault, by a device model or by the driver. */
static void say_failed(const struct claw_call *call)
{
	uint64_t bytes = claw_call_bytes(call), free_bytes;
	char left[48] = "";

	if (call->ret || (call->err != CL_MEM_OBJECT_ALLOCATION_FAILURE &&
			  call->err != CL_OUT_OF_HOST_MEMORY &&
			  !is_too_large(call)))
		return;
	free_bytes = available(call);
	if (is_too_large(call))
		snprintf(left, sizeof(left), " (more than one buffer may have)");
	else if (free_bytes < bytes)
		snprintf(left, sizeof(left), " (only %" PRIu64
			 " MB available)", free_bytes >> MIB_SHIFT);
	claw_log_plain(CLAW_LOG_ERROR, "[ERROR] clw-out-of-memory: Cannot "
		       "allocate %" PRIu64 " MB%s%s",
		       (bytes + (1 << MIB_SHIFT) - 1) >> MIB_SHIFT, left,
		       tag_of(call));
}

/* The bytes are taken before the driver is asked, so that of two threads one
 * gets the last of them. */
static void before_allocation(struct claw_call *call)
{
	uint64_t bytes = claw_call_bytes(call), limit, live, total;
	cl_device_id device = device_of(call);
	uint64_t *counter;

	call->memory.start_ns = claw_now_ns();
	if (!device)
		return;
	total = total_of(call, device);
	if (!makes_mem(call->api)) {
		say_before(call, total, __atomic_load_n(live_of(device),
						  __ATOMIC_RELAXED), bytes);
		return;
	}
	counter = live_of(device);
	live = __atomic_fetch_add(counter, bytes, __ATOMIC_RELAXED);
	say_before(call, total, live, bytes);
	limit = limit_of(total);
	call->memory.counter = counter;
	call->memory.bytes = bytes;
	if (live <= limit && bytes <= limit - live)
		return;
	if (state.paging)
		claw_log(CLAW_LOG_WARN, "Memory limit of %" PRIu64 " MiB "
			 "exceeded: paging", limit >> MIB_SHIFT);
	else
		refuse(call);
}

static void after_allocation(struct claw_call *call)
{
	uint64_t ms = (claw_now_ns() - call->memory.start_ns) / 1000000;
	const char *code = claw_code_name(call->err);
	char size[CLAW_SIZE_TEXT];
	uint64_t own;

	if (call->memory.counter) {
		own = call->ret ? own_bytes(call->ret) : 0;
		__atomic_fetch_add(call->memory.counter,
				   own - call->memory.bytes, __ATOMIC_RELAXED);
		call->memory.counter = NULL;
	}
	say_failed(call);
	claw_log(CLAW_LOG_DEBUG, "Alloc %s %s: %s in %" PRIu64 ".%03" PRIu64
		 "s%s", claw_size_short(claw_call_bytes(call), size),
		 strstr(claw_api_table[call->api].name, "Image") ? "image" :
		 "buffer", call->ret ? "success" : code ? code : "failure",
		 ms / 1000, ms % 1000,
		 call->flags & (CLAW_REC_INJECTED | CLAW_REC_DELAYED) ?
		 " (INJECTED)" : "");
}

/* ---- a release -------------------------------------------------------- */

static void before_release(struct claw_call *call)
{
	cl_mem mem = claw_arg_pointer(call, CLAW_P_MEM);
	cl_device_id device;

	if (!mem || !is_last_reference(mem))
		return;
	call->memory.bytes = own_bytes(mem);
	device = call->memory.bytes ? device_of(call) : NULL;
	call->memory.counter = device ? live_of(device) : NULL;
}

static void after_release(struct claw_call *call)
{
	if (call->memory.counter && !call->err)
		__atomic_fetch_sub(call->memory.counter, call->memory.bytes,
				   __ATOMIC_RELAXED);
	call->memory.counter = NULL;
}

void claw_memory_before(struct claw_call *call)
{
	if (call->api == CLAW_API_clReleaseMemObject)
		before_release(call);
	else
		before_allocation(call);
}

void claw_memory_after(struct claw_call *call)
{
	if (call->api == CLAW_API_clReleaseMemObject)
		after_release(call);
	else if (call->memory.start_ns)
		after_allocation(call);
}
