/* SPDX-License-Identifier: Apache-2.0 */
/*
 * device_faults at a device's limits: memory that runs out, and requests that
 * no device grants.
 */
#include "config.h"

#include "device_faults.h"

#include <stdio.h>
#include <string.h>

/*
 * NVIDIA's driver (580) copies as many bytes as a local argument has to the
 * place of the pointer that the argument is: 64 of them are a heap overrun
 * that ends the process in clReleaseKernel. What 16 bytes take is within the
 * smallest piece of the heap.
 */
enum { EIGHTHS = 12, QUIET = 6, LOCAL_BYTES = 16 };

static cl_int fill_start(struct objects *o, cl_mem mem)
{
	static const cl_int pattern = 7;

	return clEnqueueFillBuffer(o->queue, mem, &pattern, sizeof(pattern), 0,
				   4096, 0, NULL, NULL);
}

/* The call is the one that the program names, said with the buffer's number;
 * what it says itself is not wanted. */
static cl_int use(struct objects *o, cl_mem mem, const char *first,
		  unsigned int n)
{
	static const size_t items = ITEMS;
	char name[64];
	cl_int err;

	if (!strcmp(first, "clEnqueueWriteBuffer")) {
		err = clEnqueueWriteBuffer(o->queue, mem, CL_TRUE, 0, 4096,
					   o->host, 0, NULL, NULL);
	} else if (!strcmp(first, "clEnqueueReadBuffer")) {
		err = clEnqueueReadBuffer(o->queue, mem, CL_TRUE, 0, 4096,
					  o->host, 0, NULL, NULL);
	} else if (!strcmp(first, "clEnqueueCopyBuffer")) {
		err = clEnqueueCopyBuffer(o->queue, mem, o->other_buffer, 0, 0,
					  4096, 0, NULL, NULL);
	} else if (!strcmp(first, "clEnqueueNDRangeKernel")) {
		clSetKernelArg(o->kernel, 0, sizeof(mem), &mem);
		err = clEnqueueNDRangeKernel(o->queue, o->kernel, 1, NULL,
					     &items, NULL, 0, NULL, NULL);
	} else if (!strcmp(first, "clEnqueueMapBuffer")) {
		void *at = clEnqueueMapBuffer(o->queue, mem, CL_TRUE,
					      CL_MAP_WRITE, 0, 4096, 0, NULL,
					      NULL, &err);

		if (at)
			clEnqueueUnmapMemObject(o->queue, mem, at, 0, NULL,
						NULL);
	} else {
		first = "clEnqueueFillBuffer";
		err = fill_start(o, mem);
	}
	snprintf(name, sizeof(name), "%s@buf%u", first, n);
	say(name, err);
	return err;
}

cl_mem limits_run_out(struct objects *o, const char *first)
{
	size_t bytes = (size_t)(o->memory_bytes / 8);

	for (unsigned int n = 0; n < EIGHTHS; n++) {
		cl_int err;
		cl_mem mem = clCreateBuffer(o->context, CL_MEM_READ_WRITE,
					    bytes, NULL, &err);

		say("clCreateBuffer(gm/8)", err);
		if (err)
			return NULL;
		if (n < QUIET) {
			say("fill", fill_start(o, mem));
			say("finish", clFinish(o->queue));
			continue;
		}
		err = use(o, mem, first, n);
		say("clFinish", clFinish(o->queue));
		if (err)
			return mem;
	}
	return NULL;
}

static void try_bytes(struct objects *o, const char *name, size_t bytes,
		      bool used)
{
	cl_int err;
	cl_mem mem = clCreateBuffer(o->context, CL_MEM_READ_WRITE, bytes, NULL,
				    &err);

	say(name, err);
	if (used && mem) {
		say("fill", fill_start(o, mem));
		say("finish", clFinish(o->queue));
	}
	if (mem)
		clReleaseMemObject(mem);
}

static void try_sizes(struct objects *o)
{
	size_t max = (size_t)o->largest_bytes;
	cl_int err;
	cl_mem mem;

	try_bytes(o, "clCreateBuffer(max*1+4096)", max + 4096, true);
	try_bytes(o, "clCreateBuffer(max*2)", max * 2, true);
	try_bytes(o, "clCreateBuffer(max*4)", max * 4, true);
	try_bytes(o, "clCreateBuffer(max*8)", max * 8, true);
	try_bytes(o, "clCreateBuffer(0)", 0, false);
	try_bytes(o, "clCreateBuffer(1<<50)", (size_t)1 << 50, false);
	mem = clCreateBuffer(o->context, CL_MEM_USE_HOST_PTR, 4096, NULL, &err);
	say("clCreateBuffer(USE_HOST_PTR,NULL)", err);
	if (mem)
		clReleaseMemObject(mem);
	say("clReleaseMemObject(NULL)", clReleaseMemObject(NULL));
}

static cl_int launch(struct objects *o, cl_kernel kernel, size_t global,
		     size_t local)
{
	return clEnqueueNDRangeKernel(o->queue, kernel, 1, NULL, &global,
				      &local, 0, NULL, NULL);
}

static void try_arguments(struct objects *o)
{
	cl_kernel kernel = o->kernel;

	say("clSetKernelArg(bad index)", clSetKernelArg(kernel, 9,
		sizeof(o->buffer), &o->buffer));
	say("clSetKernelArg(bad size)", clSetKernelArg(kernel, 0, 3,
		&o->buffer));
	say("clEnqueueNDRangeKernel(local 1M)",
	    launch(o, kernel, 1 << 20, 1 << 20));
	say("clEnqueueNDRangeKernel(64/7)", launch(o, kernel, 64, 7));
	say("clEnqueueReadBuffer(past end)",
	    clEnqueueReadBuffer(o->queue, o->buffer, CL_TRUE, BUFFER_BYTES,
				4096, o->host, 0, NULL, NULL));
	say("clEnqueueReadBuffer(NULL ptr)",
	    clEnqueueReadBuffer(o->queue, o->buffer, CL_TRUE, 0, 4096, NULL, 0,
				NULL, NULL));
}

static cl_program build(struct objects *o, const char *name, const char *source)
{
	cl_int err;
	cl_program program = clCreateProgramWithSource(o->context, 1, &source,
						       NULL, &err);

	say(name, clBuildProgram(program, 1, &o->device, "", NULL, NULL));
	return program;
}

static void try_programs(struct objects *o)
{
	cl_program bad = build(o, "clBuildProgram(bad)",
			       "kernel void bad(global int *p) { nonsense }\n");
	cl_int err;
	cl_kernel kernel;

	clCreateKernel(bad, "bad", &err);
	say("clCreateKernel(bad program)", err);
	clCreateKernel(o->program, "nosuch", &err);
	say("clCreateKernel(nosuch)", err);
	clReleaseProgram(bad);
	bad = build(o, "clBuildProgram(160 MB local)",
		    "kernel void big(global int *p)\n"
		    "{ local int a[40 << 20];\n"
		    "  a[get_local_id(0) * 100] = p[0];\n"
		    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
		    "  p[get_global_id(0)] = a[p[1]]; }\n");
	clReleaseProgram(bad);
	kernel = clCreateKernel(o->program, "with_value", &err);
	say("clEnqueueNDRangeKernel(args unset)", launch(o, kernel, 64, 64));
	say("clSetKernelArg(local on global ptr)",
	    clSetKernelArg(kernel, 0, LOCAL_BYTES, NULL));
	clReleaseKernel(kernel);
}

void limits_exceed(struct objects *o)
{
	try_sizes(o);
	try_arguments(o);
	try_programs(o);
	say("clReleaseMemObject", clReleaseMemObject(o->buffer));
	say("clReleaseKernel", clReleaseKernel(o->kernel));
	say("clReleaseProgram", clReleaseProgram(o->program));
	say("clReleaseCommandQueue", clReleaseCommandQueue(o->queue));
	say("clReleaseContext", clReleaseContext(o->context));
}
