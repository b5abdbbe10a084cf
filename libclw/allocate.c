/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory of the device: tried again until the timeout, in a thread that can be
 * given up, smaller where that will do; counted, and told of.
 */
#include "config.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "clw_private.h"

enum {
	PRESSURE_PERCENT = 85,
	MAX_GIVEN_UP = 8,		/* threads of a context in the driver */
	MAX_NAP_MS = 100,
	PAGE = 4096,
};

/* ---- the driver's call ---------------------------------------------------- */

struct attempt {
	struct clw_task task;
	struct clw_context *context;
	struct clw_want want;
	cl_mem handle;
	cl_int err;
};

/* The byte is of no interest: the driver has to have the memory. */
static cl_int use_once(const struct clw_context *context, cl_mem handle,
		       const struct clw_want *want)
{
	char byte = 0;

	if (want->flags & CL_MEM_HOST_NO_ACCESS)
		return CL_SUCCESS;
	if (want->host || want->flags & CL_MEM_HOST_READ_ONLY)
		return clEnqueueReadBuffer(context->side, handle, CL_TRUE, 0,
					   1, &byte, 0, NULL, NULL);
	return clEnqueueWriteBuffer(context->side, handle, CL_TRUE, 0, 1,
				    &byte, 0, NULL, NULL);
}

static void run(struct clw_task *task)
{
	struct attempt *attempt = (struct attempt *)task;
	const struct clw_want *want = &attempt->want;

	attempt->handle = clCreateBuffer(attempt->context->handle, want->flags,
					 want->size, want->host,
					 &attempt->err);
	if (attempt->handle && attempt->context->device.is_lazy)
		attempt->err = use_once(attempt->context, attempt->handle,
					want);
	if (attempt->handle && attempt->err) {
		clReleaseMemObject(attempt->handle);
		attempt->handle = NULL;
	} else if (!attempt->handle && !attempt->err) {
		attempt->err = CL_MEM_OBJECT_ALLOCATION_FAILURE;
	}
}

static void drop(struct clw_task *task)
{
	struct attempt *attempt = (struct attempt *)task;
	struct clw_context *context = attempt->context;

	if (attempt->handle)
		clReleaseMemObject(attempt->handle);
	free(attempt);
	clw_given_up(context, -1);
	clw_context_put(context);
}

enum tried { GOT, FAILED, TOO_SLOW, NO_HOST_MEMORY };

static enum tried try_once(struct clw_context *context,
			   const struct clw_want *want, uint64_t left_ns,
			   bool apart, struct attempt *ret_attempt)
{
	struct attempt *attempt;

	*ret_attempt = (struct attempt){
		.task = { run, drop }, .context = context, .want = *want,
	};
	if (!apart) {
		run(&ret_attempt->task);
		return ret_attempt->handle ? GOT : FAILED;
	}
	attempt = malloc(sizeof(*attempt));
	if (!attempt)
		return NO_HOST_MEMORY;
	*attempt = *ret_attempt;
	/* Of the helper, if it is given up. */
	clw_context_get(context);
	if (!clw_task_run(context, &attempt->task, left_ns)) {
		clw_given_up(context, 1);
		return TOO_SLOW;
	}
	clw_context_put(context);
	*ret_attempt = *attempt;
	free(attempt);
	return ret_attempt->handle ? GOT : FAILED;
}

/* ---- counting -------------------------------------------------------------- */

static bool is_over_limit(const struct clw_context *context, uint64_t used)
{
	uint64_t total = context->device.total;
	uint64_t reserve = context->reserve_bytes;

	if (context->paging)
		return false;
	return (context->max_bytes && used > context->max_bytes) ||
	       (reserve && used > (total > reserve ? total - reserve : 0));
}

/* Taken before the driver is asked: of two threads one gets the last bytes. */
static bool take(struct clw_context *context, size_t size)
{
	bool taken;

	pthread_mutex_lock(&context->lock);
	taken = !is_over_limit(context, context->used + size);
	if (taken) {
		context->used += size;
		context->buffers++;
	}
	pthread_mutex_unlock(&context->lock);
	return taken;
}

/* The driver has given it. */
static void count_peak(struct clw_context *context)
{
	pthread_mutex_lock(&context->lock);
	if (context->used > context->peak)
		context->peak = context->used;
	pthread_mutex_unlock(&context->lock);
}

void clw_allocated_free(struct clw_context *context, size_t size)
{
	pthread_mutex_lock(&context->lock);
	context->used -= size;
	context->buffers--;
	pthread_cond_broadcast(&context->released);
	pthread_mutex_unlock(&context->lock);
}

static uint64_t used_by(struct clw_context *context)
{
	uint64_t used;

	pthread_mutex_lock(&context->lock);
	used = context->used;
	pthread_mutex_unlock(&context->lock);
	return used;
}

static uint64_t free_of(struct clw_context *context)
{
	uint64_t used = used_by(context), total = context->device.total;
	uint64_t limit = total > context->reserve_bytes ?
			 total - context->reserve_bytes : 0;

	if (context->max_bytes && context->max_bytes < limit)
		limit = context->max_bytes;
	return limit > used ? limit - used : 0;
}

/* ---- what is told ---------------------------------------------------------- */

static void say_before(struct clw_context *context, uint64_t size)
{
	uint64_t total = context->device.total, used, percent;

	if (!clw_log_is_on(CLAW_LOG_WARN))
		return;
	used = used_by(context);
	clw_log(CLAW_LOG_DEBUG, "Querying device memory: %" PRIu64
		" MiB total, %" PRIu64 " MiB free", total >> 20,
		(total > used ? total - used : 0) >> 20);
	if (size >> 20)
		clw_log(CLAW_LOG_DEBUG, "Attempting allocation: %" PRIu64
			" MiB", size >> 20);
	else
		clw_log(CLAW_LOG_DEBUG, "Attempting allocation: %" PRIu64 " B",
			size);
	if (!total)
		return;
	used += size;
	percent = used > UINT64_MAX / 100 ? 100 : used * 100 / total;
	if (percent >= PRESSURE_PERCENT)
		clw_log(CLAW_LOG_WARN, "Memory pressure detected: %" PRIu64
			"%% utilization", percent);
}

static void say_after(uint64_t size, const char *how, uint64_t ns)
{
	char text[CLAW_SIZE_TEXT];
	uint64_t ms = ns / CLW_NS_PER_MS;

	if (clw_log_is_on(CLAW_LOG_DEBUG))
		clw_log(CLAW_LOG_DEBUG, "Alloc %s buffer: %s in %" PRIu64 ".%03"
			PRIu64 "s", claw_size_short(size, text), how, ms / 1000,
			ms % 1000);
}

/* ---- until the timeout ------------------------------------------------------ */

struct effort {
	struct clw_context *context;
	const struct clw_want *want;
	uint64_t start_ns, timeout_ns, deadline;
	unsigned int tries;
	bool apart;			/* in a helper thread */
	cl_int err;			/* of the last try; CL_SUCCESS: a limit */
};

/* Of a driver that refused what there was room for, as far as one can see. */
static const char *explain(const struct effort *effort, const char *why,
			   char text[160])
{
	uint64_t size = effort->want->size, left = free_of(effort->context);
	char short_size[CLAW_SIZE_TEXT], total[CLAW_SIZE_TEXT];

	text[0] = '\0';
	if (!*why && effort->err && left >= size)
		snprintf(text, 160, " (%s on a device of %s, of which this "
			 "context has %" PRIu64 " MiB: fragmentation, or "
			 "memory of others)", claw_size_short(size, short_size),
			 claw_size_short(effort->context->device.total, total),
			 used_by(effort->context) >> 20);
	return text;
}

static int fail_timeout(const struct effort *effort, const char *why)
{
	uint64_t ms = effort->timeout_ns / CLW_NS_PER_MS;
	char size[CLAW_SIZE_TEXT], text[160];
	int status = clw_fail_cl(CLW_MEMORY_TIMEOUT, effort->err,
		"Allocation of %s buffer on device '%s' timed out after %"
		PRIu64 ".%03" PRIu64 "s%s%s", claw_size_text(effort->want->size,
							    size),
		effort->context->device.name, ms / 1000, ms % 1000, why,
		explain(effort, why, text));

	clw_log_plain(CLAW_LOG_ERROR, "%s", clwLastError());
	return status;
}

static int fail_memory(const struct effort *effort, const char *why)
{
	uint64_t size = effort->want->size;
	uint64_t left = free_of(effort->context);
	char available[64] = "";
	int status;

	if (left < size && !why[0])
		snprintf(available, sizeof(available), " (only %" PRIu64
			 " MB available)", left >> 20);
	status = clw_fail_cl(CLW_OUT_OF_MEMORY, effort->err, "Cannot allocate "
			     "%" PRIu64 " MB%s%s on device '%s'",
			     (size + (1 << 20) - 1) >> 20, available, why,
			     effort->context->device.name);
	clw_log_plain(CLAW_LOG_ERROR, "[ERROR] clw-out-of-memory: Cannot "
		      "allocate %" PRIu64 " MB%s%s",
		      (size + (1 << 20) - 1) >> 20, available, why);
	return status;
}

static bool is_for_memory(cl_int err)
{
	return err == CL_MEM_OBJECT_ALLOCATION_FAILURE ||
	       err == CL_OUT_OF_RESOURCES || err == CL_OUT_OF_HOST_MEMORY;
}

static int fail_size(const struct effort *effort)
{
	uint64_t most = effort->context->device.max_buffer;
	char why[80] = " (CL_INVALID_BUFFER_SIZE)";

	if (effort->want->size > most)
		snprintf(why, sizeof(why), " (one buffer may have %" PRIu64
			 " MB at most)", most >> 20);
	return fail_memory(effort, why);
}

/* What waiting changes nothing about. */
static int fail_for_good(const struct effort *effort)
{
	const struct clw_context *context = effort->context;
	uint64_t size = effort->want->size;

	if (effort->err == CL_INVALID_BUFFER_SIZE)
		return fail_size(effort);
	if (effort->err && (!is_for_memory(effort->err) ||
			    clw_context_is_gone(effort->context, effort->err)))
		return clw_context_fail(effort->context, effort->err, false,
					"no buffer of %zu bytes (flags 0x%llx)",
					effort->want->size, (unsigned long long)
					effort->want->flags);
	if (size > context->device.total || is_over_limit(context, size))
		return fail_memory(effort, "");
	return CLW_OK;
}

/* A release of this context's, or some time. */
static void nap(const struct effort *effort)
{
	struct clw_context *context = effort->context;
	unsigned int doubled = effort->tries < 8 ? effort->tries : 8;
	uint64_t until = clw_now_ns() + (CLW_NS_PER_MS << (doubled - 1));
	uint64_t most = clw_now_ns() + MAX_NAP_MS * CLW_NS_PER_MS;
	struct timespec time;

	until = until < most ? until : most;
	until = until < effort->deadline ? until : effort->deadline;
	time.tv_sec = (time_t)(until / CLW_NS_PER_S);
	time.tv_nsec = (long)(until % CLW_NS_PER_S);
	pthread_mutex_lock(&context->lock);
	pthread_cond_timedwait(&context->released, &context->lock, &time);
	pthread_mutex_unlock(&context->lock);
}

/* The last try may begin when the time is over: a driver that is not slow has
 * an answer in this one. */
static uint64_t left_of(const struct effort *effort)
{
	uint64_t now = clw_now_ns(), least = 20 * CLW_NS_PER_MS;

	if (!effort->timeout_ns)
		return 0;
	return now + least < effort->deadline ? effort->deadline - now : least;
}

static int try_to(struct effort *effort, cl_mem *ret_handle, bool *ret_again)
{
	struct clw_context *context = effort->context;
	struct attempt attempt;
	enum tried tried;

	*ret_again = false;
	effort->tries++;
	effort->err = CL_SUCCESS;
	if (!take(context, effort->want->size)) {
		*ret_again = true;
		return fail_for_good(effort);
	}
	tried = try_once(context, effort->want, left_of(effort),
			 effort->apart, &attempt);
	if (tried == GOT) {
		count_peak(context);
		*ret_handle = attempt.handle;
		return CLW_OK;
	}
	clw_allocated_free(context, effort->want->size);
	effort->err = attempt.err;
	if (tried == NO_HOST_MEMORY)
		return clw_fail_memory();
	if (tried == TOO_SLOW)
		return fail_timeout(effort, " in the driver, which is given "
				    "up");
	*ret_again = true;
	return fail_for_good(effort);
}

/* Of the program; events that were not looked at keep memory alive. */
static void collect(const struct effort *effort)
{
	struct clw_error before;

	clw_error_get(&before);
	if (effort->tries == 1)
		clw_commands_wait(effort->context);
	clw_error_set(&before);
}

/* tries: 0: until the timeout. */
static int allocate(struct effort *effort, unsigned int tries,
		    cl_mem *ret_handle)
{
	int status;
	bool again;

	for (;;) {
		status = try_to(effort, ret_handle, &again);
		if (status || !again)
			break;
		collect(effort);
		if (tries ? effort->tries >= tries : !effort->timeout_ns ?
		    effort->tries >= 2 : clw_now_ns() >= effort->deadline)
			return effort->timeout_ns && !tries ?
				fail_timeout(effort, "") :
				fail_memory(effort, "");
		if (effort->tries > 1 || effort->timeout_ns)
			nap(effort);
	}
	return status;
}

static int begin(struct clw_context *context, const struct clw_want *want,
		 struct effort *ret_effort)
{
	int given_up;
	bool own;

	pthread_mutex_lock(&context->lock);
	given_up = context->given_up;
	own = context->has_own_timeout;
	*ret_effort = (struct effort){
		.context = context, .want = want,
		.start_ns = clw_now_ns(),
		.timeout_ns = context->memory_timeout_ns,
	};
	pthread_mutex_unlock(&context->lock);
	ret_effort->deadline = clw_deadline(ret_effort->timeout_ns);
	/* The layer ends calls that it delays when the time of the environment
	 * is over, and looks at the stack for the program's line. */
	ret_effort->apart = ret_effort->timeout_ns &&
			    (own || !clw_layer_is_there());
	if (given_up < MAX_GIVEN_UP)
		return CLW_OK;
	return fail_timeout(ret_effort, ": the driver still has not returned "
			    "from earlier ones");
}

/* The next smaller size; 0: there is none. */
static size_t smaller(size_t size, size_t least)
{
	size_t half = size / 2 / PAGE * PAGE;

	return size == least ? 0 : half > least ? half : least;
}

int clw_allocate(struct clw_context *context, const struct clw_want *want,
		 cl_mem *ret_handle, size_t *ret_size)
{
	struct clw_want now = *want;
	struct effort effort;
	size_t less;
	int status;

	for (;;) {
		less = now.least ? smaller(now.size, now.least) : 0;
		status = begin(context, &now, &effort);
		if (status)
			return status;
		say_before(context, now.size);
		status = allocate(&effort, less ? 2 : 0, ret_handle);
		say_after(now.size, status ? clw_cl_name(effort.err) :
			  "success", clw_now_ns() - effort.start_ns);
		if (status != CLW_OUT_OF_MEMORY || !less)
			break;
		clw_log_plain(CLAW_LOG_WARN, "[WARN] Falling back to smaller "
			      "buffer");
		now.size = less;
	}
	if (!status)
		*ret_size = now.size;
	return status;
}
