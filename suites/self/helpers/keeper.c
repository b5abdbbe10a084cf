/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program that keeps its binary from run to run, as pyopencl and hashcat do:
 * keeper BINARY TEXT [OPTIONS]. Built of TEXT and written to BINARY where that
 * is not there, else of BINARY. Runs the kernel "k" on 64 numbers; says what it
 * was built of, and the numbers' sum.
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <stdio.h>
#include <stdlib.h>

enum { COUNT = 64, ROOM = 1 << 20 };

static char room[ROOM];

static size_t read_file(const char *path)
{
	FILE *in = fopen(path, "r");
	size_t bytes = in ? fread(room, 1, ROOM - 1, in) : 0;

	if (in)
		fclose(in);
	room[bytes] = '\0';
	return bytes;
}

static int write_binary(cl_program program, const char *path)
{
	unsigned char *bytes = (unsigned char *)room;
	size_t size = 0;
	FILE *out = fopen(path, "w");

	if (!out)
		return 0;
	if (!clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof(size),
			      &size, NULL) && size <= ROOM &&
	    !clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof(bytes),
			      &bytes, NULL))
		fwrite(bytes, 1, size, out);
	return fclose(out) == 0;
}

int main(int argc, char **argv)
{
	cl_platform_id platform;
	cl_device_id device;
	cl_int err = clGetPlatformIDs(1, &platform, NULL), status;
	unsigned int numbers[COUNT], sum = 0;
	const size_t count = COUNT;
	cl_program program;
	size_t bytes;

	if (argc < 3 || err || clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1,
					      &device, NULL))
		return 77;
	cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL,
					     &err);
	cl_command_queue queue = clCreateCommandQueue(context, device, 0,
						      &err);

	bytes = read_file(argv[1]);
	if (bytes) {
		const unsigned char *binary = (const unsigned char *)room;

		program = clCreateProgramWithBinary(context, 1, &device, &bytes,
						    &binary, &status, &err);
		puts("of its binary");
	} else {
		const char *text = room;

		read_file(argv[2]);
		program = clCreateProgramWithSource(context, 1, &text, NULL,
						    &err);
		puts("of its source");
	}
	if (err || clBuildProgram(program, 1, &device, argc > 3 ? argv[3] : "",
				  NULL, NULL))
		return 2;
	if (!bytes && !write_binary(program, argv[1]))
		return 3;

	cl_kernel kernel = clCreateKernel(program, "k", &err);
	cl_mem mem = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof(numbers),
				    NULL, &err);

	if (clSetKernelArg(kernel, 0, sizeof(mem), &mem) ||
	    clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &count, NULL, 0,
				   NULL, NULL) ||
	    clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, sizeof(numbers),
				numbers, 0, NULL, NULL))
		return 4;
	for (int i = 0; i < COUNT; i++)
		sum += numbers[i];
	printf("%u\n", sum);
	clReleaseMemObject(mem);
	clReleaseKernel(kernel);
	clReleaseProgram(program);
	clReleaseCommandQueue(queue);
	clReleaseContext(context);
	return 0;
}
