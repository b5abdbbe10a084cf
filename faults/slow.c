/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How long memory took: two readings of a clock around the driver's call, and
 * what may be said about the time between them.
 */
#include "config.h"

#include "slow.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "log.h"
#include "memory_use.h"

enum {
	MAX_QUEUES = 64,	/* whose idleness is known */
	MAX_TOLD = 64,		/* calls a process that are told of */
	TEXT_BYTES = 320,
};

/* A queue with nothing in it while so many commands had been enqueued. */
struct idle_queue {
	cl_command_queue queue;
	uint64_t enqueued;
	bool in_order;
};

static struct {
	bool busy;		/* who finds it so does without; atomic */
	struct idle_queue queues[MAX_QUEUES];
	unsigned int queue_count, next_queue;
	unsigned int told;	/* atomic */
} state;

/* Functions that enqueue, to be counted together. */
bool claw_slow_watched[CLAW_API_COUNT];

static uint16_t enqueues[CLAW_API_COUNT];
static size_t enqueue_count;

static uint64_t now_ns(void)
{
	struct timespec now;

#ifdef CLOCK_MONOTONIC_COARSE
	if (clock_gettime(CLOCK_MONOTONIC_COARSE, &now) == 0)
		return (uint64_t)now.tv_sec * 1000000000u +
		       (uint64_t)now.tv_nsec;
#endif
	return claw_now_ns();
}

static bool is_in(enum claw_api api, uint32_t groups)
{
	return claw_api_table[api].groups & groups;
}

static bool is_launch(enum claw_api api)
{
	return api == CLAW_API_clEnqueueNDRangeKernel ||
	       api == CLAW_API_clEnqueueTask;
}

static bool is_memory(enum claw_api api)
{
	return is_in(api, CLAW_G_ALLOC | CLAW_G_TRANSFER) || is_launch(api);
}

bool claw_slow_may_watch(enum claw_api api)
{
	return claw_guest.mem_timeout_ns &&
	       (is_memory(api) || api == CLAW_API_clFinish);
}

/* The first launch after a creation may be its memory's first use. */
static void watch_launches(bool on)
{
	__atomic_store_n(&claw_slow_watched[CLAW_API_clEnqueueNDRangeKernel],
			 on, __ATOMIC_RELAXED);
	__atomic_store_n(&claw_slow_watched[CLAW_API_clEnqueueTask], on,
			 __ATOMIC_RELAXED);
}

static bool is_blocking(const struct claw_call *call)
{
	const cl_bool *blocking = claw_arg_address(call, CLAW_P_BLOCKING);

	return call->api == CLAW_API_clFinish || (blocking && *blocking);
}

/* ---- queues ----------------------------------------------------------- */

static bool try_lock(void)
{
	return !__atomic_exchange_n(&state.busy, true, __ATOMIC_ACQUIRE);
}

static void unlock(void)
{
	__atomic_store_n(&state.busy, false, __ATOMIC_RELEASE);
}

static uint64_t count_enqueued(void)
{
	return claw_journal_count_all(enqueues, enqueue_count);
}

/* Under the lock. */
static struct idle_queue *find_queue(cl_command_queue queue)
{
	for (unsigned int i = 0; i < state.queue_count; i++)
		if (state.queues[i].queue == queue)
			return &state.queues[i];
	return NULL;
}

static bool is_in_order(cl_command_queue queue)
{
	bool out_of_order;

	claw_ours_begin();
	out_of_order = claw_device_is_out_of_order(queue);
	claw_ours_end();
	return !out_of_order;
}

/* Nothing was in the queue when so many commands had been enqueued anywhere,
 * and it had come back. */
static void note_idle(cl_command_queue queue, uint64_t enqueued, bool finished)
{
	struct idle_queue *idle;

	if (!try_lock())
		return;
	idle = find_queue(queue);
	if (!idle) {
		idle = &state.queues[state.next_queue++ % MAX_QUEUES];
		if (state.queue_count < MAX_QUEUES)
			state.queue_count++;
		*idle = (struct idle_queue){ .queue = queue };
		idle->in_order = is_in_order(queue);
	}
	if (finished || idle->in_order)
		idle->enqueued = enqueued;
	unlock();
}

/* Was the queue idle when this call, which counts already, came? Others that
 * came meanwhile make it a no. */
static bool was_idle(const struct claw_call *call)
{
	cl_command_queue queue = claw_arg_pointer(call, CLAW_P_QUEUE);
	uint64_t before = count_enqueued() - 1;
	const struct idle_queue *idle;
	void *const *list;
	bool known;

	if (claw_arg_list(call, CLAW_P_WAIT_LIST, &list))
		return false;
	if (before == 0)
		return true;
	if (!try_lock())
		return false;
	idle = find_queue(queue);
	known = idle && idle->enqueued == before;
	unlock();
	return known;
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
	       is_launch(call->api) ? "First use" : "Transfer";
}

/* "Allocation of 512 MiB buffer on device 'NAME'" */
static void describe(const struct claw_call *call, char *text, size_t size)
{
	const char *function = claw_api_table[call->api].name;
	uint64_t bytes = is_launch(call->api) ? 0 : claw_call_bytes(call);
	char amount[CLAW_SIZE_TEXT] = "", device[128];

	if (bytes)
		claw_size_text(bytes, amount);
	claw_memory_device_name(call, device, sizeof(device));
	snprintf(text, size, "%s of %s%s%s on device '%s'",
		 verb_of(call, function), amount, bytes ? " " : "",
		 is_launch(call->api) ? "memory" : noun_of(function), device);
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
	if (__atomic_fetch_add(&state.told, 1, __ATOMIC_RELAXED) < MAX_TOLD)
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

	if (!event || !*event || !is_blocking(call))
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

static void judge(const struct claw_call *call, uint64_t ns)
{
	uint64_t profiled;

	if (is_in(call->api, CLAW_G_ALLOC) || was_idle(call)) {
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
	call->slow_enqueued = 0;
	if (is_launch(call->api))
		watch_launches(false);
	if (is_blocking(call))
		call->slow_enqueued = count_enqueued();
	call->slow_start_ns = now_ns();
}

void claw_slow_end(struct claw_call *call)
{
	uint64_t start_ns = call->slow_start_ns, ns;

	if (!start_ns)
		return;
	ns = now_ns() - start_ns;
	call->slow_start_ns = 0;
	if (__builtin_expect(ns >= claw_guest.mem_timeout_ns, 0) &&
	    is_memory(call->api) && !claw_ours_is_on())
		judge(call, ns);
	if (is_in(call->api, CLAW_G_ALLOC))
		watch_launches(true);
	else if (!call->err && call->slow_enqueued)
		note_idle(claw_arg_pointer(call, CLAW_P_QUEUE),
			  call->slow_enqueued,
			  call->api == CLAW_API_clFinish);
}

void claw_slow_begin_process(void)
{
	size_t count = 0;

	unlock();
	state.queue_count = state.next_queue = 0;
	state.told = 0;
	for (unsigned int i = 0; i < CLAW_API_COUNT; i++) {
		enum claw_api api = (enum claw_api)i;

		if (is_in(api, CLAW_G_ENQUEUE))
			enqueues[count++] = (uint16_t)i;
		claw_slow_watched[i] = claw_slow_may_watch(api) &&
			!is_launch(api);
	}
	enqueue_count = count;
}
