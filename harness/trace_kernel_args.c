/* SPDX-License-Identifier: Apache-2.0 */
/* The arguments that a kernel had at a launch. */
#include "config.h"

#include <stdlib.h>

#include "errors.h"
#include "trace_private.h"

static int compare_kernel_args(const void *a, const void *b)
{
	const struct claw_trace_kernel_arg *first = a, *second = b;

	return (first->index > second->index) - (first->index < second->index);
}

static claw_object_id find_handle(const struct claw_trace_build *build,
				  const struct claw_trace_payload *payload,
				  struct claw_trace_kernel_arg *arg)
{
	static const enum claw_obj types[] = {
		CLAW_OBJ_MEM, CLAW_OBJ_SAMPLER, CLAW_OBJ_QUEUE,
	};
	uint64_t handle = claw_payload_word(payload, 0);
	claw_object_id id = 0;

	arg->is_null = handle == 0;
	if (payload->flags & CLAW_PAYLOAD_IS_SVM)
		return claw_trace_objects_find_svm(build, handle, &arg->offset);
	for (size_t i = 0; !id && i < sizeof(types) / sizeof(*types); i++)
		id = claw_trace_objects_find(build, types[i], handle);
	return id;
}

static int fill_kernel_arg(struct claw_trace_build *build,
			   struct claw_trace_call *call,
			   const struct claw_trace_payload *payload,
			   struct claw_trace_kernel_arg *arg)
{
	enum { HANDLES = CLAW_PAYLOAD_IS_MEM | CLAW_PAYLOAD_IS_HANDLE |
			 CLAW_PAYLOAD_IS_SVM };

	arg->index = payload->index;
	arg->size = payload->value;
	arg->is_local = payload->flags & CLAW_PAYLOAD_IS_LOCAL;
	arg->is_svm = payload->flags & CLAW_PAYLOAD_IS_SVM;
	if (arg->is_local)
		return 0;
	if (payload->flags & HANDLES && payload->bytes >= 8) {
		arg->object = find_handle(build, payload, arg);
		if (arg->object || arg->is_null)
			return 0;
	}
	if (payload->flags & CLAW_PAYLOAD_CUT || payload->bytes < arg->size) {
		call->args_unknown = true;
		return 0;
	}
	arg->value = claw_arena_copy(build->arena, payload + 1,
				     payload->bytes);
	return arg->value ? 0 : -CLAW_E_NO_MEMORY;
}

/* What was read back before the launch; args are sorted. */
static void set_before(const struct claw_trace_build *build,
		       const struct claw_trace_call *call,
		       const struct claw_trace_payload *payload)
{
	const struct claw_trace_kernel_arg wanted = {
		.index = payload->index,
	};
	struct claw_trace_kernel_arg *arg =
		call->kernel_arg_count == 0 ? NULL :
		bsearch(&wanted, call->kernel_args, call->kernel_arg_count,
			sizeof(wanted), compare_kernel_args);

	if (arg && payload->bytes >= sizeof(struct claw_trace_content))
		arg->before = claw_trace_payload_content(build->trace,
							  payload, 0);
}

int claw_trace_kernel_args_read(struct claw_trace_build *build, uint32_t index)
{
	const struct claw_trace_raw *raw = &build->records->list[index];
	struct claw_trace_call *call = &build->trace->calls[index];
	const struct claw_trace_payload *payload = NULL;
	uint32_t count = 0;
	int ret = 0;

	while ((payload = claw_raw_next(raw, payload)))
		count += payload->kind == CLAW_PAYLOAD_ARGUMENT;
	call->args_unknown = build->trace->redacted;
	if (count == 0)
		return 0;
	call->kernel_args = claw_arena_array(build->arena, count,
					     sizeof(*call->kernel_args));
	if (!call->kernel_args)
		return -CLAW_E_NO_MEMORY;
	while (ret == 0 && (payload = claw_raw_next(raw, payload)))
		if (payload->kind == CLAW_PAYLOAD_ARGUMENT)
			ret = fill_kernel_arg(build, call, payload,
				&call->kernel_args[call->kernel_arg_count++]);
	if (ret < 0)
		return ret;
	qsort(call->kernel_args, count, sizeof(*call->kernel_args),
	      compare_kernel_args);
	while ((payload = claw_raw_next(raw, payload)))
		if (payload->kind == CLAW_PAYLOAD_BEFORE)
			set_before(build, call, payload);
	return 0;
}
