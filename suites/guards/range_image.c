/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A box of an image that reaches one column too far.
 */
#include "guards.h"

enum { WIDTH = 8, HEIGHT = 4 };

int main(void)
{
	struct setup cl = open_device();
	const cl_image_format format = { CL_RGBA, CL_UNSIGNED_INT8 };
	const cl_image_desc desc = {
		.image_type = CL_MEM_OBJECT_IMAGE2D,
		.image_width = WIDTH, .image_height = HEIGHT,
	};
	cl_mem mem = buffer_of(&cl, CL_MEM_READ_WRITE, WIDTH * HEIGHT * 4,
			       NULL);
	const size_t origin[3] = { 4, 1, 0 };
	cl_uchar bytes[WIDTH * HEIGHT * 4] = { 1 };
	cl_int err;
	cl_mem image = clCreateImage(cl.context, CL_MEM_READ_WRITE, &format,
				     &desc, NULL, &err);
#ifdef PLANTED
	const size_t region[3] = { 5, 2, 1 };
#else
	const size_t region[3] = { 4, 2, 1 };
#endif

	must(err);
	/* PLANTED: image width 8 5 4 */
	clEnqueueReadImage(cl.queue, image, CL_TRUE, origin, region, 0, 0, bytes, 0, NULL, NULL);
	must(clFinish(cl.queue));
	must(clReleaseMemObject(image));
	must(clReleaseMemObject(mem));
	close_device(&cl);
	return 0;
}
