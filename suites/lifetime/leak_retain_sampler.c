/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two filters share a sampler, the second retains it and forgets to release
 * it. Little memory, but a reference that keeps the whole context, on every
 * driver.
 * Needs: images
 */
#include "lifetime.h"

int main(void)
{
	struct setup cl = open_device();
	cl_bool images = CL_FALSE;
	cl_sampler sampler;
	cl_int err;

	clGetDeviceInfo(cl.device, CL_DEVICE_IMAGE_SUPPORT, sizeof(images),
			&images, NULL);
	need(images, "images");
	/* SECOND: made */
	sampler = clCreateSampler(cl.context, CL_FALSE, CL_ADDRESS_CLAMP,
				  CL_FILTER_NEAREST, &err);
	must(err);
	/* PLANTED: leak sampler retained */
	must(clRetainSampler(sampler));
	must(clReleaseSampler(sampler));
#ifndef PLANTED
	must(clReleaseSampler(sampler));
#endif
	close_device(&cl);
	return 0;
}
