/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernels that read and write pixels of all kinds of images (but write none of
 * an image on a buffer: pocl 3.1 crashes at the launch):
 *
 *	pixels DISTANCE [KERNEL...]	each kernel (default: all) in one launch, its
 *					coordinates DISTANCE too far
 *
 * 77: the device has no images.
 */
#include "config.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

enum { WIDTH = 8, HEIGHT = 4, DEPTH = 2, LAYERS = 3, MISSING = 77 };

static const char source[] =
"const sampler_t none = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_NONE | CLK_FILTER_NEAREST;\n"
"const sampler_t edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;\n"
"constant sampler_t unit = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_NONE | CLK_FILTER_NEAREST;\n"
"static float4 at(read_only image2d_t i, sampler_t how, int2 xy) { return read_imagef(i, how, xy); }\n"
"static void put(write_only image2d_t o, int x, int y, float v)\n"
"{\n"
"	write_imagef(o,\n"
"		(int2)(x, y), (float4)(v,\n"
"			v, v, 1));\n"
"}\n"
"#define X (int)get_global_id(0)\n"
"#define Y (int)get_global_id(1)\n"
"kernel void w1(write_only image1d_t i, int n) { write_imagef(i, X + n, (float4)(1)); }\n"
"kernel void w1a(write_only image1d_array_t i, int n) { write_imagef(i, (int2)(X, Y + n), (float4)(1)); }\n"
"kernel void w2(write_only image2d_t i, int n) { put(i, X, Y + n, 2); }\n"
"kernel void w2a(write_only image2d_array_t i, int n) { write_imagef(i, (int4)(X, Y, 2 + n, 0), (float4)(1)); }\n"
"kernel void r1(read_only image1d_t i, int n, global float *o) { o[X] = read_imagef(i, X + n).x; }\n"
"kernel void r1b(read_only image1d_buffer_t i, int n, global float *o) { o[X] = read_imagef(i, X + n).x; }\n"
"kernel void r1a(read_only image1d_array_t i, int n, global float *o) { o[X] = read_imagef(i, (int2)(X, 2 + n)).x; }\n"
"kernel void r2(read_only image2d_t i, int n, global float *o) { o[X] = read_imagef(i, (int2)(X - n, 0)).x; }\n"
"kernel void r2a(read_only image2d_array_t i, int n, global float *o) { o[X] = read_imagef(i, (int4)(X, n, 0, 0)).x; }\n"
"kernel void r3(read_only image3d_t i, int n, global float *o) { o[X] = read_imagef(i, (int4)(X, 0, 1 + n, 0)).x; }\n"
"kernel void none2(read_only image2d_t i, int n, global float *o) { o[X] = at(i, none, (int2)(X + n, 0)).x; }\n"
"kernel void unit2(read_only image2d_t i, int n, global float *o) { o[X] = read_imagef(i, unit, (float2)((X + 0.5f) / 8 + n, 0.5f)).x; }\n"
"kernel void given2(read_only image2d_t i, int n, global float *o, sampler_t s) { o[X] = at(i, s, (int2)(X + n, 0)).x; }\n"
"kernel void clamped2(read_only image2d_t i, int n, global float *o, sampler_t s)\n"
"{ o[X] = at(i, s, (int2)(X + n, 99)).x + at(i, edge, (int2)(-1, n)).x; }\n";

/* 0: a kernel has no sampler of the program's. */
static const struct row {
	const char *kernel;
	cl_mem_object_type type;
	cl_addressing_mode mode;
} rows[] = {
	{ "w1", CL_MEM_OBJECT_IMAGE1D, 0 },
	{ "w1a", CL_MEM_OBJECT_IMAGE1D_ARRAY, 0 },
	{ "w2", CL_MEM_OBJECT_IMAGE2D, 0 },
	{ "w2a", CL_MEM_OBJECT_IMAGE2D_ARRAY, 0 },
	{ "r1", CL_MEM_OBJECT_IMAGE1D, 0 },
	{ "r1b", CL_MEM_OBJECT_IMAGE1D_BUFFER, 0 },
	{ "r1a", CL_MEM_OBJECT_IMAGE1D_ARRAY, 0 },
	{ "r2", CL_MEM_OBJECT_IMAGE2D, 0 },
	{ "r2a", CL_MEM_OBJECT_IMAGE2D_ARRAY, 0 },
	{ "r3", CL_MEM_OBJECT_IMAGE3D, 0 },
	{ "none2", CL_MEM_OBJECT_IMAGE2D, 0 },
	{ "unit2", CL_MEM_OBJECT_IMAGE2D, 0 },
	{ "given2", CL_MEM_OBJECT_IMAGE2D, CL_ADDRESS_NONE },
	{ "clamped2", CL_MEM_OBJECT_IMAGE2D, CL_ADDRESS_CLAMP },
};

static cl_context context;
static cl_command_queue queue;
static cl_program program;
static cl_mem buffer, out;

static void must(cl_int err, const char *call)
{
	if (err == CL_SUCCESS)
		return;
	fprintf(stderr, "pixels: %s: %d\n", call, err);
	exit(1);
}

static cl_mem make_image(cl_mem_object_type type)
{
	const cl_image_format format = { CL_RGBA, CL_FLOAT };
	const bool is_flat = type == CL_MEM_OBJECT_IMAGE2D ||
		type == CL_MEM_OBJECT_IMAGE2D_ARRAY ||
		type == CL_MEM_OBJECT_IMAGE3D;
	cl_image_desc desc = {
		.image_type = type, .image_width = WIDTH,
		.image_height = is_flat ? HEIGHT : 0,
		.image_depth = type == CL_MEM_OBJECT_IMAGE3D ? DEPTH : 0,
		.image_array_size = type == CL_MEM_OBJECT_IMAGE1D_ARRAY ||
			type == CL_MEM_OBJECT_IMAGE2D_ARRAY ? LAYERS : 0,
	};
	cl_int err;

	if (type == CL_MEM_OBJECT_IMAGE1D_BUFFER)
		desc.buffer = buffer;

	cl_mem image = clCreateImage(context, CL_MEM_READ_WRITE, &format,
				     &desc, NULL, &err);

	must(err, "clCreateImage");
	return image;
}

static void launch(const struct row *row, cl_int distance)
{
	size_t items[] = { WIDTH, strchr(row->kernel, 'w') ? HEIGHT : 1 };
	cl_mem image = make_image(row->type);
	cl_sampler sampler = NULL;
	cl_int err;
	cl_kernel kernel = clCreateKernel(program, row->kernel, &err);

	must(err, "clCreateKernel");
	if (row->type == CL_MEM_OBJECT_IMAGE1D_ARRAY)
		items[1] = items[1] > 1 ? LAYERS : 1;
	else if (items[1] > 1 && row->type != CL_MEM_OBJECT_IMAGE2D &&
		 row->type != CL_MEM_OBJECT_IMAGE2D_ARRAY)
		items[1] = 1;
	must(clSetKernelArg(kernel, 0, sizeof(image), &image), "image");
	must(clSetKernelArg(kernel, 1, sizeof(distance), &distance), "n");
	if (row->kernel[0] != 'w')
		must(clSetKernelArg(kernel, 2, sizeof(out), &out), "out");
	if (row->mode) {
		sampler = clCreateSampler(context, CL_FALSE, row->mode,
					  CL_FILTER_NEAREST, &err);
		must(err, "clCreateSampler");
		must(clSetKernelArg(kernel, 3, sizeof(sampler), &sampler),
		     "sampler");
	}
	must(clEnqueueNDRangeKernel(queue, kernel, 2, NULL, items, NULL, 0,
				    NULL, NULL), row->kernel);
	must(clFinish(queue), "clFinish");
	if (sampler)
		clReleaseSampler(sampler);
	clReleaseKernel(kernel);
	clReleaseMemObject(image);
}

static bool is_wanted(const char *kernel, char **names)
{
	if (!*names)
		return true;
	while (*names && strcmp(*names, kernel) != 0)
		names++;
	return *names != NULL;
}

static void begin(void)
{
	const char *text = source;
	cl_bool has_images = CL_FALSE;
	cl_platform_id platform;
	cl_device_id device;
	cl_int err;

	must(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
	must(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL),
	     "clGetDeviceIDs");
	clGetDeviceInfo(device, CL_DEVICE_IMAGE_SUPPORT, sizeof(has_images),
			&has_images, NULL);
	if (!has_images)
		exit(MISSING);
	context = clCreateContext(NULL, 1, &device, NULL, NULL, &err);
	must(err, "clCreateContext");
	queue = clCreateCommandQueue(context, device, 0, &err);
	must(err, "clCreateCommandQueue");
	program = clCreateProgramWithSource(context, 1, &text, NULL, &err);
	must(err, "clCreateProgramWithSource");
	must(clBuildProgram(program, 1, &device, "", NULL, NULL),
	     "clBuildProgram");
	buffer = clCreateBuffer(context, CL_MEM_READ_WRITE,
				WIDTH * 4 * sizeof(float), NULL, &err);
	must(err, "clCreateBuffer");
	out = clCreateBuffer(context, CL_MEM_READ_WRITE, WIDTH * sizeof(float),
			     NULL, &err);
	must(err, "clCreateBuffer");
}

int main(int argc, char **argv)
{
	cl_int distance = argc > 1 ? (cl_int)strtol(argv[1], NULL, 10) : 0;

	begin();
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (is_wanted(rows[i].kernel, argv + (argc > 1 ? 2 : 1)))
			launch(&rows[i], distance);
	clReleaseMemObject(out);
	clReleaseMemObject(buffer);
	clReleaseProgram(program);
	clReleaseCommandQueue(queue);
	clReleaseContext(context);
	return 0;
}
