/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Images that the model's device has and this machine does not: as buffers
 * (model_phantom.c), with a small image of the same kind and format in place
 * of each. What the program asked for is kept here.
 */
#include "config.h"

#include "model_private.h"

#include <pthread.h>
#include <string.h>

#include "faults/shared/image_bytes.h"

enum { SMALL = 4, IMAGES = 256 };

static struct image {
	const void *mem;
	cl_image_desc desc;
	size_t element;
} images[IMAGES];
static unsigned int next_place;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void claw_phantom_images_begin(void)
{
	pthread_mutex_init(&lock, NULL);
	memset(images, 0, sizeof(images));
}

/* ---- what was asked for */

/* A place whose image is no phantom any more, or has that address. */
static struct image *place_for(const void *mem)
{
	for (unsigned int i = 0; i < IMAGES; i++)
		if (images[i].mem == mem)
			return &images[i];
	for (unsigned int i = 0; i < IMAGES; i++) {
		struct image *place = &images[next_place++ % IMAGES];

		if (!place->mem || !claw_phantom_is(place->mem))
			return place;
	}
	return NULL;
}

static bool keep(const void *mem, const cl_image_desc *desc, size_t element)
{
	struct image *place;

	pthread_mutex_lock(&lock);
	place = place_for(mem);
	if (place)
		*place = (struct image){ mem, *desc, element };
	pthread_mutex_unlock(&lock);
	return place;
}

static bool find(const void *mem, struct image *ret_image)
{
	bool found = false;

	pthread_mutex_lock(&lock);
	for (unsigned int i = 0; mem && i < IMAGES && !found; i++) {
		found = images[i].mem == mem;
		if (found)
			*ret_image = images[i];
	}
	pthread_mutex_unlock(&lock);
	return found && claw_phantom_is(mem);
}

/* ---- creation */

struct wanted {
	cl_mem_flags flags;
	const cl_image_format *format;
	cl_image_desc desc;
};

static bool read_call(const struct claw_call *call, struct wanted *wanted)
{
	struct claw_new_image image;

	if (!claw_call_new_image(call, &image) || !image.desc || !image.format)
		return false;
	wanted->flags = image.flags;
	wanted->format = image.format;
	wanted->desc = claw_image_desc_of(*image.desc);
	return true;
}

/* Is that within what the driver takes? Else the error is its own. */
static bool is_within(cl_context context, const cl_image_desc *desc)
{
	bool is_3d = desc->image_type == CL_MEM_OBJECT_IMAGE3D;
	const struct { cl_device_info query; size_t value; } limits[] = {
		{ is_3d ? CL_DEVICE_IMAGE3D_MAX_WIDTH :
		  CL_DEVICE_IMAGE2D_MAX_WIDTH, desc->image_width },
		{ is_3d ? CL_DEVICE_IMAGE3D_MAX_HEIGHT :
		  CL_DEVICE_IMAGE2D_MAX_HEIGHT, desc->image_height },
		{ CL_DEVICE_IMAGE3D_MAX_DEPTH, is_3d ? desc->image_depth : 0 },
		{ CL_DEVICE_IMAGE_MAX_ARRAY_SIZE, desc->image_array_size },
	};
	cl_device_id devices[16];
	size_t most;

	if (claw_next.clGetContextInfo(context, CL_CONTEXT_DEVICES,
				       sizeof(devices), devices, NULL))
		return false;
	for (size_t i = 0; i < sizeof(limits) / sizeof(*limits); i++)
		if (!claw_next.clGetDeviceInfo(devices[0], limits[i].query,
					       sizeof(most), &most, NULL) &&
		    limits[i].value > most)
			return false;
	return true;
}

static size_t small(size_t size)
{
	return size < SMALL ? size : SMALL;
}

static cl_mem create_small(cl_context context, const struct wanted *wanted,
			   cl_int *err)
{
	const cl_mem_flags of_host = CL_MEM_COPY_HOST_PTR |
		CL_MEM_ALLOC_HOST_PTR;
	cl_mem_flags flags = wanted->flags & ~of_host;
	cl_image_desc desc = wanted->desc;

	desc.image_width = small(desc.image_width);
	desc.image_height = small(desc.image_height);
	desc.image_depth = small(desc.image_depth);
	desc.image_array_size = small(desc.image_array_size);
	desc.image_row_pitch = desc.image_slice_pitch = 0;
	if (claw_next.clCreateImage)
		return claw_next.clCreateImage(context, flags, wanted->format,
					       &desc, NULL, err);
	if (desc.image_type == CL_MEM_OBJECT_IMAGE3D)
		return claw_next.clCreateImage3D(context, flags, wanted->format,
			desc.image_width, desc.image_height, desc.image_depth,
			0, 0, NULL, err);
	return claw_next.clCreateImage2D(context, flags, wanted->format,
		desc.image_width, desc.image_height, 0, NULL, err);
}

cl_mem claw_phantom_image_create(const struct claw_call *call)
{
	cl_context context = CLAW_ARG(call, clCreateImage, context);
	struct wanted wanted = { .flags = 0 };
	cl_int err = CL_SUCCESS;
	cl_mem mem = NULL;
	size_t element = 0;

	if (!read_call(call, &wanted))
		return NULL;
	claw_ours_begin();
	if (wanted.desc.mem_object || is_within(context, &wanted.desc))
		mem = create_small(context, &wanted, &err);
	if (mem)
		claw_next.clGetImageInfo(mem, CL_IMAGE_ELEMENT_SIZE,
					 sizeof(element), &element, NULL);
	if (mem && !keep(mem, &wanted.desc, element)) {
		claw_next.clReleaseMemObject(mem);
		mem = NULL;
	}
	claw_ours_end();
	return mem;
}

const void *claw_phantom_image_parent(const struct claw_call *call)
{
	struct wanted wanted = { .flags = 0 };

	return read_call(call, &wanted) ? wanted.desc.mem_object : NULL;
}

/* ---- commands */

bool claw_phantom_image_bytes(const void *mem, const size_t *region,
			      size_t *ret_bytes)
{
	struct image image;

	if (!region || !find(mem, &image))
		return false;
	*ret_bytes = region[0] * region[1] * region[2] * image.element;
	return true;
}

void claw_phantom_image_map(struct claw_call *call)
{
	const size_t *region = CLAW_ARG(call, clEnqueueMapImage, region);
	size_t *ret_row = CLAW_ARG(call, clEnqueueMapImage, image_row_pitch);
	size_t *ret_slice =
		CLAW_ARG(call, clEnqueueMapImage, image_slice_pitch);
	struct image image;
	size_t row, slice;

	if (!find(CLAW_ARG(call, clEnqueueMapImage, image), &image))
		return;
	if (!region || !ret_row) {
		claw_phantom_answer(call, NULL, CL_INVALID_VALUE);
		return;
	}
	row = region[0] * image.element;
	slice = row * region[1];
	*ret_row = row;
	if (ret_slice)
		*ret_slice = image.desc.image_depth ||
			image.desc.image_array_size ? slice : 0;
	claw_phantom_map(call, slice * region[2]);
}

/* ---- queries */

void claw_phantom_image_patch(struct claw_call *call)
{
	size_t *out = CLAW_ARG(call, clGetImageInfo, param_value), row, slice;
	struct image image;
	const cl_image_desc *desc = &image.desc;

	if (!out || !find(CLAW_ARG(call, clGetImageInfo, image), &image))
		return;
	row = desc->image_row_pitch ? desc->image_row_pitch :
		desc->image_width * image.element;
	slice = desc->image_slice_pitch ? desc->image_slice_pitch :
		row * (desc->image_height ? desc->image_height : 1);
	switch (CLAW_ARG(call, clGetImageInfo, param_name)) {
	case CL_IMAGE_WIDTH: *out = desc->image_width; break;
	case CL_IMAGE_ROW_PITCH: *out = row; break;
	/* 0 where the kind of image has none. */
	case CL_IMAGE_HEIGHT: *out = *out ? desc->image_height : 0; break;
	case CL_IMAGE_DEPTH: *out = *out ? desc->image_depth : 0; break;
	case CL_IMAGE_ARRAY_SIZE:
		*out = *out ? desc->image_array_size : 0;
		break;
	case CL_IMAGE_SLICE_PITCH: *out = *out ? slice : 0; break;
	default: break;
	}
}
