/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Programs for a test of what is written out as C, which end with a call that
 * is refused and SIGABRT:
 *
 *	pictured images		images of all kinds, written, filled, copied,
 *				mapped and read; one is read beyond its end
 *	pictured devices	two contexts on two devices (or one twice), and a
 *				copy from one to the other
 *
 * 77: the device has no images.
 */
#include "config.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>

enum {
	WIDTH = 8, HEIGHT = 4, DEPTH = 3, LINES = 5, PITCH = 48, ITEMS = 16,
	DEVICES = 2, MISSING = 77,
};

static cl_platform_id platform;
static cl_device_id devices[DEVICES];
static cl_uint device_count;

static void must(bool good, int line)
{
	if (good)
		return;
	fprintf(stderr, "pictured: line %d\n", line);
	exit(1);
}
#define MUST(good_) must(good_, __LINE__)

/* One context and queue of a device. */
struct place {
	cl_context context;
	cl_command_queue queue;
	cl_kernel kernel;
};

static void set_up(struct place *place, cl_device_id device,
		   const char *source, const char *kernel)
{
	cl_program program;
	cl_int err;

	place->context = clCreateContext(NULL, 1, &device, NULL, NULL, &err);
	MUST(place->context);
	place->queue = clCreateCommandQueue(place->context, device, 0, &err);
	program = clCreateProgramWithSource(place->context, 1, &source, NULL,
					    &err);
	MUST(place->queue && program);
	MUST(!clBuildProgram(program, 1, &device, "", NULL, NULL));
	place->kernel = clCreateKernel(program, kernel, &err);
	MUST(place->kernel);
}

/* ---- images */

static unsigned char host[PITCH * LINES];

static cl_mem make_image(const struct place *place, cl_mem_flags flags,
			 cl_image_desc desc, void *data)
{
	const cl_image_format format = { CL_RGBA, CL_UNSIGNED_INT8 };
	cl_int err;
	cl_mem image = clCreateImage(place->context, flags, &format, &desc,
				     data, &err);

	MUST(image);
	return image;
}

/* The first image's pixels, each a little brighter. */
static void brighten(const struct place *place, cl_mem from, cl_mem to)
{
	const size_t items[2] = { WIDTH, HEIGHT };
	cl_int err;
	cl_sampler sampler = clCreateSampler(place->context, CL_FALSE,
		CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, &err);

	MUST(sampler && !clSetKernelArg(place->kernel, 0, sizeof(from), &from));
	MUST(!clSetKernelArg(place->kernel, 1, sizeof(to), &to));
	MUST(!clSetKernelArg(place->kernel, 2, sizeof(sampler), &sampler));
	MUST(!clEnqueueNDRangeKernel(place->queue, place->kernel, 2, NULL,
				     items, NULL, 0, NULL, NULL));
}

static void change_mapped(const struct place *place, cl_mem image)
{
	const size_t origin[3] = { 0 }, region[3] = { WIDTH, HEIGHT, 1 };
	size_t pitch = 0;
	cl_int err;
	unsigned char *pixels = clEnqueueMapImage(place->queue, image, CL_TRUE,
		CL_MAP_READ | CL_MAP_WRITE, origin, region, &pitch, NULL, 0,
		NULL, NULL, &err);

	MUST(pixels && pitch >= WIDTH * 4);
	pixels[0] = 99;
	pixels[pitch] = 98;
	MUST(!clEnqueueUnmapMemObject(place->queue, image, pixels, 0, NULL,
				      NULL));
}

static void images(void)
{
	static const char source[] = "kernel void brighten(read_only image2d_t "
		"a, write_only image2d_t b, sampler_t s) { int2 i = (int2)("
		"get_global_id(0), get_global_id(1)); write_imageui(b, i, "
		"read_imageui(a, s, i) + 1u); }";
	const size_t origin[3] = { 0 }, plane[3] = { WIDTH, HEIGHT, 1 };
	const size_t room[3] = { WIDTH, HEIGHT, DEPTH };
	const size_t lines[3] = { WIDTH, LINES, 1 }, beyond[3] = { 99, 99, 1 };
	const cl_uint color[4] = { 1, 2, 3, 4 };
	static unsigned char read[WIDTH * HEIGHT * DEPTH * 4];
	cl_image_desc flat = {
		.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = WIDTH,
		.image_height = HEIGHT,
	}, deep = flat, list = flat, wide = flat;
	struct place place;
	cl_mem from, to, third, fourth;

	set_up(&place, devices[0], source, "brighten");
	wide.image_row_pitch = PITCH;
	deep.image_type = CL_MEM_OBJECT_IMAGE3D;
	deep.image_depth = DEPTH;
	list.image_type = CL_MEM_OBJECT_IMAGE1D_ARRAY;
	list.image_height = 0;
	list.image_array_size = LINES;
	from = make_image(&place, CL_MEM_COPY_HOST_PTR, wide, host);
	to = make_image(&place, CL_MEM_READ_WRITE, flat, NULL);
	third = make_image(&place, CL_MEM_READ_WRITE, deep, NULL);
	fourth = make_image(&place, CL_MEM_READ_WRITE, list, NULL);
	MUST(!clEnqueueFillImage(place.queue, third, color, origin, room, 0,
				 NULL, NULL));
	MUST(!clEnqueueWriteImage(place.queue, fourth, CL_TRUE, origin, lines,
				  40, 0, host, 0, NULL, NULL));
	brighten(&place, from, to);
	change_mapped(&place, to);
	MUST(!clEnqueueCopyImage(place.queue, to, third, origin, origin, plane,
				 0, NULL, NULL));
	MUST(!clEnqueueReadImage(place.queue, third, CL_TRUE, origin, room, 0,
				 0, read, 0, NULL, NULL));
	MUST(read[0] == 99 && read[WIDTH * 4] == 98 &&
	     read[WIDTH * HEIGHT * 4] == 1);
	if (clEnqueueReadImage(place.queue, to, CL_TRUE, origin, beyond, 0, 0,
			       read, 0, NULL, NULL))
		abort();
}

/* ---- devices */

static void two_devices(void)
{
	static const char source[] = "kernel void add(global int *a) { "
		"a[get_global_id(0)] += 1; }";
	const size_t items = ITEMS;
	cl_int numbers[ITEMS] = { 0 }, err;
	struct place places[DEVICES];
	cl_mem buffers[DEVICES];

	for (int i = 0; i < DEVICES; i++) {
		struct place *place = &places[i];

		set_up(place, devices[(cl_uint)i % device_count], source,
		       "add");
		buffers[i] = clCreateBuffer(place->context,
			CL_MEM_COPY_HOST_PTR, sizeof(numbers), numbers, &err);
		MUST(buffers[i] && !clSetKernelArg(place->kernel, 0,
			sizeof(cl_mem), &buffers[i]));
		MUST(!clEnqueueNDRangeKernel(place->queue, place->kernel, 1,
			NULL, &items, NULL, 0, NULL, NULL));
		MUST(!clFinish(place->queue));
	}
	if (clEnqueueCopyBuffer(places[0].queue, buffers[0], buffers[1], 0, 0,
				sizeof(numbers), 0, NULL, NULL))
		abort();
}

int main(int argc, char **argv)
{
	cl_bool has_images = CL_FALSE;

	for (size_t i = 0; i < sizeof(host); i++)
		host[i] = (unsigned char)i;
	MUST(argc == 2 && !clGetPlatformIDs(1, &platform, NULL));
	MUST(!clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, DEVICES, devices,
			     &device_count));
	if (device_count > DEVICES)
		device_count = DEVICES;
	clGetDeviceInfo(devices[0], CL_DEVICE_IMAGE_SUPPORT, sizeof(has_images),
			&has_images, NULL);
	if (!strcmp(argv[1], "devices"))
		two_devices();
	else if (!has_images)
		return MISSING;
	else
		images();
	return 0;
}
