/* SPDX-License-Identifier: Apache-2.0 */
/* Small questions about a captured program. */
#include "config.h"

#include "trace.h"

#include <stdio.h>
#include <stdlib.h>

#include "harness/base/arena.h"
#include "harness/base/text.h"

enum { NAMES = 8, NAME_BYTES = 160 };

void claw_trace_free(struct claw_trace *trace)
{
	if (!trace)
		return;
	claw_arena_free(trace->memory);
	free(trace);
}

const struct claw_trace_arg *
claw_trace_arg_find(const struct claw_trace_call *call, enum claw_role role)
{
	int param = call->api < CLAW_API_COUNT ?
		claw_api_find_param(call->api, role) : -1;

	return param >= 0 && (uint32_t)param < call->arg_count ?
		&call->args[param] : NULL;
}

claw_object_id claw_trace_launched(const struct claw_trace_call *call)
{
	const struct claw_trace_arg *arg;

	if (call->api == CLAW_API_COUNT || !claw_api_is_launch(call->api))
		return 0;
	arg = claw_trace_arg_find(call, CLAW_P_KERNEL);
	return arg && arg->objects && arg->count > 0 ? arg->objects[0] : 0;
}

const char *claw_trace_kernel_name(const struct claw_trace *trace,
				   claw_object_id kernel)
{
	const struct claw_trace_object *object =
		claw_trace_object_get(trace, kernel);

	/* A copy of a copy ... each made before its own copies. */
	while (object && object->type == CLAW_OBJ_KERNEL && object->made_by) {
		const struct claw_trace_call *call =
			&trace->calls[object->made_by - 1];
		const struct claw_trace_object *source;

		if (call->api == CLAW_API_clCreateKernel)
			return call->args[1].bytes ? call->args[1].bytes : "";
		if (call->api != CLAW_API_clCloneKernel ||
		    !call->args[0].objects)
			break;
		source = claw_trace_object_get(trace, call->args[0].objects[0]);
		object = source < object ? source : NULL;
	}
	return "";
}

static const char *type_name(const struct claw_trace *trace,
			     const struct claw_trace_object *object)
{
	static const char *const names[CLAW_OBJ_COUNT] = {
		[CLAW_OBJ_DEVICE] = "device", [CLAW_OBJ_CONTEXT] = "context",
		[CLAW_OBJ_QUEUE] = "queue", [CLAW_OBJ_MEM] = "buffer",
		[CLAW_OBJ_SAMPLER] = "sampler", [CLAW_OBJ_PROGRAM] = "program",
		[CLAW_OBJ_KERNEL] = "kernel", [CLAW_OBJ_EVENT] = "event",
		[CLAW_OBJ_SVM] = "shared memory",
		[CLAW_OBJ_COMMAND_BUFFER] = "command buffer",
		[CLAW_OBJ_SEMAPHORE] = "semaphore",
		[CLAW_OBJ_PLATFORM] = "platform",
		[CLAW_OBJ_MAPPING] = "mapping",
	};
	const char *name = (unsigned int)object->type < CLAW_OBJ_COUNT ?
		names[object->type] : NULL;
	enum claw_api api;

	if (object->type != CLAW_OBJ_MEM || !object->made_by)
		return name ? name : "object";
	api = trace->calls[object->made_by - 1].api;
	if (api == CLAW_API_clCreateSubBuffer)
		return "sub-buffer";
	if (api == CLAW_API_clCreatePipe)
		return "pipe";
	return claw_begins(claw_api_table[api].name, "clCreateImage") ?
		"image" : name;
}

const char *claw_trace_object_name(const struct claw_trace *trace,
				   claw_object_id id)
{
	static char names[NAMES][NAME_BYTES];
	static unsigned int next;
	const struct claw_trace_object *object =
		claw_trace_object_get(trace, id);
	char *name = names[next++ % NAMES];
	const char *kernel;

	if (!object)
		return "no known object";
	kernel = claw_trace_kernel_name(trace, id);
	if (*kernel)
		snprintf(name, NAME_BYTES, "kernel %u '%.100s'", id, kernel);
	else
		snprintf(name, NAME_BYTES, "%s %u", type_name(trace, object),
			 id);
	return name;
}
