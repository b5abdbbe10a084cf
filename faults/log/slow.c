/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What may be said of a call that took long: whether it is memory's time, and
 * whose memory.
 */
#include "config.h"

#include "slow.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "log.h"
#include "faults/call/model_table.h"
#include "faults/shared/units.h"

enum {
	MAX_TOLD = 64,		/* calls a process that are told of */
	TEXT_BYTES = 320,
};

__thread uint8_t claw_slow_pending
	__attribute__((tls_model(CLAW_TLS_MODEL), visibility("hidden")));

bool claw_slow_watched[CLAW_API_COUNT];

/* Functions to be counted together. */
struct functions {
	uint16_t apis[CLAW_API_COUNT];
	size_t count;
};
static struct functions enqueues, queue_makers;
static unsigned int told;	/* atomic */

static bool is_in(enum claw_api api, uint32_t groups)
{
	return claw_api_table[api].groups & groups;
}

static bool is_memory(enum claw_api api)
{
	return is_in(api, CLAW_G_ALLOC | CLAW_G_TRANSFER) ||
	       claw_api_is_launch(api);
}

/* May this function ever be looked at? */
static bool may_watch(enum claw_api api)
{
	return claw_guest.mem_timeout_ns && is_memory(api);
}

/* Whoever sets the ways meanwhile wins: a first use may be missed then. */
static void watch_launch(enum claw_api api, bool on)
{
	uint8_t from = on ? CLAW_SHORT : CLAW_TIMED;

	__atomic_store_n(&claw_slow_watched[api], on, __ATOMIC_RELAXED);
	__atomic_compare_exchange_n(&claw_page.way[api], &from,
				    on ? CLAW_TIMED : CLAW_SHORT, false,
				    __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

void claw_slow_watch_launches(bool on)
{
	watch_launch(CLAW_API_clEnqueueNDRangeKernel, on);
	watch_launch(CLAW_API_clEnqueueTask, on);
}

/* ---- queues ----------------------------------------------------------- */

static uint64_t count_of(const struct functions *of)
{
	return claw_journal_count_all(of->apis, of->count);
}

/* Calls of this thread; 0 where it has no counters of its own. */
static uint64_t own_count_of(const struct functions *of)
{
	const struct claw_journal_self *self = &claw_journal_self;
	uint64_t sum = 0;

	for (size_t i = 0; self->block && i < of->count; i++)
		sum += self->block->calls[of->apis[i]] -
		       self->base[of->apis[i]];
	return sum;
}

static bool is_in_order(cl_command_queue queue)
{
	bool out_of_order;

	claw_ours_begin();
	out_of_order = claw_device_is_out_of_order(queue);
	claw_ours_end();
	return !out_of_order;
}

/* Were all queues idle when this call, which counts already, came? */
static bool was_idle(const struct claw_call *call, uint8_t pending)
{
	uint64_t enqueued = count_of(&enqueues);
	cl_command_queue queue = claw_arg_pointer(call, CLAW_P_QUEUE);
	void *const *list;

	if (claw_arg_list(call, CLAW_P_WAIT_LIST, &list))
		return false;
	if (enqueued == 1)
		return true;
	if (enqueued != own_count_of(&enqueues))
		return false;
	if (!pending)
		return true;
	if (count_of(&queue_makers) != 1)
		return false;
	return !(pending & (is_in_order(queue) ? CLAW_SLOW_SINCE_WAIT :
			    CLAW_SLOW_SINCE_FINISH));
}

/* ---- what is told ----------------------------------------------------- */

static const char *noun_of(const char *function)
{
	return strstr(function, "Image") ? "image" :
	       strstr(function, "SVM") || strstr(function, "INTEL") ?
			"shared memory" :
	       strstr(function, "Pipe") ? "pipe" : "buffer";
}

static const char *verb_of(const struct claw_call *call, const char *function)
{
	return is_in(call->api, CLAW_G_ALLOC) ? "Allocation" :
	       strstr(function, "Map") ? "Map" :
	       strstr(function, "Read") ? "Read" :
	       strstr(function, "Write") ? "Write" :
	       claw_api_is_launch(call->api) ? "First use" : "Transfer";
}

/* "Allocation of 512 MiB buffer on device 'NAME'" */
static void describe(const struct claw_call *call, char *text, size_t size)
{
	const char *function = claw_api_table[call->api].name;
	bool launches = claw_api_is_launch(call->api);
	uint64_t bytes = launches ? 0 : claw_call_bytes(call);
	char amount[CLAW_SIZE_TEXT] = "", device[128];

	if (bytes)
		claw_size_text(bytes, amount);
	claw_model_show_name(call, device, sizeof(device));
	snprintf(text, size, "%s of %s%s%s on device '%s'",
		 verb_of(call, function), amount, bytes ? " " : "",
		 launches ? "memory" : noun_of(function), device);
}

static void seconds(uint64_t ns, char text[CLAW_SIZE_TEXT])
{
	uint64_t ms = ns / 1000000;

	snprintf(text, CLAW_SIZE_TEXT, "%" PRIu64 ".%03" PRIu64 "s",
		 ms / 1000, ms % 1000);
}

static void record(const struct claw_call *call, uint16_t flags,
		   const char *text)
{
	if (__atomic_fetch_add(&told, 1, __ATOMIC_RELAXED) < MAX_TOLD)
		claw_write_slow(call, flags | CLAW_REC_SLOW,
				claw_journal_string(text, strlen(text)));
}

static void tell(const struct claw_call *call, uint64_t ns)
{
	char text[TEXT_BYTES], what[TEXT_BYTES], took[CLAW_SIZE_TEXT];
	char limit[CLAW_SIZE_TEXT];

	describe(call, what, sizeof(what));
	seconds(ns, took);
	seconds(claw_guest.mem_timeout_ns, limit);
	snprintf(text, sizeof(text), "%.190s took %s (limit %s)", what, took,
		 limit);
	record(call, 0, text);
	claw_log_plain(CLAW_LOG_ERROR, "clw-memory-timeout: %s", text);
}

static void tell_unsure(const struct claw_call *call, uint64_t ns)
{
	char text[TEXT_BYTES], took[CLAW_SIZE_TEXT];

	seconds(ns, took);
	snprintf(text, sizeof(text), "%s took %s; how much of it was waiting "
		 "for other commands is not known",
		 claw_api_table[call->api].name, took);
	record(call, CLAW_REC_UNSURE, text);
	claw_log(CLAW_LOG_WARN, "%s", text);
}

bool claw_slow_is_timeout(enum claw_api api, uint64_t delay_ns)
{
	return is_in(api, CLAW_G_ALLOC | CLAW_G_TRANSFER) &&
	       claw_guest.mem_timeout_ns &&
	       delay_ns >= claw_guest.mem_timeout_ns;
}

void claw_slow_given_up(const struct claw_call *call)
{
	char text[TEXT_BYTES], what[TEXT_BYTES], limit[CLAW_SIZE_TEXT];
	const char *code = claw_code_name(call->err);

	describe(call, what, sizeof(what));
	seconds(claw_guest.mem_timeout_ns, limit);
	snprintf(text, sizeof(text), "%.190s timed out after %s", what, limit);
	record(call, CLAW_REC_INJECTED, text);
	claw_log_plain(CLAW_LOG_ERROR, "clw-memory-timeout: %s (INJECTED)",
		       text);
	claw_log_plain(CLAW_LOG_ERROR, "CLW_ERROR: %s failed with %s (%d) "
		       "(INJECTED)", claw_api_table[call->api].name,
		       code ? code : "an error", (int)call->err);
}

/* ---- around the driver's call ----------------------------------------- */

/* What the driver says that a finished command took, or 0: it does not. */
static uint64_t profiled_ns(const struct claw_call *call)
{
	const cl_event *event = claw_arg_pointer(call, CLAW_P_EVENT_OUT);
	cl_ulong start = 0, end = 0;
	cl_int err;

	if (!event || !*event || !claw_call_is_blocking(call))
		return 0;
	claw_ours_begin();
	err = claw_next.clGetEventProfilingInfo(*event,
		CL_PROFILING_COMMAND_START, sizeof(start), &start, NULL);
	if (!err)
		err = claw_next.clGetEventProfilingInfo(*event,
			CL_PROFILING_COMMAND_END, sizeof(end), &end, NULL);
	claw_ours_end();
	return err || end <= start ? 0 : end - start;
}

void claw_slow_late(const struct claw_call *call, uint64_t ns, uint8_t pending)
{
	uint64_t profiled;

	if (claw_ours_is_on())
		return;
	if (is_in(call->api, CLAW_G_ALLOC) || was_idle(call, pending)) {
		tell(call, ns);
		return;
	}
	profiled = profiled_ns(call);
	if (!profiled)
		tell_unsure(call, ns);
	else if (profiled >= claw_guest.mem_timeout_ns)
		tell(call, profiled);
}

void claw_slow_begin(struct claw_call *call)
{
	if (claw_api_is_launch(call->api))
		claw_slow_watch_launches(false);
	call->slow.pending = claw_slow_pending;
	if (is_in(call->api, CLAW_G_ENQUEUE))
		claw_slow_enqueues();
	call->slow.start_ns = claw_slow_now_ns();
}

void claw_slow_end(struct claw_call *call)
{
	uint64_t ns = claw_slow_now_ns() - call->slow.start_ns;

	call->slow.start_ns = 0;
	if (is_in(call->api, CLAW_G_ALLOC))
		claw_slow_created();
	else if (!call->err && !call->injected && claw_call_is_blocking(call))
		claw_slow_waited(call->slow.pending);
	if (__builtin_expect(ns >= claw_guest.mem_timeout_ns, 0))
		claw_slow_late(call, ns, call->slow.pending);
}

void claw_slow_begin_process(void)
{
	enqueues.count = queue_makers.count = 0;
	told = 0;
	for (unsigned int i = 0; i < CLAW_API_COUNT; i++) {
		enum claw_api api = (enum claw_api)i;
		const struct claw_api_info *info = &claw_api_table[api];

		if (is_in(api, CLAW_G_ENQUEUE))
			enqueues.apis[enqueues.count++] = (uint16_t)i;
		if (info->effect == CLAW_CREATES &&
		    info->object == CLAW_OBJ_QUEUE)
			queue_makers.apis[queue_makers.count++] = (uint16_t)i;
		claw_slow_watched[i] = may_watch(api) &&
			!claw_api_is_launch(api);
	}
}
