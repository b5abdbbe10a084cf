/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A sampler a draw, none released. They are small, so it takes long until the
 * host's memory shows it, on every driver.
 * Needs: images
 */
#include "lifetime.h"

static void draw(const struct setup *cl)
{
	cl_int err;
	/* PLANTED: leak sampler */
	cl_sampler sampler = clCreateSampler(cl->context, CL_FALSE,
					     CL_ADDRESS_CLAMP,
					     CL_FILTER_NEAREST, &err);

	must(err);
	must(clFinish(cl->queue));
#ifdef PLANTED
	(void)sampler;
#else
	must(clReleaseSampler(sampler));
#endif
}

int main(void)
{
	struct setup cl = open_device();
	cl_bool images = CL_FALSE;

	clGetDeviceInfo(cl.device, CL_DEVICE_IMAGE_SUPPORT, sizeof(images),
			&images, NULL);
	need(images, "images");
	for (int i = 0; i < ROUNDS; i++)
		draw(&cl);
	close_device(&cl);
	return 0;
}
