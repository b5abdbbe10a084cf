/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Commands under way: what each is, and what those failed with that nobody was
 * waiting for.
 */
#include "config.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clw_private.h"

enum {
	LOOK_AFTER = 64,		/* commands; then those that ended are let go of */
	NAMED = 3,			/* commands in a message */
};

struct clw_command *clw_command_new(bool is_launch, const char *format, ...)
{
	struct clw_command *command = calloc(1, sizeof(*command));
	va_list args;

	if (!command) {
		clw_fail_memory();
		return NULL;
	}
	command->is_launch = is_launch;
	command->place = *clw_place();
	va_start(args, format);
	vsnprintf(command->what, sizeof(command->what), format, args);
	va_end(args);
	return command;
}

/* ---- what failed ---------------------------------------------------------- */

/* What the commands that were looked at have come to. */
struct outcome {
	cl_int code;			/* CL_SUCCESS: none failed */
	bool is_exact;			/* said by the command's own event */
	bool launched;
	unsigned int count;		/* that it may have been */
	char what[NAMED * (CLW_WHAT + 2 * CLW_NAME)];
};

static void name(struct outcome *outcome, const struct clw_command *command)
{
	size_t length = strlen(outcome->what);
	char place[2 * CLW_NAME];

	if (outcome->count++ < NAMED)
		snprintf(outcome->what + length, sizeof(outcome->what) - length,
			 "%s%s%s", length ? ", " : "", command->what,
			 clw_place_text(&command->place, place));
	outcome->launched |= command->is_launch;
}

/*
 * A driver that has lost its device answers for no event any more, whichever
 * command it was (an H200 even calls the one that crashed complete): then all
 * that may have crashed are named.
 */
static void take(struct outcome *outcome, const struct clw_command *command,
		 cl_int asked, cl_int state)
{
	if (!asked && state < 0 && !outcome->is_exact) {
		*outcome = (struct outcome){ .code = state, .is_exact = true };
		name(outcome, command);
	} else if (!outcome->is_exact) {
		if (asked && !outcome->code)
			outcome->code = asked;
		name(outcome, command);
	}
}

static void keep(struct clw_context *context, const struct outcome *outcome)
{
	struct clw_error error;

	if (outcome->is_exact)
		clw_context_fail(context, outcome->code, outcome->launched,
				 "%s failed", outcome->what);
	else if (outcome->count == 1)
		clw_context_fail(context, outcome->code, outcome->launched,
				 "%s failed, or an earlier command of this "
				 "process", outcome->what);
	else if (outcome->count)
		clw_context_fail(context, outcome->code, outcome->launched,
				 "one of %u commands failed: %s%s",
				 outcome->count, outcome->what,
				 outcome->count > NAMED ? ", ..." : "");
	else
		clw_context_fail(context, outcome->code, false,
				 "the queue failed");
	clw_error_get(&error);
	pthread_mutex_lock(&context->lock);
	if (!context->has_failed)
		context->failed = error;
	context->has_failed = true;
	pthread_mutex_unlock(&context->lock);
}

/* ---- collecting ----------------------------------------------------------- */

static cl_int ask(cl_event event, cl_int *ret_state)
{
	*ret_state = CL_QUEUED;
	return clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS,
			      sizeof(*ret_state), ret_state, NULL);
}

static void drop(struct clw_context *context, struct clw_command **link)
{
	struct clw_command *command = *link;

	*link = command->next;
	if (!*link)
		context->end = link;
	context->command_count--;
	clReleaseEvent(command->event);
	free(command);
}

/* Let go of what has ended. code: of the wait for all of them. */
static void collect(struct clw_context *context, cl_int code)
{
	struct outcome outcome = { .code = code };
	struct clw_command **link;

	pthread_mutex_lock(&context->lock);
	link = &context->first;
	while (*link) {
		cl_int state, asked = ask((*link)->event, &state);

		if (!asked && state > CL_COMPLETE && !code) {
			link = &(*link)->next;
			continue;
		}
		if (asked || state != CL_COMPLETE || code)
			take(&outcome, *link, asked, state);
		drop(context, link);
	}
	pthread_mutex_unlock(&context->lock);
	if (outcome.code)
		keep(context, &outcome);
}

void clw_command_add(struct clw_context *context, struct clw_command *command)
{
	bool look;

	pthread_mutex_lock(&context->lock);
	if (command->is_launch && !context->launched_ns)
		context->launched_ns = clw_now_ns();
	*context->end = command;
	context->end = &command->next;
	look = ++context->command_count % LOOK_AFTER == 0;
	pthread_mutex_unlock(&context->lock);
	if (!look)
		return;
	/* Many that nobody waits for: what they hold is freed as they end. */
	clFlush(context->queue);
	collect(context, CL_SUCCESS);
}

/* ---- waiting --------------------------------------------------------------- */

/* The first one that has not ended, or "". */
static void first_running(struct clw_context *context, char *what, size_t size)
{
	char place[2 * CLW_NAME];

	what[0] = '\0';
	pthread_mutex_lock(&context->lock);
	for (struct clw_command *command = context->first; command;
	     command = command->next) {
		cl_int state, asked = ask(command->event, &state);

		if (asked || state <= CL_COMPLETE)
			continue;
		snprintf(what, size, "%s%s", command->what,
			 clw_place_text(&command->place, place));
		break;
	}
	pthread_mutex_unlock(&context->lock);
}

/* Wait for the events until the time is over: clFinish() cannot be left. */
static int wait_some_time(struct clw_context *context, uint64_t timeout_ns)
{
	uint64_t deadline = clw_deadline(timeout_ns);
	uint64_t nap = CLW_NS_PER_MS / 20;
	char what[CLW_WHAT + 2 * CLW_NAME];

	clFlush(context->queue);
	for (;;) {
		first_running(context, what, sizeof(what));
		if (!what[0]) {
			__atomic_store_n(&context->is_stuck, false,
					 __ATOMIC_RELAXED);
			return CLW_OK;
		}
		if (clw_now_ns() >= deadline)
			break;
		clw_sleep_ns(nap);
		if (nap < 5 * CLW_NS_PER_MS)
			nap += nap / 2;
	}
	__atomic_store_n(&context->is_stuck, true, __ATOMIC_RELAXED);
	return clw_fail(CLW_KERNEL_TIMEOUT, "%s has not ended after %.3fs on "
			"device '%s'", what,
			(double)timeout_ns / (double)CLW_NS_PER_S,
			context->device.name);
}

int clw_commands_wait(struct clw_context *context)
{
	uint64_t timeout_ns;
	bool has_any;
	int status = CLW_OK;

	pthread_mutex_lock(&context->lock);
	timeout_ns = context->kernel_timeout_ns;
	has_any = context->first;
	pthread_mutex_unlock(&context->lock);
	if (!has_any)
		return CLW_OK;
	if (timeout_ns)
		status = wait_some_time(context, timeout_ns);
	if (!status)
		collect(context, clFinish(context->queue));
	return status;
}

static void say_done(struct clw_context *context)
{
	uint64_t launched;

	pthread_mutex_lock(&context->lock);
	launched = context->launched_ns;
	context->launched_ns = 0;
	pthread_mutex_unlock(&context->lock);
	if (launched)
		clw_log_own(CLAW_LOG_INFO, "All chunks processed, total time: "
			    "%.1fs", (double)(clw_now_ns() - launched) /
			    (double)CLW_NS_PER_S);
}

static int tell(struct clw_context *context)
{
	struct clw_error failed;
	bool has_failed;

	pthread_mutex_lock(&context->lock);
	has_failed = context->has_failed;
	if (has_failed) {
		failed = context->failed;
		context->launched_ns = 0;
	}
	context->has_failed = false;
	pthread_mutex_unlock(&context->lock);
	/* As of this call, which tells it. */
	return !has_failed ? CLW_OK :
	       clw_fail_cl(failed.status, failed.cl_code, "%s", failed.text +
			   strlen(clwStatusCode(failed.status)) + 2);
}

int clw_commands_tell(struct clw_context *context)
{
	collect(context, CL_SUCCESS);
	return tell(context);
}

int clw_commands_finish(struct clw_context *context)
{
	int status = clw_commands_wait(context);

	return status ? status : tell(context);
}

int clwFinish(struct clw_context *context)
{
	int status;

	clw_enter(__func__);
	status = clw_context_check(context);
	if (!status)
		status = clw_commands_finish(context);
	if (!status)
		say_done(context);
	return status;
}

void clw_commands_free(struct clw_context *context)
{
	while (context->first)
		drop(context, &context->first);
}
