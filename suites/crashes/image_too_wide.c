/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An image that is wider than any device's: refused, and its NULL is written.
 *
 * Options: --always
 * Kind: error
 * Code: clw-invalid-handle
 * Cause: clCreateImage
 */
#include "crashes.h"

int main(void)
{
	const cl_image_format format = { CL_RGBA, CL_UNORM_INT8 };
	const cl_image_desc desc = {
		.image_type = CL_MEM_OBJECT_IMAGE2D,
		.image_width = MANY, .image_height = MANY,
	};
	const size_t origin[3] = { 0 }, region[3] = { 1, 1, 1 };
	const cl_uchar pixel[4] = { 0 };
	struct setup cl = open_device();
	cl_mem image;

	work(&cl, USUAL);
	image = clCreateImage(cl.context, CL_MEM_READ_ONLY, &format, &desc,
			      NULL, NULL);
	must(clEnqueueWriteImage(cl.queue, image, CL_TRUE, origin, region, 0, 0,
				 pixel, 0, NULL, NULL));
	close_device(&cl);
	return 0;
}
