/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The calls that device_faults makes after the trigger: each about the buffer
 * of the trigger, each saying what it got, whatever that is.
 */
#include "config.h"

#include "device_faults.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { POLLS = 5000, POLL_US = 1000, LATER_US = 300000 };

static const size_t items = ITEMS;

static const char small_source[] =
	"kernel void small(global int *p) { p[0] = 0; }\n";

cl_program steps_program(cl_context context, cl_device_id device,
			 const char *source)
{
	cl_int err;
	cl_program program = clCreateProgramWithSource(context, 1, &source,
						       NULL, &err);

	if (!err)
		clBuildProgram(program, device != NULL, device ? &device : NULL,
			       "", NULL, NULL);
	return program;
}

/* What a query of a status says and what it returns are two things. */
static cl_int get_status(struct objects *o, cl_mem buffer)
{
	cl_int status = UNTOLD, err = CL_SUCCESS;

	(void)buffer;
	if (!o->event)
		return CL_SUCCESS;
	/* The launch may still be under way. */
	for (int i = 0; i < POLLS; i++) {
		err = clGetEventInfo(o->event,
				     CL_EVENT_COMMAND_EXECUTION_STATUS,
				     sizeof(status), &status, NULL);
		if (err || status <= CL_COMPLETE)
			break;
		usleep(POLL_US);
	}
	say("event.status", status);
	say("clGetEventInfo", err);
	return err;
}

static cl_int get_times(struct objects *o, cl_mem buffer)
{
	cl_ulong start;
	cl_int err;

	(void)buffer;
	if (!o->event)
		return CL_SUCCESS;
	err = clGetEventProfilingInfo(o->event, CL_PROFILING_COMMAND_START,
				      sizeof(start), &start, NULL);
	say("clGetEventProfilingInfo", err);
	return err;
}

/* Is the caller's value left as it was? */
static cl_int keep_value(struct objects *o, cl_mem buffer)
{
	cl_ulong start = UNTOLD;
	cl_int err;

	(void)buffer;
	if (!o->event)
		return CL_SUCCESS;
	err = clGetEventProfilingInfo(o->event, CL_PROFILING_COMMAND_START,
				      sizeof(start), &start, NULL);
	say("clGetEventProfilingInfo", err);
	say("profiling.value.kept", start == UNTOLD);
	return err;
}

static cl_int wait_event(struct objects *o, cl_mem buffer)
{
	cl_int err;

	(void)buffer;
	if (!o->event)
		return CL_SUCCESS;
	err = clWaitForEvents(1, &o->event);
	say("clWaitForEvents", err);
	return err;
}

/* A command that waits for the launch, and a wait for that one. */
static cl_int depend(struct objects *o, cl_mem buffer)
{
	cl_int status = UNTOLD, err;
	cl_event last = NULL;

	(void)buffer;
	if (!o->event)
		return CL_SUCCESS;
	err = clEnqueueNDRangeKernel(o->queue, o->kernel, 1, NULL, &items,
				     NULL, 1, &o->event, &last);
	say("clEnqueueNDRangeKernel(dependent)", err);
	if (err)
		return err;
	err = clWaitForEvents(1, &last);
	say("clWaitForEvents(dependent)", err);
	clGetEventInfo(last, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status),
		       &status, NULL);
	say("event.status(dependent)", status);
	clReleaseEvent(last);
	return err;
}

static cl_int finish(struct objects *o, cl_mem buffer)
{
	cl_int err = clFinish(o->queue);

	(void)buffer;
	say("clFinish", err);
	return err;
}

static cl_int finish_other(struct objects *o, cl_mem buffer)
{
	cl_int err = clFinish(o->other_queue);

	(void)buffer;
	say("clFinish(otherqueue)", err);
	return err;
}

static cl_int finish_far(struct objects *o, cl_mem buffer)
{
	cl_int err = clFinish(o->far_queue);

	(void)buffer;
	say("clFinish(othercontext)", err);
	return err;
}

static cl_int flush(struct objects *o, cl_mem buffer)
{
	cl_int err = clFlush(o->queue);

	(void)buffer;
	say("clFlush", err);
	return err;
}

static cl_int read_blocking(struct objects *o, cl_mem buffer)
{
	cl_int err = clEnqueueReadBuffer(o->queue, buffer, CL_TRUE, 0, 4096,
					 o->host, 0, NULL, NULL);

	say("clEnqueueReadBuffer", err);
	return err;
}

static cl_int read_later(struct objects *o, cl_mem buffer)
{
	cl_int status = UNTOLD;
	cl_event done = NULL;
	cl_int err = clEnqueueReadBuffer(o->queue, buffer, CL_FALSE, 0, 4096,
					 o->host, 0, NULL, &done);

	if (!err && done) {
		say("clWaitForEvents(read)", clWaitForEvents(1, &done));
		clGetEventInfo(done, CL_EVENT_COMMAND_EXECUTION_STATUS,
			       sizeof(status), &status, NULL);
		say("event.status(read)", status);
		clReleaseEvent(done);
	}
	say("clEnqueueReadBuffer.nonblocking", err);
	return err;
}

static cl_int write_blocking(struct objects *o, cl_mem buffer)
{
	cl_int err = clEnqueueWriteBuffer(o->queue, buffer, CL_TRUE, 0, 4096,
					  o->host, 0, NULL, NULL);

	say("clEnqueueWriteBuffer", err);
	return err;
}

static cl_int write_later(struct objects *o, cl_mem buffer)
{
	cl_int err = clEnqueueWriteBuffer(o->queue, buffer, CL_FALSE, 0, 4096,
					  o->host, 0, NULL, NULL);

	say("clEnqueueWriteBuffer.nonblocking", err);
	return err;
}

static cl_int copy(struct objects *o, cl_mem buffer)
{
	cl_int err = clEnqueueCopyBuffer(o->queue, buffer, o->other_buffer, 0,
					 0, 4096, 0, NULL, NULL);

	say("clEnqueueCopyBuffer", err);
	return err;
}

static cl_int fill(struct objects *o, cl_mem buffer)
{
	static const cl_int pattern = 7;
	cl_int err = clEnqueueFillBuffer(o->queue, buffer, &pattern,
					 sizeof(pattern), 0, 4096, 0, NULL,
					 NULL);

	say("clEnqueueFillBuffer", err);
	return err;
}

static cl_int map(struct objects *o, cl_mem buffer)
{
	cl_int err = CL_SUCCESS;
	void *at = clEnqueueMapBuffer(o->queue, buffer, CL_TRUE, CL_MAP_READ,
				      0, 4096, 0, NULL, NULL, &err);

	say("map.pointer.nonnull", at != NULL);
	say("clEnqueueMapBuffer", err);
	if (at)
		clEnqueueUnmapMemObject(o->queue, buffer, at, 0, NULL, NULL);
	return err;
}

static cl_int marker(struct objects *o, cl_mem buffer)
{
	cl_int err = clEnqueueMarkerWithWaitList(o->queue, 0, NULL, NULL);

	(void)buffer;
	say("clEnqueueMarkerWithWaitList", err);
	return err;
}

static cl_int launch_in(cl_command_queue queue, struct objects *o,
			cl_mem buffer, const char *name)
{
	cl_int err;

	clSetKernelArg(o->kernel, 0, sizeof(buffer), &buffer);
	err = clEnqueueNDRangeKernel(queue, o->kernel, 1, NULL, &items, NULL,
				     0, NULL, NULL);
	say(name, err);
	return err;
}

static cl_int launch(struct objects *o, cl_mem buffer)
{
	return launch_in(o->queue, o, buffer, "clEnqueueNDRangeKernel");
}

static cl_int launch_other(struct objects *o, cl_mem buffer)
{
	return launch_in(o->other_queue, o, buffer,
			 "clEnqueueNDRangeKernel.otherqueue");
}

static cl_int read_other(struct objects *o, cl_mem buffer)
{
	cl_int err = clEnqueueReadBuffer(o->other_queue, buffer, CL_TRUE, 0,
					 4096, o->host, 0, NULL, NULL);

	say("clEnqueueReadBuffer.otherqueue", err);
	return err;
}

/* What the other queue says. */
static cl_int ask_other(struct objects *o, cl_mem buffer)
{
	cl_int err = launch_other(o, buffer);

	finish_other(o, buffer);
	read_other(o, buffer);
	return err;
}

static cl_int ask_other_flushed(struct objects *o, cl_mem buffer)
{
	flush(o, buffer);
	return ask_other(o, buffer);
}

static cl_int ask_other_later(struct objects *o, cl_mem buffer)
{
	flush(o, buffer);
	usleep(LATER_US);
	return ask_other(o, buffer);
}

static cl_int ask_other_finished(struct objects *o, cl_mem buffer)
{
	finish(o, buffer);
	return ask_other(o, buffer);
}

/* The launch that faults may have begun, or not. */
static cl_int finish_other_later(struct objects *o, cl_mem buffer)
{
	flush(o, buffer);
	usleep(LATER_US);
	return finish_other(o, buffer);
}

static cl_int write_far(struct objects *o, cl_mem buffer)
{
	cl_int err = clEnqueueWriteBuffer(o->far_queue, o->far_buffer, CL_TRUE,
					  0, 4096, o->host, 0, NULL, NULL);

	(void)buffer;
	say("clEnqueueWriteBuffer.othercontext", err);
	return err;
}

static cl_int create_buffer(struct objects *o, cl_mem buffer)
{
	cl_int err;
	cl_mem made = clCreateBuffer(o->context, CL_MEM_READ_WRITE, 4096, NULL,
				     &err);

	(void)buffer;
	say("clCreateBuffer", err);
	if (made)
		clReleaseMemObject(made);
	return err;
}

static cl_int create_copy(struct objects *o, cl_mem buffer)
{
	cl_int err;
	cl_mem made = clCreateBuffer(o->context, CL_MEM_COPY_HOST_PTR, 4096,
				     o->host, &err);

	(void)buffer;
	say("clCreateBuffer.copyhost", err);
	if (made)
		clReleaseMemObject(made);
	return err;
}

/* Its release would be a flush more: it is left to the end of the process. */
static cl_int create_queue(struct objects *o, cl_mem buffer)
{
	cl_int err;

	(void)buffer;
	clCreateCommandQueue(o->context, o->device, 0, &err);
	say("clCreateCommandQueue", err);
	return err;
}

static cl_int create_kernel(struct objects *o, cl_mem buffer)
{
	cl_int err;
	cl_kernel kernel = clCreateKernel(o->program, "good", &err);

	say("clCreateKernel", err);
	if (kernel) {
		say("clSetKernelArg", clSetKernelArg(kernel, 0, sizeof(buffer),
						     &buffer));
		clReleaseKernel(kernel);
	}
	return err;
}

static cl_int build(struct objects *o, cl_mem buffer)
{
	const char *source = small_source;
	cl_int made, err;
	cl_program program = clCreateProgramWithSource(o->context, 1, &source,
						       NULL, &made);

	(void)buffer;
	err = program ? clBuildProgram(program, 1, &o->device, "", NULL, NULL) :
		CL_INVALID_PROGRAM;
	say("clBuildProgram", err);
	say("clCreateProgramWithSource", made);
	if (program)
		clReleaseProgram(program);
	return err;
}

static cl_int query(struct objects *o, cl_mem buffer)
{
	cl_bool available = CL_FALSE;
	cl_uint count = 0;
	cl_int err = clGetDeviceInfo(o->device, CL_DEVICE_AVAILABLE,
				     sizeof(available), &available, NULL);

	(void)buffer;
	say("CL_DEVICE_AVAILABLE", available);
	say("clGetDeviceInfo", err);
	err = clGetDeviceIDs(o->platform, CL_DEVICE_TYPE_ALL, 0, NULL, &count);
	say("num_devices", count);
	say("clGetDeviceIDs", err);
	err = clGetContextInfo(o->context, CL_CONTEXT_NUM_DEVICES,
			       sizeof(count), &count, NULL);
	say("clGetContextInfo", err);
	return err;
}

static cl_int create_context(struct objects *o, cl_mem buffer)
{
	cl_int err;
	cl_context made = clCreateContext(NULL, 1, &o->device, NULL, NULL,
					  &err);

	(void)buffer;
	say("clCreateContext", err);
	if (made)
		clReleaseContext(made);
	return err;
}

static cl_int release(struct objects *o, cl_mem buffer)
{
	say("clReleaseMemObject", clReleaseMemObject(buffer));
	say("clReleaseKernel", clReleaseKernel(o->kernel));
	say("clReleaseProgram", clReleaseProgram(o->program));
	if (o->event)
		say("clReleaseEvent", clReleaseEvent(o->event));
	clReleaseCommandQueue(o->other_queue);
	say("clReleaseCommandQueue", clReleaseCommandQueue(o->queue));
	say("clReleaseContext", clReleaseContext(o->context));
	return CL_SUCCESS;
}

static const struct step {
	const char *name;
	cl_int (*run)(struct objects *o, cl_mem buffer);
	bool only_first;	/* no part of the recordings' row */
} steps[] = {
	{ "clGetEventInfo", get_status, false },
	{ "clWaitForEvents", wait_event, false },
	{ "clFinish", finish, false },
	{ "clFlush", flush, false },
	{ "clEnqueueReadBuffer", read_blocking, false },
	{ "clEnqueueReadBuffer.nonblocking", read_later, false },
	{ "clEnqueueWriteBuffer", write_blocking, false },
	{ "clEnqueueCopyBuffer", copy, false },
	{ "clEnqueueFillBuffer", fill, false },
	{ "clEnqueueMapBuffer", map, false },
	{ "clEnqueueMarkerWithWaitList", marker, false },
	{ "clEnqueueNDRangeKernel", launch, false },
	{ "clFinish(otherqueue)", finish_other, false },
	{ "clEnqueueNDRangeKernel.otherqueue", launch_other, false },
	{ "clFinish(othercontext)", finish_far, false },
	{ "clEnqueueWriteBuffer.othercontext", write_far, false },
	{ "clCreateBuffer", create_buffer, false },
	{ "clCreateBuffer.copyhost", create_copy, false },
	{ "clCreateCommandQueue", create_queue, false },
	{ "clCreateKernel", create_kernel, false },
	{ "clBuildProgram", build, false },
	{ "CL_DEVICE_AVAILABLE", query, false },
	{ "clCreateContext", create_context, false },
	{ "clReleaseMemObject", release, false },
	{ "clEnqueueWriteBuffer.nonblocking", write_later, true },
	{ "clGetEventProfilingInfo", get_times, true },
	{ "dependent", depend, true },
	{ "profiling.value", keep_value, true },
	{ "clEnqueueReadBuffer.otherqueue", read_other, true },
	{ "otherqueue", ask_other, true },
	{ "otherqueue.flushed", ask_other_flushed, true },
	{ "otherqueue.later", ask_other_later, true },
	{ "otherqueue.finished", ask_other_finished, true },
	{ "clFinish(otherqueue).later", finish_other_later, true },
};

enum { STEPS = sizeof(steps) / sizeof(*steps) };

static const struct step *find(const char *name)
{
	for (unsigned int i = 0; i < STEPS; i++)
		if (!strcmp(steps[i].name, name) && steps[i].run != release)
			return &steps[i];
	return NULL;
}

bool step_exists(const char *name)
{
	return find(name) != NULL;
}

cl_int step_run(const char *name, struct objects *o, cl_mem buffer)
{
	return find(name)->run(o, buffer);
}

void steps_run_all(struct objects *o, cl_mem buffer)
{
	for (unsigned int i = 0; i < STEPS; i++)
		if (!steps[i].only_first)
			steps[i].run(o, buffer);
}

void steps_list(void)
{
	for (unsigned int i = 0; i < STEPS; i++)
		if (steps[i].run != release)
			puts(steps[i].name);
}
