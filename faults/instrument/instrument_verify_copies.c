/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Copies of what a kernel could write to: whole buffers, so that sub-buffers of
 * one overlap in the copy as they do in the program, and images. The program's own
 * are only read.
 */
#include "config.h"

#include "instrument_verify.h"

#include <stdlib.h>

#include "faults/shared/trace_hash.h"

enum { CHUNK = 1 << 20 };

/* ---- what an argument is */

static size_t mem_size(cl_mem mem, cl_mem_info what)
{
	size_t value = 0;

	claw_next.clGetMemObjectInfo(mem, what, sizeof(value), &value, NULL);
	return value;
}

/* What it is a part of, or itself. */
static cl_mem root_of(cl_mem mem)
{
	cl_mem parent = NULL;

	claw_next.clGetMemObjectInfo(mem, CL_MEM_ASSOCIATED_MEMOBJECT,
				     sizeof(parent), &parent, NULL);
	return parent ? parent : mem;
}

static bool can_be_written(cl_mem mem)
{
	cl_mem_flags flags = 0;

	claw_next.clGetMemObjectInfo(mem, CL_MEM_FLAGS, sizeof(flags), &flags,
				     NULL);
	return !(flags & CL_MEM_READ_ONLY);
}

/* ---- one copy */

static size_t image_size(cl_mem image, cl_image_info what)
{
	size_t value = 0;

	claw_next.clGetImageInfo(image, what, sizeof(value), &value, NULL);
	return value;
}

/* False: of a kind that is not copied. */
static bool describe_image(cl_mem image, cl_image_desc *ret_desc,
			   size_t ret_region[3])
{
	*ret_desc = (cl_image_desc){
		.image_width = image_size(image, CL_IMAGE_WIDTH),
		.image_height = image_size(image, CL_IMAGE_HEIGHT),
		.image_depth = image_size(image, CL_IMAGE_DEPTH),
		.image_array_size = image_size(image, CL_IMAGE_ARRAY_SIZE),
	};
	ret_region[0] = ret_desc->image_width;
	ret_region[1] = ret_region[2] = 1;
	claw_next.clGetMemObjectInfo(image, CL_MEM_TYPE,
				     sizeof(ret_desc->image_type),
				     &ret_desc->image_type, NULL);
	switch (ret_desc->image_type) {
	case CL_MEM_OBJECT_IMAGE3D:
		ret_region[2] = ret_desc->image_depth;
		/* fallthrough */
	case CL_MEM_OBJECT_IMAGE2D:
		ret_region[1] = ret_desc->image_height;
		/* fallthrough */
	case CL_MEM_OBJECT_IMAGE1D:
		return true;
	case CL_MEM_OBJECT_IMAGE1D_ARRAY:
		ret_region[1] = ret_desc->image_array_size;
		return true;
	case CL_MEM_OBJECT_IMAGE2D_ARRAY:
		ret_region[1] = ret_desc->image_height;
		ret_region[2] = ret_desc->image_array_size;
		return true;
	default:
		return false;
	}
}

static uint32_t copy_image(struct claw_verify_copies *copies,
			   struct claw_verify_copy *copy)
{
	cl_image_format format;
	cl_image_desc desc;
	cl_int err;

	if (!describe_image(copy->of, &desc, copy->region) ||
	    claw_next.clGetImageInfo(copy->of, CL_IMAGE_FORMAT, sizeof(format),
				     &format, NULL))
		return CLAW_UNVERIFIED_IMAGE;
	copy->bytes = copy->region[0] * copy->region[1] * copy->region[2] *
		image_size(copy->of, CL_IMAGE_ELEMENT_SIZE);
	copy->mem = claw_next.clCreateImage ?
		claw_next.clCreateImage(copies->context, CL_MEM_READ_WRITE,
					&format, &desc, NULL, &err) : NULL;
	return copy->mem ? 0 : CLAW_UNVERIFIED_MEMORY;
}

static uint32_t copy_buffer(struct claw_verify_copies *copies,
			    struct claw_verify_copy *copy)
{
	cl_int err;

	copy->bytes = mem_size(copy->of, CL_MEM_SIZE);
	copy->mem = claw_next.clCreateBuffer(copies->context, CL_MEM_READ_WRITE,
					     copy->bytes, NULL, &err);
	return copy->mem ? 0 : CLAW_UNVERIFIED_MEMORY;
}

static uint32_t add_copy(struct claw_verify_copies *copies, cl_mem of,
			 bool is_image)
{
	struct claw_verify_copy *copy;
	uint32_t why;

	for (unsigned int i = 0; i < copies->count; i++)
		if (copies->list[i].of == of)
			return 0;
	copy = &copies->list[copies->count++];
	copy->of = of;
	copy->is_image = is_image;
	why = is_image ? copy_image(copies, copy) : copy_buffer(copies, copy);
	copies->bytes += why ? 0 : copy->bytes;
	return why ? why : copies->bytes > copies->most ?
		CLAW_UNVERIFIED_MEMORY : 0;
}

/* ---- all of them */

static bool is_image(cl_mem mem)
{
	cl_mem_object_type type = CL_MEM_OBJECT_BUFFER;

	claw_next.clGetMemObjectInfo(mem, CL_MEM_TYPE, sizeof(type), &type,
				     NULL);
	return type != CL_MEM_OBJECT_BUFFER;
}

static uint32_t see_argument(struct claw_verify_copies *copies,
			     const struct claw_probed_kernel *kernel,
			     const struct claw_kernel_twin *twin, cl_uint index)
{
	enum claw_map_use use = index < CLAW_PROBE_ARGUMENTS ?
		(enum claw_map_use)twin->hidden.uses[index] : CLAW_USE_UNKNOWN;
	cl_mem mem;

	if (use == CLAW_USE_NONE)
		return 0;
	if (use == CLAW_USE_UNKNOWN)
		return CLAW_UNVERIFIED_REFUSED;
	if (kernel->is_shared[index])
		return CLAW_UNVERIFIED_SHARED;
	mem = kernel->given[index];
	if (!mem)
		return 0;
	copies->arguments[copies->argument_count++] =
		(struct claw_verify_argument){ .index = index, .given = mem };
	if (use == CLAW_USE_READ || !can_be_written(mem))
		return 0;
	return add_copy(copies, is_image(mem) ? mem : root_of(mem),
			is_image(mem));
}

/* The copy's part that the argument is of the original. */
static cl_mem part_of(const struct claw_verify_copy *copy, cl_mem given)
{
	cl_buffer_region region = {
		.origin = mem_size(given, CL_MEM_OFFSET),
		.size = mem_size(given, CL_MEM_SIZE),
	};
	cl_int err;

	if (given == copy->of) {
		claw_next.clRetainMemObject(copy->mem);
		return copy->mem;
	}
	return claw_next.clCreateSubBuffer(copy->mem, CL_MEM_READ_WRITE,
					   CL_BUFFER_CREATE_TYPE_REGION,
					   &region, &err);
}

/* An argument that only reads a buffer that another one writes has the copy,
 * too; an image made of such a buffer would have the original. */
static uint32_t find_instead(const struct claw_verify_copies *copies,
			     struct claw_verify_argument *argument)
{
	cl_mem root = root_of(argument->given);

	for (unsigned int i = 0; i < copies->count; i++) {
		if (copies->list[i].of != root &&
		    copies->list[i].of != argument->given)
			continue;
		if (copies->list[i].of != argument->given &&
		    is_image(argument->given))
			return CLAW_UNVERIFIED_IMAGE;
		argument->instead = part_of(&copies->list[i], argument->given);
		return argument->instead ? 0 : CLAW_UNVERIFIED_MEMORY;
	}
	return 0;
}

uint32_t claw_verify_copies_make(struct claw_verify_copies *copies,
				 const struct claw_probed_kernel *kernel,
				 const struct claw_kernel_twin *twin)
{
	cl_ulong device_bytes = 0;
	uint32_t why = 0;

	copies->context = twin->twin->words->context;
	copies->device = twin->twin->device;
	claw_next.clGetDeviceInfo(copies->device, CL_DEVICE_GLOBAL_MEM_SIZE,
				  sizeof(device_bytes), &device_bytes, NULL);
	copies->most = device_bytes / 4;
	if (kernel->has_extra)
		return CLAW_UNVERIFIED_SHARED;
	for (cl_uint i = 0; !why && i < twin->hidden.words; i++)
		why = see_argument(copies, kernel, twin, i);
	for (unsigned int i = 0; !why && i < copies->argument_count; i++)
		why = find_instead(copies, &copies->arguments[i]);
	if (why)
		return why;
	copies->queue = claw_own_queue_get(copies->context, copies->device);
	return copies->queue ? 0 : CLAW_UNVERIFIED_REFUSED;
}

void claw_verify_copies_release(struct claw_verify_copies *copies)
{
	/* The last first: of sub-buffers that overlap NVIDIA's 580.159.04 does
	 * not survive it when the first one goes first. */
	for (unsigned int i = copies->argument_count; i-- > 0; )
		if (copies->arguments[i].instead)
			claw_next.clReleaseMemObject(
				copies->arguments[i].instead);
	for (unsigned int i = 0; i < copies->count; i++)
		if (copies->list[i].mem)
			claw_next.clReleaseMemObject(copies->list[i].mem);
	if (copies->queue)
		claw_own_queue_put(copies->queue);
}

bool claw_verify_copies_set(const struct claw_verify_copies *copies,
			    cl_kernel kernel, bool to_copies)
{
	bool done = true;

	for (unsigned int i = 0; i < copies->argument_count; i++) {
		const struct claw_verify_argument *argument =
			&copies->arguments[i];
		cl_mem mem = to_copies ? argument->instead : argument->given;

		if (argument->instead &&
		    claw_next.clSetKernelArg(kernel, argument->index,
					     sizeof(mem), &mem))
			done = false;
	}
	return done;
}

bool claw_verify_copies_fill(const struct claw_verify_copies *copies)
{
	static const size_t origin[3];

	for (unsigned int i = 0; i < copies->count; i++) {
		const struct claw_verify_copy *copy = &copies->list[i];

		if (copy->is_image ?
		    claw_next.clEnqueueCopyImage(copies->queue, copy->of,
				copy->mem, origin, origin, copy->region, 0,
				NULL, NULL) :
		    claw_next.clEnqueueCopyBuffer(copies->queue, copy->of,
				copy->mem, 0, 0, copy->bytes, 0, NULL, NULL))
			return false;
	}
	return true;
}

/* A piece of a copy; an image is read whole. */
static bool read_piece(const struct claw_verify_copies *copies,
		       const struct claw_verify_copy *copy, size_t offset,
		       size_t size, void *bytes)
{
	static const size_t origin[3];

	return copy->is_image ?
		!claw_next.clEnqueueReadImage(copies->queue, copy->mem, CL_TRUE,
				origin, copy->region, 0, 0, bytes, 0, NULL,
				NULL) :
		!claw_next.clEnqueueReadBuffer(copies->queue, copy->mem, CL_TRUE,
				offset, size, bytes, 0, NULL, NULL);
}

bool claw_verify_copies_hash(const struct claw_verify_copies *copies,
			     uint64_t ret_hash[2])
{
	struct claw_trace_hasher hasher;
	bool done = true;

	claw_trace_hash_begin(&hasher, copies->bytes, NULL);
	for (unsigned int i = 0; done && i < copies->count; i++) {
		const struct claw_verify_copy *copy = &copies->list[i];
		size_t most = copy->is_image ? copy->bytes : CHUNK;
		void *bytes = malloc(most);

		done = bytes != NULL;
		for (size_t at = 0; done && at < copy->bytes; at += most) {
			size_t size = copy->bytes - at < most ?
				copy->bytes - at : most;

			done = read_piece(copies, copy, at, size, bytes);
			claw_trace_hash_add(&hasher, bytes, size);
		}
		free(bytes);
	}
	claw_trace_hash_end(&hasher, ret_hash);
	return done;
}
