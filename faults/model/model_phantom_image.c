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

#define ARG(call_, type_, i_) (*(type_ const *)(call_)->args[i_])

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

bool claw_phantom_is_image(enum claw_api api)
{
	return api == CLAW_API_clCreateImage ||
	       api == CLAW_API_clCreateImageWithProperties ||
	       api == CLAW_API_clCreateImage2D ||
	       api == CLAW_API_clCreateImage3D;
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
	bool with = call->api == CLAW_API_clCreateImageWithProperties;
	bool is_3d = call->api == CLAW_API_clCreateImage3D;
	const cl_image_desc *desc;

	wanted->flags = ARG(call, cl_mem_flags, with ? 2 : 1);
	wanted->format = ARG(call, cl_image_format *, with ? 3 : 2);
	if (with || call->api == CLAW_API_clCreateImage) {
		desc = ARG(call, cl_image_desc *, with ? 4 : 3);
		if (desc)
			wanted->desc = claw_image_desc_of(*desc);
		return desc && wanted->format;
	}
	wanted->desc = (cl_image_desc){
		.image_type = is_3d ? CL_MEM_OBJECT_IMAGE3D :
			CL_MEM_OBJECT_IMAGE2D,
		.image_width = ARG(call, size_t, 3),
		.image_height = ARG(call, size_t, 4),
		.image_depth = is_3d ? ARG(call, size_t, 5) : 0,
		.image_row_pitch = ARG(call, size_t, is_3d ? 6 : 5),
		.image_slice_pitch = is_3d ? ARG(call, size_t, 7) : 0,
	};
	return wanted->format;
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
	cl_context context = ARG(call, cl_context, 0);
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

static cl_int read_zeros(struct claw_call *call, const struct image *image)
{
	const size_t *region = ARG(call, size_t *, 4);
	size_t row = ARG(call, size_t, 5), slice = ARG(call, size_t, 6), bytes;
	char *out = ARG(call, char *, 7);
	cl_int err = claw_phantom_marker(call);

	if (err || !region || !out)
		return err;
	bytes = region[0] * image->element;
	row = row ? row : bytes;
	slice = slice ? slice : row * region[1];
	for (size_t z = 0; z < region[2]; z++)
		for (size_t y = 0; y < region[1]; y++)
			memset(out + z * slice + y * row, 0, bytes);
	return CL_SUCCESS;
}

static void map(struct claw_call *call, const struct image *image)
{
	const size_t *region = ARG(call, size_t *, 5);
	size_t *ret_row = ARG(call, size_t *, 6);
	size_t *ret_slice = ARG(call, size_t *, 7);
	size_t row, slice;

	if (!region || !ret_row) {
		claw_phantom_answer(call, NULL, CL_INVALID_VALUE);
		return;
	}
	row = region[0] * image->element;
	slice = row * region[1];
	*ret_row = row;
	if (ret_slice)
		*ret_slice = image->desc.image_depth ||
			image->desc.image_array_size ? slice : 0;
	claw_phantom_map(call, slice * region[2]);
}

static cl_int fill_image(const struct claw_call *call, const size_t *origin,
			 const size_t *region)
{
	static const cl_uint nothing[4];
	struct claw_phantom_waits waits = claw_phantom_waits_of(call);
	cl_int err;

	claw_ours_begin();
	err = claw_next.clEnqueueFillImage(ARG(call, cl_command_queue, 0),
					   ARG(call, cl_mem, 2), nothing,
					   origin, region, waits.count,
					   waits.list, waits.event);
	claw_ours_end();
	return err;
}

static cl_int fill_buffer(const struct claw_call *call,
			  const struct image *image)
{
	static const unsigned char zero;
	struct claw_phantom_waits waits = claw_phantom_waits_of(call);
	const size_t *region = ARG(call, size_t *, 4);
	cl_int err;

	if (!region)
		return CL_INVALID_VALUE;
	claw_ours_begin();
	err = claw_next.clEnqueueFillBuffer(ARG(call, cl_command_queue, 0),
		ARG(call, cl_mem, 2), &zero, 1, ARG(call, size_t, 5),
		region[0] * region[1] * region[2] * image->element,
		waits.count, waits.list, waits.event);
	claw_ours_end();
	return err;
}

/* A copy from what there is not to what there is: zeros. */
static bool copies_zeros(const struct claw_call *call)
{
	bool is_copy = call->api == CLAW_API_clEnqueueCopyImageToBuffer ?
			claw_next.clEnqueueFillBuffer != NULL :
		(call->api == CLAW_API_clEnqueueCopyImage ||
		 call->api == CLAW_API_clEnqueueCopyBufferToImage) &&
			claw_next.clEnqueueFillImage;

	return is_copy && !claw_phantom_is(ARG(call, void *, 2));
}

static cl_int copy_zeros(const struct claw_call *call)
{
	struct image image;

	if (call->api != CLAW_API_clEnqueueCopyImageToBuffer)
		return fill_image(call, ARG(call, size_t *, 4),
				  ARG(call, size_t *, 5));
	return find(ARG(call, void *, 1), &image) ?
		fill_buffer(call, &image) : claw_phantom_marker(call);
}

bool claw_phantom_image_command(struct claw_call *call)
{
	bool reads = call->api == CLAW_API_clEnqueueReadImage;
	struct image image;

	if (copies_zeros(call)) {
		claw_phantom_answer(call, NULL, copy_zeros(call));
		return true;
	}
	if ((!reads && call->api != CLAW_API_clEnqueueMapImage) ||
	    !find(ARG(call, void *, 1), &image))
		return false;
	if (reads)
		claw_phantom_answer(call, NULL, read_zeros(call, &image));
	else
		map(call, &image);
	return true;
}

/* ---- queries */

void claw_phantom_image_patch(struct claw_call *call)
{
	size_t *out = ARG(call, size_t *, 3), row, slice;
	struct image image;
	const cl_image_desc *desc = &image.desc;

	if (!out || !find(ARG(call, void *, 0), &image))
		return;
	row = desc->image_row_pitch ? desc->image_row_pitch :
		desc->image_width * image.element;
	slice = desc->image_slice_pitch ? desc->image_slice_pitch :
		row * (desc->image_height ? desc->image_height : 1);
	switch (ARG(call, cl_image_info, 1)) {
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
