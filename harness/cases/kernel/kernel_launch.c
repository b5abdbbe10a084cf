/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Launch a kernel, wait for it, and take its time. An error from here on is
 * the kernel's doing.
 */
#include "config.h"

#include "kernel.h"

#include <stdio.h>

#include "suites/case_result.h"

static void take_time(struct claw_kernel_run *run, cl_event event)
{
	cl_ulong start = 0, end = 0;

	if (clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START,
				    sizeof(start), &start, NULL) !=
	    CL_SUCCESS ||
	    clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END,
				    sizeof(end), &end, NULL) != CL_SUCCESS ||
	    end < start)
		return;
	run->kernel_ms += (double)(end - start) / 1e6;
	run->timed++;
}

static bool wait_for(struct claw_kernel_run *run, cl_event event)
{
	cl_int status = CL_COMPLETE;
	cl_int err = clFinish(run->queue);

	if (err != CL_SUCCESS)
		return claw_kernel_fail_call(run, "clFinish", NULL, err);
	err = clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS,
			     sizeof(status), &status, NULL);
	if (err != CL_SUCCESS)
		return claw_kernel_fail_call(run, "clGetEventInfo", NULL, err);
	if (status < 0)
		return claw_kernel_fail_call(run, "the launch's event", NULL,
					     status);
	if (status != CL_COMPLETE)
		return claw_kernel_fail(run, 0, "clFinish returned, but the "
					"launch's event has status %d instead "
					"of CL_COMPLETE", (int)status);
	return true;
}

/* On stdout, so that the last line of a crash says where it was. */
static void announce(const struct claw_kernel_run *run)
{
	const struct claw_clw_test *test = run->test;

	printf("launch %u: %s", run->launches + 1, test->kernel);
	for (unsigned int i = 0; i < test->dimensions; i++)
		printf("%s%zu", i ? "x" : ", global size ", test->global[i]);
	for (unsigned int i = 0; test->has_local && i < test->dimensions; i++)
		printf("%s%zu", i ? "x" : ", local size ", test->local[i]);
	putchar('\n');
	fflush(stdout);
}

static bool is_given(const struct claw_kernel_run *run, cl_uint index)
{
	for (size_t i = 0; i < run->object_count; i++)
		if (claw_kernel_about(&run->objects[i])->index == index)
			return true;
	return false;
}

/* Which arguments has the file forgotten? */
static bool fail_launch(struct claw_kernel_run *run, cl_int err)
{
	cl_uint count = 0, missing = 0, first = 0;

	claw_kernel_fail_call(run, "clEnqueueNDRangeKernel", NULL, err);
	if (err != CL_INVALID_KERNEL_ARGS ||
	    clGetKernelInfo(run->kernel, CL_KERNEL_NUM_ARGS, sizeof(count),
			    &count, NULL) != CL_SUCCESS)
		return false;
	for (cl_uint i = count; i-- > 0; ) {
		if (is_given(run, i))
			continue;
		first = i;
		missing++;
	}
	if (missing == 0)
		return false;
	claw_kernel_add(run, "%s takes %u argument%s, but the test has none "
			"for %u%s", run->test->kernel, (unsigned int)count,
			count == 1 ? "" : "s", (unsigned int)first,
			missing == 1 ? "" : " and others");
	run->line = run->test->line;
	return false;
}

bool claw_kernel_launch(struct claw_kernel_run *run)
{
	const struct claw_clw_test *test = run->test;
	cl_event event = NULL;
	cl_int err;
	bool held;

	if (!claw_kernel_make(run) || !claw_kernel_set(run))
		return false;
	if (!run->options.loop || run->launches == 0)
		announce(run);
	err = clEnqueueNDRangeKernel(run->queue, run->kernel,
				     test->dimensions, test->has_offset ?
				     test->offset : NULL, test->global,
				     test->has_local ? test->local : NULL, 0,
				     NULL, &event);
	if (err != CL_SUCCESS || !event)
		return fail_launch(run, err);
	run->is_launched = true;
	run->launches++;
	held = wait_for(run, event);
	if (held && run->options.metrics)
		take_time(run, event);
	clReleaseEvent(event);
	return held;
}

/* Of the test's data: what goes in is read once, what comes out is written
 * once. */
static double moved_bytes(const struct claw_clw_test *test)
{
	double bytes = 0;

	for (size_t i = 0; i < test->in_count; i++)
		if ((test->in[i].kind == CLAW_CLW_BUFFER ||
		     test->in[i].kind == CLAW_CLW_IMAGE) &&
		    (test->in[i].fill == CLAW_CLW_DATA ||
		     test->in[i].fill == CLAW_CLW_RANDOM))
			bytes += (double)test->in[i].size_bytes;
	for (size_t i = 0; i < test->out_count; i++)
		bytes += (double)test->out[i].size_bytes;
	return bytes;
}

void claw_kernel_measure(const struct claw_kernel_run *run)
{
	double ms = run->timed ? run->kernel_ms / run->timed : 0;
	double bytes = moved_bytes(run->test);
	char text[48];

	if (!run->options.metrics)
		return;
	snprintf(text, sizeof(text), "%u", run->launches);
	claw_case_result_line("metric", "launches", text, NULL);
	snprintf(text, sizeof(text), "%.0f", bytes);
	claw_case_result_line("metric", "bytes", text, NULL);
	if (run->timed == 0 || run->timed != run->launches)
		return;		/* a mean of some would not say so */
	snprintf(text, sizeof(text), "%.6f", ms);
	claw_case_result_line("metric", "kernel_ms", text, NULL);
	if (ms <= 0 || bytes <= 0)
		return;
	snprintf(text, sizeof(text), "%.6f", bytes / ms / 1e6);
	claw_case_result_line("metric", "gb_per_s", text, NULL);
}
