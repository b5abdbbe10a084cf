/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Everything that can be asked of a trace, for fuzzers: every byte that is
 * there is read, every number must lead somewhere; abort() where it does not.
 */
#ifndef TRACE_USE_H
#define TRACE_USE_H

#include <stdlib.h>
#include <string.h>

#include "harness/crash/trace/trace.h"

static volatile uint64_t trace_sink;

static inline void use_bytes(const void *bytes, size_t size)
{
	uint64_t sum = 0;

	for (size_t i = 0; bytes && i < size; i++)
		sum += ((const unsigned char *)bytes)[i];
	trace_sink = trace_sink + sum;
}

static inline void use_must(bool is_right)
{
	if (!is_right)
		abort();
}

static inline void use_arg(const struct claw_trace *trace,
			   const struct claw_trace_arg *arg)
{
	for (uint32_t i = 0; arg->objects && i < arg->count; i++)
		use_must(arg->objects[i] <= trace->object_count);
	for (uint32_t i = 0; arg->contents && i < arg->count; i++)
		use_must(arg->contents[i] <= trace->content_count);
	use_bytes(arg->bytes, arg->bytes ? arg->size : 0);
}

static inline void use_call(const struct claw_trace *trace, uint32_t index)
{
	const struct claw_trace_call *call = &trace->calls[index];

	use_must(call->api <= CLAW_API_COUNT && call->number == index + 1 &&
		 call->made <= trace->object_count &&
		 call->arg_count <= CLAW_MAX_PARAMS &&
		 call->kept == (index < trace->first_ring_call));
	for (uint32_t i = 0; i < call->arg_count; i++)
		use_arg(trace, &call->args[i]);
	for (uint32_t i = 0; i < call->kernel_arg_count; i++) {
		const struct claw_trace_kernel_arg *arg = &call->kernel_args[i];

		use_must(arg->object <= trace->object_count &&
			 arg->before <= trace->content_count);
		use_bytes(arg->value, arg->value ? arg->size : 0);
	}
	trace_sink = trace_sink + claw_trace_launched(call);
}

static inline void use_trace(const struct claw_trace *trace)
{
	for (uint32_t i = 0; i < trace->content_count; i++)
		use_bytes(trace->contents[i].bytes,
			  trace->contents[i].bytes ?
			  trace->contents[i].length : 0);
	for (uint32_t i = 0; i < trace->call_count; i++)
		use_call(trace, i);
	for (uint32_t i = 0; i < trace->object_count; i++) {
		const struct claw_trace_object *object = &trace->objects[i];

		use_must(object->made_by <= trace->call_count &&
			 object->gone_by <= trace->call_count &&
			 object->parent <= i &&
			 object->first_content <= trace->content_count);
		use_must(*claw_trace_object_name(trace, i + 1) != '\0');
	}
	use_must(trace->trigger <= trace->call_count);
}

#endif
