/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Captured programs for tests, made by hand: a dump with a trace of calls and
 * objects, as the readers would give them.
 */
#ifndef TRACE_MAKER_H
#define TRACE_MAKER_H

#include <stdlib.h>
#include <string.h>

#include "harness/crash/dump/dump.h"

enum { MADE_CALLS = 64, MADE_OBJECTS = 64, MADE_CONTENTS = 8, MADE_ARGS = 8 };

struct made_trace {
	struct claw_dump dump;
	struct claw_trace trace;
	struct claw_trace_call calls[MADE_CALLS];
	struct claw_trace_object objects[MADE_OBJECTS];
	struct claw_trace_bytes contents[MADE_CONTENTS];
	struct claw_trace_kernel_arg kernel_args[MADE_CALLS][MADE_ARGS];
	claw_object_id ids[MADE_CALLS][CLAW_MAX_PARAMS][4];
	uint32_t content_ids[MADE_CALLS][CLAW_MAX_PARAMS];
	size_t sizes[MADE_CALLS][2][3];
};

/* An exit, as META has it: status, or a negative signal. */
static inline void made_init(struct made_trace *made, const char *trigger,
			     int end)
{
	memset(made, 0, sizeof(*made));
	made->trace.calls = made->calls;
	made->trace.objects = made->objects;
	made->trace.contents = made->contents;
	made->dump.trace = &made->trace;
	made->dump.whole = true;
	made->dump.meta = json_pack("{s:i, s:s, s:{s:i}}", "pid", 4711,
				    "trigger", trigger, "exit",
				    end < 0 ? "signal" : "status",
				    end < 0 ? -end : end);
}

static inline void made_release(struct made_trace *made)
{
	json_decref(made->dump.meta);
}

/* One more call, which came back with that result. */
static inline struct claw_trace_call *made_call(struct made_trace *made,
						enum claw_api api,
						int32_t result)
{
	uint32_t i = made->trace.call_count++;
	struct claw_trace_call *call = &made->calls[i];

	*call = (struct claw_trace_call){
		.api = api, .number = i + 1, .position = i + 1, .thread = 1,
		.result = result, .returned = true, .begin_ticks = i * 2,
		.end_ticks = i * 2 + 1, .kernel_args = made->kernel_args[i],
		.arg_count = api < CLAW_API_COUNT ?
			claw_api_table[api].param_count : 1,
	};
	for (uint32_t p = 0; p < CLAW_MAX_PARAMS; p++)
		call->args[p].objects = made->ids[i][p];
	return call;
}

static inline uint32_t made_number(const struct made_trace *made,
				   const struct claw_trace_call *call)
{
	return (uint32_t)(call - made->calls) + 1;
}

static inline struct claw_trace_arg *made_arg(struct claw_trace_call *call,
					      const char *name)
{
	const struct claw_api_info *info = &claw_api_table[call->api];

	for (uint32_t p = 0; p < info->param_count; p++)
		if (info->params[p] && strcmp(info->params[p], name) == 0)
			return &call->args[p];
	abort();
}

static inline void made_word(struct claw_trace_call *call, const char *name,
			     uint64_t word)
{
	made_arg(call, name)->word = word;
}

static inline void made_null(struct claw_trace_call *call, const char *name)
{
	made_arg(call, name)->kind = CLAW_ARG_NULL;
}

static inline void made_use(struct claw_trace_call *call, const char *name,
			    claw_object_id object)
{
	struct claw_trace_arg *arg = made_arg(call, name);

	arg->kind = CLAW_ARG_OBJECT;
	arg->count = 1;
	arg->objects[0] = object;
}

/* An object that the call made. */
static inline claw_object_id made_object(struct made_trace *made,
					 struct claw_trace_call *call,
					 enum claw_obj type, uint64_t bytes)
{
	claw_object_id id = ++made->trace.object_count;

	made->objects[id - 1] = (struct claw_trace_object){
		.type = type, .handle = 0x1000u * id, .bytes = bytes,
		.made_by = call ? made_number(made, call) : 0,
	};
	if (call)
		call->made = id;
	return id;
}

/* A creation that succeeds. */
static inline claw_object_id made_create(struct made_trace *made,
					 enum claw_api api, uint64_t bytes)
{
	struct claw_trace_call *call = made_call(made, api, 0);

	return made_object(made, call, claw_api_table[api].object, bytes);
}

/* A release, after which it is gone. */
static inline void made_drop(struct made_trace *made, enum claw_api api,
			     claw_object_id object)
{
	struct claw_trace_call *call = made_call(made, api, 0);

	call->args[0].kind = CLAW_ARG_OBJECT;
	call->args[0].count = 1;
	call->args[0].objects[0] = object;
	made->objects[object - 1].gone_by = made_number(made, call);
}

/* A program with that source, and its kernel of that name. */
static inline claw_object_id made_kernel(struct made_trace *made,
					 const char *source, const char *name)
{
	claw_object_id program = made_create(made,
		CLAW_API_clCreateProgramWithSource, 0), kernel;
	uint32_t i = made->trace.call_count - 1;
	struct claw_trace_arg *texts = made_arg(&made->calls[i], "strings");
	struct claw_trace_arg *arg;
	uint32_t content = made->trace.content_count++;

	made->contents[content] = (struct claw_trace_bytes){
		.bytes = source, .length = strlen(source),
	};
	made->content_ids[i][0] = content + 1;
	*texts = (struct claw_trace_arg){
		.kind = CLAW_ARG_TEXTS, .count = 1,
		.contents = made->content_ids[i],
	};
	kernel = made_create(made, CLAW_API_clCreateKernel, 0);
	made->objects[kernel - 1].parent = program;
	arg = made_arg(&made->calls[made->trace.call_count - 1], "kernel_name");
	arg->kind = CLAW_ARG_BYTES;
	arg->bytes = name;
	arg->size = strlen(name) + 1;
	return kernel;
}

/* A launch of one dimension, local 0: chosen by the driver. */
static inline struct claw_trace_call *
made_launch(struct made_trace *made, claw_object_id queue,
	    claw_object_id kernel, size_t global, size_t local)
{
	struct claw_trace_call *call =
		made_call(made, CLAW_API_clEnqueueNDRangeKernel, 0);
	size_t (*sizes)[3] = made->sizes[call - made->calls];
	struct claw_trace_arg *arg = made_arg(call, "global_work_size");

	made_use(call, "command_queue", queue);
	made_use(call, "kernel", kernel);
	made_word(call, "work_dim", 1);
	sizes[0][0] = global;
	sizes[1][0] = local;
	*arg = (struct claw_trace_arg){ .kind = CLAW_ARG_BYTES,
					.bytes = sizes[0], .size = 8 };
	arg = made_arg(call, "local_work_size");
	*arg = (struct claw_trace_arg){
		.kind = local ? CLAW_ARG_BYTES : CLAW_ARG_NULL,
		.bytes = local ? sizes[1] : NULL, .size = local ? 8 : 0 };
	return call;
}

/* One more argument of the launch's kernel; object 0: NULL. */
static inline void made_kernel_arg(struct claw_trace_call *launch,
				   claw_object_id object)
{
	uint32_t index = launch->kernel_arg_count++;

	launch->kernel_args[index] = (struct claw_trace_kernel_arg){
		.index = index, .object = object, .is_null = !object,
		.size = 8,
	};
}

#endif
