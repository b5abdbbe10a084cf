/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What each command touches: memory objects, shared memory, and the program's
 * own memory, from the parameters of the call.
 */
#include "config.h"

#include "commands_private.h"

static struct claw_access *add(struct claw_demand *demand,
			       enum claw_where where, unsigned int use)
{
	struct claw_access *access;

	if (demand->count == CLAW_CALL_ACCESSES) {
		demand->lost = true;
		return NULL;
	}
	access = &demand->accesses[demand->count++];
	claw_access_begin(access, where, use);
	return access;
}

static struct claw_span whole_span(uint64_t start, uint64_t bytes)
{
	return (struct claw_span){
		.start = start, .row_bytes = bytes, .rows = 1, .slices = 1,
	};
}

/* ---- memory objects */

/* The object's access, if the ledger knows it. */
static struct claw_access *add_object(struct claw_demand *demand,
				      const void *mem, enum claw_where where,
				      unsigned int use)
{
	struct claw_ledger_entry entry;
	struct claw_access *access;

	if (!claw_memory_look(CLAW_OBJ_MEM, claw_number(mem), &entry))
		return NULL;
	access = add(demand, where, use);
	if (!access)
		return NULL;
	access->object = access->root = entry.handle;
	access->serial = entry.serial;
	return access;
}

static void add_buffer(struct claw_demand *demand, const void *mem,
		       unsigned int use, uint64_t offset, uint64_t bytes)
{
	struct claw_access *access;

	if (!bytes)
		return;
	access = add_object(demand, mem, CLAW_IN_BUFFER, use);
	if (access)
		access->span = whole_span(offset, bytes);
}

/* NULL origin: all of it. */
static void add_image(struct claw_demand *demand, const void *mem,
		      unsigned int use, const size_t *origin,
		      const size_t *region)
{
	struct claw_access *access = add_object(demand, mem, CLAW_IN_IMAGE,
						use);

	for (unsigned int i = 0; access && origin && region && i < 3; i++) {
		access->box.origin[i] = (uint32_t)origin[i];
		access->box.region[i] = (uint32_t)region[i];
	}
}

/* Pitches of 0 are what the region needs. */
static bool rectangle(struct claw_span *span, const size_t *origin,
		      const size_t *region, size_t row_pitch,
		      size_t slice_pitch)
{
	if (!origin || !region || !region[0] || !region[1] || !region[2])
		return false;
	span->row_bytes = region[0];
	span->rows = (uint32_t)region[1];
	span->slices = (uint32_t)region[2];
	span->row_pitch = row_pitch ? row_pitch : region[0];
	span->slice_pitch = slice_pitch ? slice_pitch :
		span->row_pitch * region[1];
	span->start = origin[2] * span->slice_pitch +
		origin[1] * span->row_pitch + origin[0];
	if (span->rows > 1 && span->row_pitch == span->row_bytes &&
	    span->slices == 1) {
		span->row_bytes *= span->rows;
		span->rows = 1;
	}
	return true;
}

static void add_rectangle(struct claw_demand *demand, const void *mem,
			  unsigned int use, const struct claw_span *span)
{
	struct claw_access *access = add_object(demand, mem, CLAW_IN_BUFFER,
						use);

	if (access)
		access->span = *span;
}

/* ---- host memory and shared memory */

static void add_host(struct claw_demand *demand, unsigned int use,
		     const struct claw_span *span, const void *base)
{
	struct claw_access *access;

	if (!base)
		return;
	access = add(demand, CLAW_IN_HOST, use);
	if (!access)
		return;
	access->span = *span;
	access->span.start += claw_number(base);
	access->object = access->span.start;
}

/* A pointer that may be either: resolving tells. */
static void add_shared(struct claw_demand *demand, unsigned int use,
		       const void *pointer, uint64_t bytes)
{
	struct claw_access *access;

	if (!pointer || !bytes)
		return;
	access = add(demand, CLAW_IN_SVM, use);
	if (!access)
		return;
	access->span = whole_span(claw_number(pointer), bytes);
	access->object = claw_number(pointer);
}

/* ---- images and the host */

struct image {
	size_t element;
	bool is_1d_array;
};

static bool look_at_image(cl_mem mem, struct image *ret)
{
	cl_mem_object_type type = 0;
	cl_int err;

	ret->element = 0;
	claw_ours_begin();
	err = claw_next.clGetImageInfo(mem, CL_IMAGE_ELEMENT_SIZE,
				       sizeof(ret->element), &ret->element,
				       NULL);
	if (!err)
		err = claw_next.clGetMemObjectInfo(mem, CL_MEM_TYPE,
						   sizeof(type), &type, NULL);
	claw_ours_end();
	ret->is_1d_array = type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
	return !err && ret->element;
}

/* The host's side of a transfer of this region. */
static bool image_span(const struct image *image, const size_t *region,
		       size_t row_pitch, size_t slice_pitch,
		       struct claw_span *span)
{
	const size_t origin[3] = { 0, 0, 0 };
	size_t bytes[3];

	if (!region)
		return false;
	bytes[0] = region[0] * image->element;
	bytes[1] = region[1];
	bytes[2] = region[2];
	if (image->is_1d_array && slice_pitch)
		row_pitch = slice_pitch;
	return rectangle(span, origin, bytes, row_pitch,
			 image->is_1d_array ? 0 : slice_pitch);
}

static uint64_t image_bytes(cl_mem mem, const size_t *region)
{
	struct image image;

	if (!region || !look_at_image(mem, &image))
		return 0;
	return (uint64_t)region[0] * region[1] * region[2] * image.element;
}

/* ---- the functions */

static unsigned int use_of(const struct claw_call *call,
			   const struct claw_touch *touch)
{
	const cl_map_flags *flags;

	if (touch->access != CLAW_TOUCH_MAPS)
		return touch->access == CLAW_TOUCH_READS ? CLAW_READS :
			CLAW_WRITES;
	/* What a map lets the host write comes back with the unmap. */
	flags = claw_arg_address(call, CLAW_P_MAP_FLAGS);
	return touch->kind != CLAW_TOUCH_SHARED && flags &&
	       *flags & CL_MAP_READ ? CLAW_READS : 0;
}

static bool rectangle_of(const struct claw_call *call,
			 const struct claw_touch *touch, struct claw_span *span)
{
	return rectangle(span, CLAW_ARG_AT(call, size_t *, touch->at),
			 CLAW_ARG_AT(call, size_t *, touch->size),
			 CLAW_ARG_AT(call, size_t, touch->row),
			 CLAW_ARG_AT(call, size_t, touch->slice));
}

/* Beside an image's: its elements, in a buffer or in the program's memory. */
static void add_pixels(const struct claw_call *call,
		       const struct claw_touch *touch,
		       struct claw_demand *demand)
{
	const struct claw_touch *other =
		claw_api_find_touch(call->api, CLAW_TOUCH_IMAGE);
	const size_t *region = CLAW_ARG_AT(call, size_t *, touch->size);
	const void *memory = CLAW_ARG_AT(call, void *, touch->memory);
	unsigned int use = use_of(call, touch);
	cl_mem mem = CLAW_ARG_AT(call, cl_mem, other->memory);
	struct claw_span span;
	struct image image;

	if (touch->kind == CLAW_TOUCH_BUFFER_PIXELS)
		add_buffer(demand, memory, use,
			   CLAW_ARG_AT(call, size_t, touch->at),
			   image_bytes(mem, region));
	else if (demand->count && look_at_image(mem, &image) &&
		 image_span(&image, region,
			    CLAW_ARG_AT(call, size_t, touch->row),
			    CLAW_ARG_AT(call, size_t, touch->slice), &span))
		add_host(demand, use, &span, memory);
}

static void add_bytes(const struct claw_call *call,
		      const struct claw_touch *touch,
		      struct claw_demand *demand)
{
	const void *memory = CLAW_ARG_AT(call, void *, touch->memory);
	uint64_t bytes = CLAW_ARG_AT(call, size_t, touch->size);
	struct claw_span span = whole_span(0, bytes);
	unsigned int use = use_of(call, touch);

	if (touch->kind == CLAW_TOUCH_BUFFER)
		add_buffer(demand, memory, use,
			   CLAW_ARG_AT(call, size_t, touch->at), bytes);
	else if (touch->kind == CLAW_TOUCH_SHARED)
		add_shared(demand, use, memory, bytes);
	else if (bytes)
		add_host(demand, use, &span, memory);
}

static void add_touch(const struct claw_call *call,
		      const struct claw_touch *touch,
		      struct claw_demand *demand)
{
	struct claw_span span;

	switch ((enum claw_touch_kind)touch->kind) {
	case CLAW_TOUCH_BUFFER: case CLAW_TOUCH_HOST: case CLAW_TOUCH_SHARED:
		add_bytes(call, touch, demand);
		break;
	case CLAW_TOUCH_BUFFER_PIXELS: case CLAW_TOUCH_HOST_PIXELS:
		add_pixels(call, touch, demand);
		break;
	case CLAW_TOUCH_IMAGE:
		add_image(demand, CLAW_ARG_AT(call, void *, touch->memory),
			  use_of(call, touch),
			  CLAW_ARG_AT(call, size_t *, touch->at),
			  CLAW_ARG_AT(call, size_t *, touch->size));
		break;
	case CLAW_TOUCH_BUFFER_RECT:
		if (rectangle_of(call, touch, &span))
			add_rectangle(demand,
				      CLAW_ARG_AT(call, void *, touch->memory),
				      use_of(call, touch), &span);
		break;
	case CLAW_TOUCH_HOST_RECT:
		if (rectangle_of(call, touch, &span))
			add_host(demand, use_of(call, touch), &span,
				 CLAW_ARG_AT(call, void *, touch->memory));
		break;
	case CLAW_TOUCH_NOTHING:
		break;
	}
}

static void free_shared(const struct claw_call *call,
			struct claw_demand *demand)
{
	void *const *list;
	uint32_t count = claw_call_freed(call, &list);

	/* A function of the program's runs in the queue, and frees them. */
	demand->opaque =
		CLAW_ARG(call, clEnqueueSVMFree, pfn_free_func) != NULL;
	for (uint32_t i = 0; i < count; i++)
		add_shared(demand, 0, list[i], 1);
}

static void unmap(const struct claw_call *call, struct claw_demand *demand)
{
	add_buffer(demand, CLAW_ARG(call, clEnqueueUnmapMemObject, memobj), 0,
		   0, 1);
}

static void unmap_shared(const struct claw_call *call,
			 struct claw_demand *demand)
{
	add_shared(demand, 0, CLAW_ARG(call, clEnqueueSVMUnmap, svm_ptr), 1);
}

/* By what these do the program may know that others are done. */
static void opaque(const struct claw_call *call, struct claw_demand *demand)
{
	(void)call;
	demand->opaque = true;
}

/* What is not said by what a transfer touches. */
static void (*const finders[CLAW_API_COUNT])(const struct claw_call *call,
					     struct claw_demand *demand) = {
	[CLAW_API_clEnqueueUnmapMemObject] = unmap,
	[CLAW_API_clEnqueueNDRangeKernel] = claw_kernels_look,
	[CLAW_API_clEnqueueTask] = claw_kernels_look,
	[CLAW_API_clEnqueueSVMUnmap] = unmap_shared,
	[CLAW_API_clEnqueueSVMFree] = free_shared,
	[CLAW_API_clEnqueueNativeKernel] = opaque,
	[CLAW_API_clEnqueueAcquireGLObjects] = opaque,
	[CLAW_API_clEnqueueReleaseGLObjects] = opaque,
	[CLAW_API_clEnqueueAcquireEGLObjectsKHR] = opaque,
	[CLAW_API_clEnqueueReleaseEGLObjectsKHR] = opaque,
	[CLAW_API_clEnqueueWaitSemaphoresKHR] = opaque,
	[CLAW_API_clEnqueueSignalSemaphoresKHR] = opaque,
	[CLAW_API_clEnqueueAcquireExternalMemObjectsKHR] = opaque,
	[CLAW_API_clEnqueueReleaseExternalMemObjectsKHR] = opaque,
	[CLAW_API_clEnqueueCommandBufferKHR] = opaque,
};

void claw_demand_find(const struct claw_call *call, struct claw_demand *demand)
{
	demand->count = 0;
	demand->name = 0;
	demand->lost = demand->opaque = false;
	if (finders[call->api])
		finders[call->api](call, demand);
	for (unsigned int i = 0; i < CLAW_MAX_TOUCHES; i++)
		add_touch(call, &claw_api_table[call->api].touches[i], demand);
	for (unsigned int i = 0;
	     claw_parameter_blocks(call) && i < demand->count; i++)
		demand->accesses[i].use |= CLAW_IN_CALL;
}

bool claw_demand_mapped(const struct claw_call *call,
			struct claw_access *access)
{
	const size_t *region, *row, *slice;

	if (!call->ret)
		return false;
	claw_access_begin(access, CLAW_IN_HOST, CLAW_MAPS);
	access->object = claw_number(call->ret);
	if (call->api == CLAW_API_clEnqueueMapBuffer) {
		access->span = whole_span(access->object,
			CLAW_ARG(call, clEnqueueMapBuffer, size));
		return access->span.row_bytes;
	}
	region = CLAW_ARG(call, clEnqueueMapImage, region);
	row = CLAW_ARG(call, clEnqueueMapImage, image_row_pitch);
	slice = CLAW_ARG(call, clEnqueueMapImage, image_slice_pitch);
	if (!region || !row || !*row || !region[1] || !region[2])
		return false;
	/* Its rows and what is between them: the driver's. */
	access->span = whole_span(access->object, slice && *slice ?
		*slice * (region[2] > 1 ? region[2] : region[1]) :
		*row * region[1] * region[2]);
	/* A 2D image has no slices; one slice is no more than its rows. */
	if (region[2] == 1 && *row * region[1] < access->span.row_bytes)
		access->span.row_bytes = *row * region[1];
	return true;
}
