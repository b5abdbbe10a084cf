/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the programs of this folder share: the first device, a queue, a kernel.
 * Each builds with "cc NAME.c -lOpenCL" and exits with 0 where the driver does
 * what the specification says, 1 where it does not, and 77 without a device;
 * some drivers crash or hang instead.
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static cl_device_id device;
static cl_context context;
static cl_command_queue queue;

static inline void setup(void)
{
	char name[256] = "", version[256] = "";
	cl_platform_id platform;

	if (clGetPlatformIDs(1, &platform, NULL) ||
	    clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL)) {
		puts("no OpenCL device");
		exit(77);
	}
	clGetPlatformInfo(platform, CL_PLATFORM_NAME, 255, name, NULL);
	clGetDeviceInfo(device, CL_DRIVER_VERSION, 255, version, NULL);
	printf("driver: %s %s\n", name, version);
	fflush(stdout);
	context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
	queue = clCreateCommandQueue(context, device, 0, NULL);
}

static inline cl_mem new_buffer(size_t bytes)
{
	return clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, NULL);
}

static inline cl_kernel new_kernel(const char *source, const char *name)
{
	cl_program program = clCreateProgramWithSource(context, 1, &source,
						       NULL, NULL);

	if (clBuildProgram(program, 1, &device, "", NULL, NULL)) {
		puts("the kernel does not build");
		exit(77);
	}
	return clCreateKernel(program, name, NULL);
}

/* Tell what a call returned; the exit status. */
static inline int expect(const char *what, cl_int found, cl_int expected)
{
	printf("%s: %d, expected %d\n", what, (int)found, (int)expected);
	return found != expected;
}
