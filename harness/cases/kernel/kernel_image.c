/* SPDX-License-Identifier: Apache-2.0 */
/* Images as arguments: made, filled and read back whole. */
#include "config.h"

#include "kernel.h"

#include <stdlib.h>

#include "harness/cases/clw/clw_random.h"

/* Do the values of the header fill the image? */
static bool check_size(struct claw_kernel_run *run,
		       struct claw_kernel_object *object)
{
	const struct claw_clw_arg *about = claw_kernel_about(object);
	size_t element = 0, pixels;
	cl_int err = clGetImageInfo(object->memory, CL_IMAGE_ELEMENT_SIZE,
				    sizeof(element), &element, NULL);

	if (err != CL_SUCCESS)
		return claw_kernel_fail_call(run, "clGetImageInfo", about,
					     err);
	pixels = about->image.width * about->image.height;
	if (pixels * element == object->size_bytes)
		return true;
	return claw_kernel_refuse(run, about->line, "argument %u: expected "
				  "%zu bytes for %zu pixels of %zu bytes, "
				  "found %zu (%s)", about->index,
				  pixels * element, pixels, element,
				  object->size_bytes, claw_kernel_type(about));
}

static bool write_image(struct claw_kernel_run *run,
			struct claw_kernel_object *object, const void *bytes)
{
	const struct claw_clw_arg *about = claw_kernel_about(object);
	size_t origin[3] = { 0, 0, 0 };
	size_t region[3] = { about->image.width, about->image.height, 1 };
	cl_int err = clEnqueueWriteImage(run->queue, object->memory, CL_TRUE,
					 origin, region, 0, 0, bytes, 0, NULL,
					 NULL);

	return err == CL_SUCCESS ||
	       claw_kernel_fail_call(run, "clEnqueueWriteImage", about, err);
}

static bool fill_image(struct claw_kernel_run *run,
		       struct claw_kernel_object *object)
{
	const struct claw_clw_arg *in = object->in;
	void *random;
	bool held;

	if (in && in->fill == CLAW_CLW_DATA && in->data)
		return write_image(run, object, in->data);
	if (!in || in->fill != CLAW_CLW_RANDOM)
		return true;
	random = malloc(object->size_bytes);
	if (!random)
		return claw_kernel_break(run, "an image's bytes");
	claw_clw_random(in, run->options.seed, 0, object->size_bytes, random);
	held = write_image(run, object, random);
	free(random);
	return held;
}

bool claw_kernel_make_image(struct claw_kernel_run *run,
			    struct claw_kernel_object *object)
{
	const struct claw_clw_arg *about = claw_kernel_about(object);
	cl_image_format format = {
		.image_channel_order = about->image.channel_order,
		.image_channel_data_type = about->image.channel_type,
	};
	cl_image_desc desc = {
		.image_type = CL_MEM_OBJECT_IMAGE2D,
		.image_width = about->image.width,
		.image_height = about->image.height,
	};
	cl_mem_flags flags = about->mem_flags;
	cl_int err = CL_SUCCESS;

	if (flags == 0)
		flags = object->in && object->out ? CL_MEM_READ_WRITE :
			object->in ? CL_MEM_READ_ONLY : CL_MEM_WRITE_ONLY;
	object->memory = clCreateImage(run->context, flags, &format, &desc,
				       NULL, &err);
	if (!object->memory)
		return claw_kernel_fail_call(run, "clCreateImage", about, err);
	return check_size(run, object) && fill_image(run, object);
}

bool claw_kernel_read_image(struct claw_kernel_run *run,
			    const struct claw_kernel_object *object,
			    void *bytes)
{
	const struct claw_clw_arg *about = claw_kernel_about(object);
	size_t origin[3] = { 0, 0, 0 };
	size_t region[3] = { about->image.width, about->image.height, 1 };
	cl_int err = clEnqueueReadImage(run->queue, object->memory, CL_TRUE,
					origin, region, 0, 0, bytes, 0, NULL,
					NULL);

	return err == CL_SUCCESS ||
	       claw_kernel_fail_call(run, "clEnqueueReadImage", about, err);
}
