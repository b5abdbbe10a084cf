/* SPDX-License-Identifier: Apache-2.0 */
/*
 * When the window changes its size, a new image takes the old one's place and
 * the old one is not released. Each resize costs an image, on every driver.
 * Needs: images
 */
#include "lifetime.h"

static cl_mem resize(const struct setup *cl, cl_mem old, size_t width)
{
	const cl_image_format format = { CL_RGBA, CL_UNORM_INT8 };
	cl_image_desc desc;
	cl_mem image;
	cl_int err;

	memset(&desc, 0, sizeof(desc));
	desc.image_type = CL_MEM_OBJECT_IMAGE2D;
	desc.image_width = width;
	desc.image_height = 16;
	/* PLANTED: leak image */
	image = clCreateImage(cl->context, CL_MEM_READ_WRITE, &format, &desc,
			      NULL, &err);
	must(err);
#ifdef PLANTED
	(void)old;
#else
	if (old)
		must(clReleaseMemObject(old));
#endif
	return image;
}

int main(void)
{
	struct setup cl = open_device();
	cl_bool images = CL_FALSE;
	cl_mem image = NULL;

	clGetDeviceInfo(cl.device, CL_DEVICE_IMAGE_SUPPORT, sizeof(images),
			&images, NULL);
	need(images, "images");
	for (size_t width = 16; width <= 64; width += 16)
		image = resize(&cl, image, width);
	must(clReleaseMemObject(image));
	close_device(&cl);
	return 0;
}
