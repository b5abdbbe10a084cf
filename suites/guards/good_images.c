/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Images that are views of buffers, whole and in part: what they answer, and
 * that they are the same memory.
 * Needs: images on buffers
 */
#include "guards.h"

enum { WIDTH = 64, HEIGHT = 8 };

static const cl_image_format format = { CL_RGBA, CL_UNSIGNED_INT8 };

static void look(cl_mem image, cl_mem mem, size_t width, size_t height)
{
	size_t got_width = 0, got_height = 0, offset = 1;
	cl_mem of_image = NULL, associated = NULL;

	must(clGetImageInfo(image, CL_IMAGE_WIDTH, sizeof(got_width),
			    &got_width, NULL));
	must(clGetImageInfo(image, CL_IMAGE_HEIGHT, sizeof(got_height),
			    &got_height, NULL));
	must(clGetImageInfo(image, CL_IMAGE_BUFFER, sizeof(of_image),
			    &of_image, NULL));
	must(clGetMemObjectInfo(image, CL_MEM_ASSOCIATED_MEMOBJECT,
				sizeof(associated), &associated, NULL));
	must(clGetMemObjectInfo(image, CL_MEM_OFFSET, sizeof(offset), &offset,
				NULL));
	printf("width %zu, height %zu, buffer %d, associated %d, offset %zu\n",
	       got_width, got_height, of_image == mem, associated == mem,
	       offset);
	holds(got_width == width);
	holds(got_height == height);
}

static void round_trip(const struct setup *cl, cl_mem image, cl_mem mem,
		       size_t width, size_t height)
{
	const size_t origin[3] = { 0, 0, 0 }, region[3] = { width, height, 1 };
	cl_uchar in[WIDTH * HEIGHT * 4], out[WIDTH * HEIGHT * 4] = { 0 };
	size_t size = width * height * 4;

	for (size_t i = 0; i < size; i++)
		in[i] = (cl_uchar)(i * 7 + width);
	must(clEnqueueWriteImage(cl->queue, image, CL_TRUE, origin, region, 0,
				 0, in, 0, NULL, NULL));
	must(clFinish(cl->queue));
	read_all(cl->queue, mem, size, out);
	printf("the buffer %s what the image has\n",
	       memcmp(in, out, size) == 0 ? "has" : "does not have");
	memset(out, 0, sizeof(out));
	must(clEnqueueReadImage(cl->queue, image, CL_TRUE, origin, region, 0,
				0, out, 0, NULL, NULL));
	holds(memcmp(in, out, size) == 0);
}

/* NULL: the driver does not take it. */
static cl_mem image_on(const struct setup *cl, cl_mem mem,
		       cl_mem_object_type type, size_t width, size_t height)
{
	cl_image_desc about = {
		.image_type = type, .image_width = width,
		.image_height = height,
	};
	cl_int err;
	cl_mem image;

	about.buffer = mem;
	image = clCreateImage(cl->context, CL_MEM_READ_WRITE, &format, &about,
			      NULL, &err);
	printf("type %#x, %zu times %zu: %d\n", (unsigned int)type, width,
	       height, err);
	return image;
}

static bool view(const struct setup *cl, cl_mem mem, cl_mem_object_type type,
		 size_t width, size_t height)
{
	cl_mem image = image_on(cl, mem, type, width, height);

	if (!image)
		return false;
	look(image, mem, width, type == CL_MEM_OBJECT_IMAGE1D_BUFFER ? 0 :
	     height);
	round_trip(cl, image, mem, width, height);
	must(clReleaseMemObject(image));
	return true;
}

int main(void)
{
	struct setup cl = open_device();
	const size_t size = WIDTH * HEIGHT * 4;
	cl_bool has_images = CL_FALSE;
	cl_uint references;
	bool any;
	cl_mem mem, part, too_large;

	must(clGetDeviceInfo(cl.device, CL_DEVICE_IMAGE_SUPPORT,
			     sizeof(has_images), &has_images, NULL));
	need(has_images, "images");
	mem = buffer_of(&cl, CL_MEM_READ_WRITE, size, NULL);
	part = part_of(mem, 2 * alignment_of(&cl), 256);
	any = view(&cl, mem, CL_MEM_OBJECT_IMAGE1D_BUFFER, WIDTH, 1);
	any |= view(&cl, mem, CL_MEM_OBJECT_IMAGE2D, WIDTH, HEIGHT);
	any |= view(&cl, part, CL_MEM_OBJECT_IMAGE1D_BUFFER, WIDTH, 1);
	too_large = image_on(&cl, mem, CL_MEM_OBJECT_IMAGE1D_BUFFER, size, 1);
	if (too_large)
		must(clReleaseMemObject(too_large));
	too_large = image_on(&cl, mem, CL_MEM_OBJECT_IMAGE2D, WIDTH,
			     HEIGHT + 1);
	if (too_large)
		must(clReleaseMemObject(too_large));
	must(clFinish(cl.queue));
	must(clGetMemObjectInfo(mem, CL_MEM_REFERENCE_COUNT,
				sizeof(references), &references, NULL));
	printf("references %u\n", references);
	must(clReleaseMemObject(part));
	must(clReleaseMemObject(mem));
	need(any, "images on buffers");
	close_device(&cl);
	return 0;
}
