/* SPDX-License-Identifier: Apache-2.0 */
/* Where the parameters of each function are, looked up once. */
#include "config.h"

#include "commands_private.h"

static struct shape {
	int8_t queue, queues, event, blocking, waits;	/* -1: none */
	bool known;
} shapes[CLAW_API_COUNT];

static int8_t find(enum claw_api api, enum claw_role role)
{
	return (int8_t)claw_api_find_param(api, role);
}

static __attribute__((noinline)) void learn(enum claw_api api)
{
	struct shape *shape = &shapes[api];

	shape->queue = find(api, CLAW_P_QUEUE);
	if (shape->queue < 0)
		shape->queue = find(api, CLAW_P_OPTIONAL_QUEUE);
	shape->queues = find(api, CLAW_P_QUEUES);
	shape->event = find(api, CLAW_P_EVENT_OUT);
	shape->blocking = find(api, CLAW_P_BLOCKING);
	/* clEnqueueWaitForEvents has a list of another role. */
	shape->waits = find(api, CLAW_P_WAIT_LIST);
	if (shape->waits < 0)
		shape->waits = find(api, CLAW_P_EVENTS);
	__atomic_store_n(&shape->known, true, __ATOMIC_RELEASE);
}

static inline const struct shape *shape_of(enum claw_api api)
{
	if (__builtin_expect(!__atomic_load_n(&shapes[api].known,
					      __ATOMIC_ACQUIRE), 0))
		learn(api);
	return &shapes[api];
}

/* A list's count is the parameter before it. */
static uint32_t list_at(const struct claw_call *call, int position,
			void *const **ret_list)
{
	*ret_list = NULL;
	if (position < 1)
		return 0;
	*ret_list = CLAW_ARG_AT(call, void **, position);
	return *ret_list ? CLAW_ARG_AT(call, cl_uint, position - 1) : 0;
}

const void *claw_parameter_queue(const struct claw_call *call)
{
	const struct shape *shape = shape_of(call->api);
	const void *queue = shape->queue < 0 ? NULL :
		CLAW_ARG_AT(call, void *, shape->queue);
	void *const *list;

	if (!queue && list_at(call, shape->queues, &list))
		queue = list[0];
	return queue;
}

uint64_t claw_parameter_event(const struct claw_call *call)
{
	const struct shape *shape = shape_of(call->api);
	const cl_event *event = shape->event < 0 ? NULL :
		CLAW_ARG_AT(call, cl_event *, shape->event);

	return event ? claw_number(*event) : 0;
}

bool claw_parameter_blocks(const struct claw_call *call)
{
	const struct shape *shape = shape_of(call->api);

	return shape->blocking >= 0 &&
	       CLAW_ARG_AT(call, cl_bool, shape->blocking);
}

uint32_t claw_parameter_waits(const struct claw_call *call,
			      void *const **ret_list)
{
	return list_at(call, shape_of(call->api)->waits, ret_list);
}
