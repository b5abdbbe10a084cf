/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An image that is copied into a buffer with too little room.
 */
#include "guards.h"

enum { WIDTH = 8, HEIGHT = 4, IMAGE = WIDTH * HEIGHT * 4 };

int main(void)
{
	struct setup cl = open_device();
	const cl_image_format format = { CL_RGBA, CL_UNSIGNED_INT8 };
	const cl_image_desc desc = {
		.image_type = CL_MEM_OBJECT_IMAGE2D,
		.image_width = WIDTH, .image_height = HEIGHT,
	};
	cl_mem mem = buffer_of(&cl, CL_MEM_READ_WRITE, IMAGE + 16, NULL);
	const size_t origin[3] = { 0 }, region[3] = { WIDTH, HEIGHT, 1 };
	cl_int err;
	cl_mem image = clCreateImage(cl.context, CL_MEM_READ_WRITE, &format,
				     &desc, NULL, &err);
#ifdef PLANTED
	const size_t offset = 20;
#else
	const size_t offset = 16;
#endif

	must(err);
	/* PLANTED: range 20 128 144 */
	clEnqueueCopyImageToBuffer(cl.queue, image, mem, origin, region, offset, 0, NULL, NULL);
	must(clFinish(cl.queue));
	must(clReleaseMemObject(image));
	must(clReleaseMemObject(mem));
	close_device(&cl);
	return 0;
}
