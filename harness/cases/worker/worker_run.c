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

static int fill(struct claw_worker_arg *arg)
{
	const unsigned char zero = 0;

	return arg->data ? clwEnqueueWrite(arg->buffer, 0, arg->size,
					   arg->data, 0) :
	       clwEnqueueFill(arg->buffer, 0, arg->size, &zero, 1);
}

static int set_buffer(struct clw_context *context, struct clw_kernel *kernel,
		      unsigned int index, struct claw_worker_arg *arg)
{
	cl_mem none = NULL;
	int status;

	if (arg->is_null)
		return clwSetArg(kernel, index, sizeof(none), &none);
	status = clwCreateBuffer(context, arg->size, CL_MEM_READ_WRITE,
				 &arg->buffer);
	if (!status)
		status = fill(arg);
	return status ? status : clwSetArgBuffer(kernel, index, arg->buffer);
}

static int set_arg(struct clw_context *context, struct clw_kernel *kernel,
		   unsigned int index, struct claw_worker_arg *arg)
{
	switch (arg->kind) {
	case CLW_ARG_BUFFER:
		return set_buffer(context, kernel, index, arg);
	case CLW_ARG_LOCAL:
		return clwSetArgLocal(kernel, index, arg->size);
	default:
		return clwSetArg(kernel, index, arg->size, arg->data);
	}
}

static int set_args(struct clw_context *context, struct claw_worker_run *run)
{
	int status = CLW_OK;

	for (unsigned int i = 0; !status && i < run->count; i++)
		if (run->args[i].is_there)
			status = set_arg(context, run->kernel, i,
					 &run->args[i]);
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

	if (!status)
		status = set_args(context, run);
	/* What was filled has ended: what crashes from here on is the kernel. */
	if (!status)
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

static int put_output(unsigned int index, const struct claw_worker_arg *arg,
		      struct clw_wire *reply)
{
	void *data = claw_malloc(arg->size);
	int status = clwEnqueueRead(arg->buffer, 0, arg->size, data, 0);

	if (!status) {
		clw_put(reply, index);
		clw_put_text(reply, arg->type);
		clw_put(reply, arg->count);
		clw_put_bytes(reply, data, arg->size);
	}
	free(data);
	return status;
}

int claw_worker_results(const struct claw_worker_run *run,
			struct clw_wire *reply, struct claw_worker_error *error)
{
	unsigned int count = 0;
	int status = CLW_OK;

	for (unsigned int i = 0; i < run->count; i++)
		count += run->args[i].is_output && run->args[i].buffer;
	clw_put(reply, count);
	for (unsigned int i = 0; !status && i < run->count; i++)
		if (run->args[i].is_output && run->args[i].buffer)
			status = put_output(i, &run->args[i], reply);
	return status ? claw_worker_fail_clw(error) : CLW_OK;
}

void claw_worker_release(struct claw_worker_run *run)
{
	clwReleaseKernel(run->kernel);
	for (unsigned int i = 0; i < run->count; i++)
		clwReleaseBuffer(run->args[i].buffer);
	claw_clw_free(run->file);
}
