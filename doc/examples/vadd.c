/* SPDX-License-Identifier: Apache-2.0 */
/* Adds numbers, and makes the mistakes of doc/HOWTO-first-hour.md. */
#include <stdio.h>
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

enum { COUNT = 256 };

static const char *source =
	"kernel void vadd(global const float *a, global float *b)\n"
	"{\n"
	"	int i = get_global_id(0);\n"
	"\n"
	"	b[i] = a[i] + a[i + 1];\n"
	"}\n";

int main(void)
{
	float in[COUNT], out[COUNT] = { 0 };
	size_t size = COUNT;
	cl_platform_id platform;
	cl_device_id device;
	cl_int err;

	for (int i = 0; i < COUNT; i++)
		in[i] = (float)i;
	if (clGetPlatformIDs(1, &platform, NULL) != CL_SUCCESS ||
	    clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) !=
	    CL_SUCCESS) {
		fprintf(stderr, "no device\n");
		return 1;
	}
	cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &err);

	if (err != CL_SUCCESS) {
		fprintf(stderr, "no context\n");
		return 1;
	}
	cl_command_queue queue = clCreateCommandQueue(context, device, 0, NULL);
	cl_mem a = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof(in), in,
				  NULL);
	cl_mem b = clCreateBuffer(context, 0, sizeof(out), NULL, NULL);
	cl_program program = clCreateProgramWithSource(context, 1, &source,
						       NULL, NULL);

	clBuildProgram(program, 1, &device, "", NULL, NULL);
	cl_kernel kernel = clCreateKernel(program, "vadd", NULL);

	clSetKernelArg(kernel, 0, sizeof(a), &a);
	clSetKernelArg(kernel, 1, sizeof(b), &b);
	clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &size, NULL, 0, NULL,
			       NULL);
	clEnqueueReadBuffer(queue, b, CL_TRUE, 0, sizeof(out), out, 0, NULL,
			    NULL);
	printf("out[3] = %g\n", (double)out[3]);
	clReleaseMemObject(a);
	clReleaseKernel(kernel);
	clReleaseProgram(program);
	clReleaseCommandQueue(queue);
	clReleaseContext(context);
	return 0;
}
