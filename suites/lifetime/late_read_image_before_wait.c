/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An image is read without a wait, and the program goes on to write into what
 * the read has yet to fill.
 * Needs: images
 * Options: --early-loads
 */
#include "lifetime.h"

enum { SIDE = 128 };	/* of 4 bytes: LARGE in all */

int main(void)
{
	const size_t origin[3] = { 0, 0, 0 }, region[3] = { SIDE, SIDE, 1 };
	const cl_image_format format = { CL_RGBA, CL_UNSIGNED_INT8 };
	const cl_uint sevens[4] = { 7, 7, 7, 7 };
	struct setup cl = open_device();
	cl_bool has_images = CL_FALSE;
	cl_image_desc desc = { .image_type = CL_MEM_OBJECT_IMAGE2D };
	cl_event gate = new_gate(&cl);
	unsigned char *pixels = (unsigned char *)calloc(1, LARGE);
	cl_mem image;
	cl_int err;

	need(pixels != NULL, "memory");
	clGetDeviceInfo(cl.device, CL_DEVICE_IMAGE_SUPPORT, sizeof(has_images),
			&has_images, NULL);
	need(has_images, "images");
	desc.image_width = desc.image_height = SIDE;
	image = clCreateImage(cl.context, CL_MEM_READ_WRITE, &format, &desc,
			      NULL, &err);
	must(err);
	must(clEnqueueFillImage(cl.queue, image, sevens, origin, region, 0,
				NULL, NULL));
	/* SECOND: reads it */
	must(clEnqueueReadImage(cl.queue, image, CL_FALSE, origin, region, 0, 0,
				pixels, 1, &gate, NULL));
#ifdef PLANTED
	/* PLANTED: late wait for a read */
	*(volatile unsigned char *)&pixels[LARGE / 2] = 9;
	open_gate(gate);
	must(clFinish(cl.queue));
#else
	open_gate(gate);
	must(clFinish(cl.queue));
	expect(pixels[LARGE / 2], 7);
	pixels[LARGE / 2] = 9;
#endif
	printf("%d\n", pixels[LARGE / 2]);
	must(clReleaseMemObject(image));
	free(pixels);
	close_device(&cl);
	return 0;
}
