/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One launch, through libclw.
 */
#include "config.h"

#include "clw_worker.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "harness/base/memory.h"

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* ---- arguments ------------------------------------------------------------ */

static int set_buffer(struct clw_context *context, struct claw_worker_run *run,
		      unsigned int index, struct claw_worker_error *error)
{
	struct claw_worker_arg *arg = &run->args[index];
	cl_mem none = NULL;
	int status;

	if (arg->is_null)
		return clwSetArg(run->kernel, index, sizeof(none), &none) ?
		       claw_worker_fail_clw(error) : CLW_OK;
	if (clwCreateBuffer(context, arg->size, CL_MEM_READ_WRITE,
			    &arg->buffer))
		return claw_worker_fail_clw(error);
	status = claw_worker_fill(context, run, arg, error);
	if (!status && clwSetArgBuffer(run->kernel, index, arg->buffer))
		status = claw_worker_fail_clw(error);
	return status;
}

static int set_arg(struct clw_context *context, struct claw_worker_run *run,
		   unsigned int index, struct claw_worker_error *error)
{
	const struct claw_worker_arg *arg = &run->args[index];
	int status;

	if (claw_worker_is_object(arg))
		return claw_worker_set_object(context, run, index, error);
	if (arg->kind == CLW_ARG_BUFFER)
		return set_buffer(context, run, index, error);
	status = arg->kind == CLW_ARG_LOCAL ?
		clwSetArgLocal(run->kernel, index, arg->size) :
		clwSetArg(run->kernel, index, arg->size, arg->data);
	return status ? claw_worker_fail_clw(error) : CLW_OK;
}

/* Those of another's memory last. */
static int set_args(struct clw_context *context, struct claw_worker_run *run,
		    struct claw_worker_error *error)
{
	int status = CLW_OK;

	for (unsigned int i = 0; !status && i < 2 * run->count; i++) {
		const struct claw_worker_arg *arg = &run->args[i % run->count];

		if (arg->is_there &&
		    claw_worker_is_alias(arg) == (i >= run->count))
			status = set_arg(context, run, i % run->count, error);
	}
	return status;
}

/* ---- the launch ------------------------------------------------------------- */

static int make_kernel(struct clw_context *context,
		       struct claw_worker_run *run)
{
	char *name = *run->function ? claw_format("%s:%s", run->path,
						  run->function) :
		     claw_strdup(run->path);
	int status = clwCreateKernel(context, name, &run->kernel);

	free(name);
	return status;
}

int claw_worker_launch(struct clw_context *context, struct claw_worker_run *run,
		       void (*stage)(enum clw_stage stage),
		       struct claw_worker_error *error)
{
	uint64_t start_ns = now_ns();
	int status = make_kernel(context, run);

	if (status)
		return claw_worker_fail_clw(error);
	status = set_args(context, run, error);
	if (status)
		return status;
	/* What was filled has ended: what crashes from here on is the kernel. */
	status = clwFinish(context);
	if (!status) {
		stage(CLW_STAGE_KERNEL);
		status = clwLaunch(run->kernel, run->dimensions, run->global,
				   run->has_local ? run->local : NULL);
	}
	if (!status)
		status = clwFinish(context);
	run->elapsed_ns = now_ns() - start_ns;
	return status ? claw_worker_fail_clw(error) : CLW_OK;
}

/* ---- what it came to -------------------------------------------------------- */

static bool is_result(const struct claw_worker_arg *arg)
{
	return arg->is_output && (arg->buffer || arg->memory);
}

static int put_output(struct clw_context *context, unsigned int index,
		      const struct claw_worker_arg *arg, struct clw_wire *reply,
		      struct claw_worker_error *error)
{
	void *data = claw_malloc(arg->size);
	int status = claw_worker_get(context, arg, data, error);

	if (!status) {
		clw_put(reply, index);
		clw_put_text(reply, arg->type);
		clw_put(reply, arg->count);
		clw_put_bytes(reply, data, arg->size);
	}
	free(data);
	return status;
}

int claw_worker_results(struct clw_context *context,
			const struct claw_worker_run *run,
			struct clw_wire *reply, struct claw_worker_error *error)
{
	unsigned int count = 0;
	int status = CLW_OK;

	for (unsigned int i = 0; i < run->count; i++)
		count += is_result(&run->args[i]);
	clw_put(reply, count);
	for (unsigned int i = 0; !status && i < run->count; i++)
		if (is_result(&run->args[i]))
			status = put_output(context, i, &run->args[i], reply,
					    error);
	return status;
}

void claw_worker_release(struct claw_worker_run *run)
{
	clwReleaseKernel(run->kernel);
	for (unsigned int i = 0; i < run->count; i++)
		claw_worker_free_object(&run->args[i]);
	for (unsigned int i = 0; i < run->count; i++)
		if (!claw_worker_is_alias(&run->args[i]))
			clwReleaseBuffer(run->args[i].buffer);
	claw_clw_free(run->file);
}
