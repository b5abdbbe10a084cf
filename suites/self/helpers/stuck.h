/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A launch that does not end on any driver: it waits for an event that nobody
 * completes. For programs that the tests want to see stand still.
 */
#ifndef STUCK_H
#define STUCK_H

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdlib.h>

struct stuck {
	cl_device_id device;
	cl_context context;
	cl_command_queue queue;
	cl_program program;
	cl_event gate;		/* what a launch waits for */
};

/* Everything but the build. Ends the program when it cannot be had. */
static inline void stuck_open(struct stuck *stuck)
{
	const char *source = "kernel void k(void) { }\n"
			     "kernel void hang(void) { for (;;) ; }\n";
	cl_platform_id platform;

	if (clGetPlatformIDs(1, &platform, NULL) != CL_SUCCESS ||
	    clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &stuck->device,
			   NULL) != CL_SUCCESS)
		exit(77);
	stuck->context = clCreateContext(NULL, 1, &stuck->device, NULL, NULL,
					 NULL);
	stuck->queue = clCreateCommandQueue(stuck->context, stuck->device, 0,
					    NULL);
	stuck->program = clCreateProgramWithSource(stuck->context, 1, &source,
						   NULL, NULL);
	stuck->gate = clCreateUserEvent(stuck->context, NULL);
	if (!stuck->queue || !stuck->program || !stuck->gate)
		exit(77);
}

/* gate NULL: it ends at once. Returns its event. */
static inline cl_event stuck_launch(struct stuck *stuck, const char *name,
				    const cl_event *gate)
{
	size_t one = 1;
	cl_event event = NULL;
	cl_kernel kernel;

	if (clBuildProgram(stuck->program, 0, NULL, NULL, NULL, NULL) !=
	    CL_SUCCESS)
		exit(77);
	kernel = clCreateKernel(stuck->program, name, NULL);
	clEnqueueNDRangeKernel(stuck->queue, kernel, 1, NULL, &one, NULL,
			       gate ? 1 : 0, gate, &event);
	return event;
}

#endif
