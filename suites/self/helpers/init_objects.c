/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A kernel that reads a buffer, and ways in which that came to what it holds:
 *
 *	init_objects CASE
 *
 * CASE is a row of cases[] below; what is_written says of it is whether
 * somebody wrote all that the kernel reads. Prints the sum of what the kernel
 * made of it, or nothing where it was not written.
 */
#include "config.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CL_TARGET_OPENCL_VERSION 200
#include <CL/cl.h>

enum { COUNT = 1024, HALF = COUNT / 2, INT = sizeof(int), MISSING = 77 };

static const char source[] =
"kernel void add(global const int *from, global int *to)\n"
"{\n"
"	size_t i = get_global_id(0);\n"
"	to[i] = from[i] + 1;\n"
"}\n"
"kernel void put(global int *to) { to[get_global_id(0)] = 7; }\n"
"kernel void odd(global char *to) { to[get_global_id(0) * 4 + 1] = 7; }\n";

static cl_context context;
static cl_device_id device;
static cl_command_queue queue;
static cl_program program;
static int numbers[COUNT];

static void good(cl_int err, const char *what)
{
	if (!err)
		return;
	fprintf(stderr, "%s: %d\n", what, err);
	exit(err == CL_INVALID_OPERATION ? MISSING : 1);
}

static cl_mem buffer_of(cl_mem_flags flags, void *host)
{
	cl_int err;
	cl_mem mem = clCreateBuffer(context, CL_MEM_READ_WRITE | flags,
				    COUNT * INT, host, &err);

	good(err, "clCreateBuffer");
	return mem;
}

static void launch(const char *name, cl_mem one, cl_mem two, size_t items)
{
	cl_int err;
	cl_kernel kernel = clCreateKernel(program, name, &err);

	good(err, "clCreateKernel");
	good(clSetKernelArg(kernel, 0, sizeof(one), &one), "clSetKernelArg");
	if (two)
		good(clSetKernelArg(kernel, 1, sizeof(two), &two),
		     "clSetKernelArg");
	good(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0,
				    NULL, NULL), "clEnqueueNDRangeKernel");
	clReleaseKernel(kernel);
}

static void write_to(cl_mem mem, size_t from, size_t count)
{
	good(clEnqueueWriteBuffer(queue, mem, CL_TRUE, from * INT, count * INT,
				  numbers, 0, NULL, NULL),
	     "clEnqueueWriteBuffer");
}

static void copy(cl_mem from, cl_mem to, size_t at, size_t count)
{
	good(clEnqueueCopyBuffer(queue, from, to, at * INT, at * INT,
				 count * INT, 0, NULL, NULL),
	     "clEnqueueCopyBuffer");
}

static cl_mem part_of(cl_mem mem, size_t from, size_t count)
{
	cl_buffer_region region = { from * INT, count * INT };
	cl_int err;
	cl_mem part = clCreateSubBuffer(mem, CL_MEM_READ_WRITE,
					CL_BUFFER_CREATE_TYPE_REGION, &region,
					&err);

	good(err, "clCreateSubBuffer");
	return part;
}

/* ---- the ways */

static void nothing(cl_mem mem)
{
	(void)mem;
}

static void whole(cl_mem mem)
{
	write_to(mem, 0, COUNT);
}

static void half(cl_mem mem)
{
	write_to(mem, 0, HALF);
}

static void halves(cl_mem mem)
{
	write_to(mem, 0, HALF);
	write_to(mem, HALF, HALF);
}

static void fill(cl_mem mem)
{
	const cl_int seven = 7;

	good(clEnqueueFillBuffer(queue, mem, &seven, INT, INT,
				 (COUNT - 1) * INT, 0, NULL, NULL),
	     "clEnqueueFillBuffer");
	write_to(mem, 0, 1);
}

static void map(cl_mem mem)
{
	cl_int err;
	int *mapped = clEnqueueMapBuffer(queue, mem, CL_TRUE, CL_MAP_WRITE, 0,
					 COUNT * INT, 0, NULL, NULL, &err);

	good(err, "clEnqueueMapBuffer");
	memcpy(mapped, numbers, sizeof(numbers));
	good(clEnqueueUnmapMemObject(queue, mem, mapped, 0, NULL, NULL),
	     "clEnqueueUnmapMemObject");
}

static void map_to_read(cl_mem mem)
{
	cl_int err;
	void *mapped = clEnqueueMapBuffer(queue, mem, CL_TRUE, CL_MAP_READ, 0,
					  COUNT * INT, 0, NULL, NULL, &err);

	good(err, "clEnqueueMapBuffer");
	good(clEnqueueUnmapMemObject(queue, mem, mapped, 0, NULL, NULL),
	     "clEnqueueUnmapMemObject");
}

static void copy_of_nothing(cl_mem mem)
{
	cl_mem from = buffer_of(0, NULL);

	whole(mem);
	copy(from, mem, HALF, HALF);
	clReleaseMemObject(from);
}

static void copy_of_half(cl_mem mem)
{
	cl_mem from = buffer_of(0, NULL);

	half(from);
	copy(from, mem, 0, HALF);
	write_to(mem, HALF, HALF);
	clReleaseMemObject(from);
}

static void rectangles(cl_mem mem)
{
	const size_t origin[3] = { 0, 0, 0 };
	const size_t left[3] = { 32, 64, 1 }, right[3] = { 32, 0, 0 };

	good(clEnqueueWriteBufferRect(queue, mem, CL_TRUE, origin, origin, left,
				      64, 0, 64, 0, numbers, 0, NULL, NULL),
	     "clEnqueueWriteBufferRect");
	good(clEnqueueWriteBufferRect(queue, mem, CL_TRUE, right, origin, left,
				      64, 0, 64, 0, numbers, 0, NULL, NULL),
	     "clEnqueueWriteBufferRect");
}

static void rectangle(cl_mem mem)
{
	const size_t origin[3] = { 0, 0, 0 }, left[3] = { 32, 64, 1 };

	good(clEnqueueWriteBufferRect(queue, mem, CL_TRUE, origin, origin, left,
				      64, 0, 64, 0, numbers, 0, NULL, NULL),
	     "clEnqueueWriteBufferRect");
}

static void parts(cl_mem mem)
{
	cl_mem part = part_of(mem, HALF, HALF);

	half(mem);
	write_to(part, 0, HALF);
	clReleaseMemObject(part);
}

static void part(cl_mem mem)
{
	cl_mem part = part_of(mem, HALF, HALF);

	write_to(part, 0, HALF);
	clReleaseMemObject(part);
}

static void kernel(cl_mem mem)
{
	launch("put", mem, NULL, COUNT);
}

static void kernel_of_half(cl_mem mem)
{
	launch("put", mem, NULL, HALF);
}

static void kernel_of_part(cl_mem mem)
{
	cl_mem part = part_of(mem, HALF, HALF);

	half(mem);
	launch("put", part, NULL, HALF);
	clReleaseMemObject(part);
}

static void kernel_of_bytes(cl_mem mem)
{
	launch("odd", mem, NULL, COUNT);
}

/* The shadow of what was freed is nobody's. */
static void again(cl_mem mem)
{
	for (int i = 0; i < 20; i++) {
		cl_mem other = buffer_of(0, NULL);

		launch("put", other, NULL, COUNT);
		good(clFinish(queue), "clFinish");
		clReleaseMemObject(other);
	}
	copy_of_nothing(mem);
}

static void pixels(cl_mem mem)
{
	const cl_image_format format = { CL_RGBA, CL_SIGNED_INT32 };
	const cl_image_desc desc = {
		.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 16,
		.image_height = 16,
	};
	const size_t origin[3] = { 0, 0, 0 }, region[3] = { 16, 16, 1 };
	cl_int err;
	cl_mem image = clCreateImage(context, CL_MEM_READ_WRITE |
				     CL_MEM_COPY_HOST_PTR, &format, &desc,
				     numbers, &err);

	if (err)
		exit(MISSING);
	good(clEnqueueCopyImageToBuffer(queue, image, mem, origin, region, 0, 0,
					NULL, NULL),
	     "clEnqueueCopyImageToBuffer");
	clReleaseMemObject(image);
}

/* In place of the buffer. */
static void shared(cl_mem mem)
{
	const size_t items = COUNT;
	int *memory = clSVMAlloc(context, CL_MEM_READ_WRITE, COUNT * INT, 0);
	cl_int err;
	cl_kernel kernel = clCreateKernel(program, "add", &err);

	good(err, "clCreateKernel");
	if (!memory)
		exit(MISSING);
	good(clSetKernelArgSVMPointer(kernel, 0, memory),
	     "clSetKernelArgSVMPointer");
	good(clSetKernelArg(kernel, 1, sizeof(mem), &mem), "clSetKernelArg");
	good(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0,
				    NULL, NULL), "clEnqueueNDRangeKernel");
	good(clFinish(queue), "clFinish");
	clReleaseKernel(kernel);
	clSVMFree(context, memory);
}

/* 512 bytes of each 1,024. */
static void slices(cl_mem mem)
{
	const size_t origin[3] = { 0, 0, 0 }, region[3] = { 64, 8, 4 };

	good(clEnqueueWriteBufferRect(queue, mem, CL_TRUE, origin, origin,
				      region, 64, 1024, 64, 1024, numbers, 0,
				      NULL, NULL), "clEnqueueWriteBufferRect");
}

/* Each second byte. */
static void rows(cl_mem mem)
{
	const size_t origin[3] = { 0, 0, 0 }, region[3] = { 1, 2048, 1 };

	good(clEnqueueWriteBufferRect(queue, mem, CL_TRUE, origin, origin,
				      region, 2, 0, 2, 0, numbers, 0, NULL,
				      NULL), "clEnqueueWriteBufferRect");
}

static void refused(cl_mem mem)
{
	if (!clEnqueueWriteBuffer(queue, mem, CL_TRUE, 0, (COUNT + 1) * INT,
				  numbers, 0, NULL, NULL))
		exit(MISSING);
}

static void references(cl_mem mem)
{
	cl_int err;
	cl_kernel kernel = clCreateKernel(program, "put", &err);
	cl_uint count = 0;

	good(err, "clCreateKernel");
	half(mem);
	good(clFinish(queue), "clFinish");
	good(clGetContextInfo(context, CL_CONTEXT_REFERENCE_COUNT,
			      sizeof(count), &count, NULL), "clGetContextInfo");
	printf("%u\n", count);
	clReleaseKernel(kernel);
	whole(mem);
}

static const struct {
	const char *name;
	bool is_written;
	cl_mem_flags flags;
	void (*prepare)(cl_mem mem);
} cases[] = {
	{ "nothing", false, 0, nothing },
	{ "host", true, CL_MEM_USE_HOST_PTR, nothing },
	{ "copied_host", true, CL_MEM_COPY_HOST_PTR, nothing },
	{ "alloc", false, CL_MEM_ALLOC_HOST_PTR, nothing },
	{ "whole", true, 0, whole },
	{ "half", false, 0, half },
	{ "halves", true, 0, halves },
	{ "fill", true, 0, fill },
	{ "map", true, 0, map },
	{ "map_to_read", false, 0, map_to_read },
	{ "copy_of_nothing", false, 0, copy_of_nothing },
	{ "copy_of_half", true, 0, copy_of_half },
	{ "rectangle", false, 0, rectangle },
	{ "rectangles", true, 0, rectangles },
	{ "part", false, 0, part },
	{ "parts", true, 0, parts },
	{ "kernel", true, 0, kernel },
	{ "kernel_of_half", false, 0, kernel_of_half },
	{ "kernel_of_part", true, 0, kernel_of_part },
	{ "kernel_of_bytes", false, 0, kernel_of_bytes },
	{ "again", false, 0, again },
	{ "pixels", true, 0, pixels },
	{ "shared", false, 0, shared },
	{ "slices", false, 0, slices },
	{ "rows", false, 0, rows },
	{ "refused", false, 0, refused },
	{ "references", true, 0, references },
	{ "out_of_order", true, 0, half },
};

static void begin(bool in_order)
{
	const cl_queue_properties list[] = {
		CL_QUEUE_PROPERTIES, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0,
	};
	const char *text = source;
	cl_platform_id platform;
	cl_int err;

	good(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
	good(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL),
	     "clGetDeviceIDs");
	context = clCreateContext(NULL, 1, &device, NULL, NULL, &err);
	good(err, "clCreateContext");
	queue = clCreateCommandQueueWithProperties(context, device, in_order ?
						   NULL : list, &err);
	good(err, "clCreateCommandQueueWithProperties");
	program = clCreateProgramWithSource(context, 1, &text, NULL, &err);
	good(err, "clCreateProgramWithSource");
	good(clBuildProgram(program, 1, &device, "", NULL, NULL),
	     "clBuildProgram");
}

static void run(size_t i, size_t items)
{
	static int result[COUNT];
	cl_mem mem = buffer_of(cases[i].flags, cases[i].flags &
			       (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR) ?
			       numbers : NULL);
	cl_mem to = buffer_of(0, NULL);
	long sum = 0;

	cases[i].prepare(mem);
	good(clFinish(queue), "clFinish");
	launch("add", mem, to, items);
	good(clFinish(queue), "clFinish");
	good(clEnqueueReadBuffer(queue, to, CL_TRUE, 0, items * INT, result, 0,
				 NULL, NULL), "clEnqueueReadBuffer");
	for (size_t k = 0; k < items; k++)
		sum += result[k];
	if (cases[i].is_written)
		printf("%ld\n", sum);
	clReleaseMemObject(to);
	clReleaseMemObject(mem);
}

int main(int argc, char **argv)
{
	bool in_order = argc == 2 && strcmp(argv[1], "out_of_order") != 0;
	size_t i = 0, count = sizeof(cases) / sizeof(*cases);

	while (argc == 2 && i < count && strcmp(cases[i].name, argv[1]) != 0)
		i++;
	if (argc != 2 || i == count)
		return 64;
	for (int k = 0; k < COUNT; k++)
		numbers[k] = k;
	begin(in_order);
	run(i, in_order ? COUNT : HALF);
	clReleaseProgram(program);
	clReleaseCommandQueue(queue);
	clReleaseContext(context);
	return 0;
}
