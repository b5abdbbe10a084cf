/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Callbacks: what a driver tells a context, and how the events end that the
 * program asked to be told of. Ours stand before the program's, where it gave
 * one.
 */
#include "config.h"

#include "trace_private.h"

#include "faults/call/event_callbacks.h"

enum { CONTEXTS = 256 };

typedef void (CL_CALLBACK *claw_context_notify)(const char *text,
						const void *info, size_t bytes,
						void *user);

/* A driver may call late: a place is never used again. */
static struct place {
	claw_context_notify notify;
	void *user;
	cl_context context;
} places[CONTEXTS];
static uint32_t used;

void claw_notify_begin(void)
{
	claw_event_callbacks_begin(claw_trace_told);
}

static void CL_CALLBACK on_context(const char *text, const void *info,
				   size_t bytes, void *user)
{
	struct place *place = user;
	unsigned int depth;

	claw_trace_context_told(__atomic_load_n(&place->context,
						__ATOMIC_RELAXED), text);
	depth = claw_ours_leave();
	place->notify(text, info, bytes, place->user);
	claw_ours_return(depth);
}

static void wrap_context(struct claw_call *call)
{
	int notify = claw_api_find_param(call->api, CLAW_P_NOTIFY);
	claw_context_notify *function =
		(claw_context_notify *)call->args[notify];
	void **user = (void **)call->args[notify + 1];
	uint32_t i;

	if (!*function)
		return;
	i = __atomic_fetch_add(&used, 1, __ATOMIC_RELAXED);
	if (i >= CONTEXTS) {
		__atomic_store_n(&used, CONTEXTS, __ATOMIC_RELAXED);
		return;
	}
	places[i].notify = *function;
	places[i].user = *user;
	*function = on_context;
	*user = &places[i];
}

static bool is_ours(const struct claw_call *call)
{
	return call->api == CLAW_API_clSetEventCallback;
}

void claw_notify_wrap(struct claw_call *call)
{
	if (claw_api_makes_context(call->api))
		wrap_context(call);
	else if (is_ours(call))
		claw_event_callbacks_wrap(call);
	else
		claw_callbacks_wrap(call);
}

void claw_notify_end(struct claw_call *call)
{
	int notify = claw_api_find_param(call->api, CLAW_P_NOTIFY);

	if (is_ours(call))
		claw_event_callbacks_end(call);
	else
		claw_callbacks_end(call);
	if (!claw_api_makes_context(call->api) ||
	    *(claw_context_notify *)call->args[notify] != on_context)
		return;
	__atomic_store_n(&(*(struct place **)call->args[notify + 1])->context,
			 (cl_context)call->ret, __ATOMIC_RELAXED);
}
