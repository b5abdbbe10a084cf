/* SPDX-License-Identifier: Apache-2.0 */
/* Meters of calls: which are timed, how long they take, what they end with. */
#include "config.h"

#include "meter_calls.h"

#include <string.h>

#include "faults/call/event_callbacks.h"
#include "meter.h"
#include "meter_batches.h"
#include "meter_events.h"
#include "meter_kernels.h"

/* enum claw_meter_kind of each function; KIND_COUNT: it is not timed. */
static uint8_t kinds[CLAW_API_COUNT];
static int8_t blockings[CLAW_API_COUNT], errcodes[CLAW_API_COUNT];
static int8_t sizes[CLAW_API_COUNT];

static bool has(const char *name, const char *word)
{
	return strstr(name, word) != NULL;
}

static enum claw_meter_kind transfer_kind(const char *name)
{
	if (has(name, "Unmap") || has(name, "Migrate"))
		return CLAW_METER_KIND_COUNT;
	return has(name, "Map") ? CLAW_METER_MAP :
		has(name, "Copy") || has(name, "Mem") || has(name, "Fill") ?
			CLAW_METER_COPY :
		has(name, "Read") ? CLAW_METER_READ :
		has(name, "Write") ? CLAW_METER_WRITE : CLAW_METER_KIND_COUNT;
}

static enum claw_meter_kind find_kind(enum claw_api api)
{
	uint32_t groups = claw_api_table[api].groups;

	if (claw_api_is_launch(api))
		return CLAW_METER_LAUNCH_CALL;
	if (api == CLAW_API_clFinish || api == CLAW_API_clWaitForEvents)
		return CLAW_METER_WAIT;
	if (groups & CLAW_G_ALLOC)
		return CLAW_METER_ALLOC;
	if (groups & CLAW_G_BUILD)
		return CLAW_METER_BUILD;
	if (groups & CLAW_G_TRANSFER && groups & CLAW_G_ENQUEUE)
		return transfer_kind(claw_api_table[api].name);
	return CLAW_METER_KIND_COUNT;
}

void claw_meter_calls_begin(void)
{
	for (unsigned int i = 0; i < CLAW_API_COUNT; i++) {
		enum claw_api api = (enum claw_api)i;

		kinds[i] = (uint8_t)find_kind(api);
		blockings[i] = (int8_t)claw_api_find_param(api,
							   CLAW_P_BLOCKING);
		sizes[i] = (int8_t)claw_api_find_param(api, CLAW_P_SIZE);
		errcodes[i] = (int8_t)claw_api_find_param(api, CLAW_P_ERRCODE);
	}
}

void claw_meter_add_time(enum claw_meter_kind kind, uint64_t ticks,
			 uint64_t count, uint64_t bytes)
{
	bool alone;
	struct claw_meter *meter = &claw_meter_here(&alone)->meters[kind];
	uint64_t longest = __atomic_load_n(&meter->max_ticks, __ATOMIC_RELAXED);

	claw_meter_bump(&meter->buckets[claw_meter_bucket(ticks)], count,
			alone);
	claw_meter_bump(&meter->count, count, alone);
	claw_meter_bump(&meter->ticks, ticks * count, alone);
	if (bytes)
		claw_meter_bump(&meter->bytes, bytes, alone);
	while (ticks > longest &&
	       !__atomic_compare_exchange_n(&meter->max_ticks, &longest, ticks,
					    true, __ATOMIC_RELAXED,
					    __ATOMIC_RELAXED))
		;
}

/* A code is wanted where the program wants none. */
static void lend_errcode(struct claw_call *call)
{
	int i = errcodes[call->api];
	cl_int **errcode;

	if (i < 0)
		return;
	errcode = (cl_int **)call->args[i];
	if (!*errcode)
		*errcode = &call->err;
}

void claw_meter_enter(struct claw_call *call)
{
	claw_meter_count();
	lend_errcode(call);
	call->meter.ticks = 0;
	if (kinds[call->api] != CLAW_METER_KIND_COUNT) {
		if (claw_api_is_launch(call->api))
			call->meter.created = __atomic_load_n(
				&claw_own_ledger.header->created,
				__ATOMIC_RELAXED);
		call->meter.ticks = claw_journal_ticks();
	}
	if (call->api == CLAW_API_clSetEventCallback)
		claw_event_callbacks_wrap(call);
}

/* ---- how it ended */

/* The driver's code, 0 for a success. */
static cl_int code_of(const struct claw_call *call)
{
	const struct claw_api_info *info = &claw_api_table[call->api];
	int i = errcodes[call->api];

	if (info->fails_as == CLAW_STATUS)
		return call->err;
	if (info->fails_as == CLAW_VOID || call->ret)
		return CL_SUCCESS;
	if (i >= 0)
		return **(cl_int *const *)call->args[i];
	/* A pointer without a code: NULL is a failure where one is legal. */
	return info->code_count ? info->codes[0] : CL_SUCCESS;
}

/* Did openclaw answer, whatever it did to the driver meanwhile? */
static bool is_answered(const struct claw_call *call, cl_int err)
{
	return (call->injected && !call->held && !call->guarded) ||
	       call->flags & CLAW_REC_INJECTED ||
	       (err == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST &&
		claw_meter_waits_for_ours(call));
}

static void end_wait(const struct claw_call *call, cl_int err, uint64_t now)
{
	void *const *events;
	uint32_t count;
	cl_command_queue queue;

	if (call->api == CLAW_API_clFinish) {
		claw_meter_waited(CLAW_ARG(call, clFinish, command_queue), now,
				  !err);
		return;
	}
	count = claw_arg_list(call, call->api == CLAW_API_clWaitForEvents ?
			      CLAW_P_EVENTS : CLAW_P_WAIT_LIST, &events);
	claw_meter_events_waited(events, count, err, now);
	queue = claw_arg_pointer(call, CLAW_P_QUEUE);
	if (queue && claw_meter_is_in_order(queue))
		claw_meter_waited(queue, now, !err);
}

static bool is_wait(const struct claw_call *call)
{
	int i = blockings[call->api];

	return i >= 0 ? *(const cl_bool *)call->args[i] :
		kinds[call->api] == CLAW_METER_WAIT;
}

static uint64_t bytes_of(const struct claw_call *call)
{
	int i = sizes[call->api];

	if (i >= 0)
		return *(const size_t *)call->args[i];
	return claw_api_table[call->api].groups &
		(CLAW_G_ALLOC | CLAW_G_TRANSFER) ? claw_meter_bytes(call) : 0;
}

static void end_timed(const struct claw_call *call, cl_int err)
{
	enum claw_meter_kind kind = (enum claw_meter_kind)kinds[call->api];
	uint64_t now = claw_journal_ticks();

	if (!err)
		claw_meter_add_time(kind, now - call->meter.ticks, 1,
				    bytes_of(call));
	if (is_wait(call))
		end_wait(call, err, now);
	if (kind == CLAW_METER_LAUNCH_CALL && !err) {
		claw_meter_launched(call);
		claw_meter_kernel_launched(call);
	}
}

void claw_meter_leave(struct claw_call *call)
{
	cl_int err = code_of(call);

	if (is_answered(call, err)) {
		claw_meter_answered(err);
	} else {
		if (err)
			claw_meter_failed(err);
		if (call->meter.ticks)
			end_timed(call, err);
	}
	if (call->api == CLAW_API_clGetEventInfo && !err)
		claw_meter_asked(call->args);
	if (call->api == CLAW_API_clSetEventCallback)
		claw_event_callbacks_end(call);
}
