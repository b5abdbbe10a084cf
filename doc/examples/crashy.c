/* SPDX-License-Identifier: Apache-2.0 */
/* A program that does not look at what clCreateBuffer gave it. Try
 * openclaw inject --judge --fault clCreateBuffer:oom -- ./crashy */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>

static void fill(int *values, cl_mem buffer)
{
	*(buffer ? values : NULL) = 1;
}

int main(void)
{
	cl_platform_id platform;
	cl_device_id device;
	int value;

	clGetPlatformIDs(1, &platform, NULL);
	clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL);
	cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
	cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, 64, NULL, NULL);

	fill(&value, buffer);
	puts("done");
	return 0;
}
