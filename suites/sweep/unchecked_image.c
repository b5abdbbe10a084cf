/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The image is not checked: only the device was asked whether it can do
 * images at all.
 * EXPECT: misuse clCreateImage oom
 */
#include "sweep.h"

enum { SIDE = 16 };	/* SIDE * SIDE is ITEMS */

int main(void)
{
	struct setup cl = open_cl();
	const cl_image_format format = { CL_R, CL_SIGNED_INT32 };
	const cl_image_desc desc = {
		.image_type = CL_MEM_OBJECT_IMAGE2D,
		.image_width = SIDE, .image_height = SIDE,
	};
	const size_t origin[3] = { 0 }, region[3] = { SIDE, SIDE, 1 };
	cl_int values[ITEMS], back[ITEMS] = { 0 }, err;
	cl_bool can = CL_FALSE;
	cl_mem image;

	must(clGetDeviceInfo(cl.device, CL_DEVICE_IMAGE_SUPPORT, sizeof(can),
			     &can, NULL));
	need(can, "images");
	count_up(values);
	/* PLANTED: used whether or not there is one */
	image = clCreateImage(cl.context, CL_MEM_READ_WRITE, &format, &desc,
			      NULL, &err);
#ifndef PLANTED
	have(image, err);
#endif
	must(clEnqueueWriteImage(cl.queue, image, CL_TRUE, origin, region, 0, 0,
				 values, 0, NULL, NULL));
	must(clEnqueueReadImage(cl.queue, image, CL_TRUE, origin, region, 0, 0,
				back, 0, NULL, NULL));
	print_result(sum_of(back, ITEMS));
	must(clReleaseMemObject(image));
	close_cl(&cl);
	return 0;
}
