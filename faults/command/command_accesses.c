/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What each command touches: memory objects, shared memory, and the program's
 * own memory, from the parameters of the call.
 */
#include "config.h"

#include <string.h>

#include "commands_private.h"

#define ARG(call_, type_, i_) (*(type_ const *)(call_)->args[i_])

static struct claw_access *add(struct claw_demand *demand,
			       enum claw_where where, unsigned int use)
{
	struct claw_access *access;

	if (demand->count == CLAW_CALL_ACCESSES) {
		demand->lost = true;
		return NULL;
	}
	access = &demand->accesses[demand->count++];
	memset(access, 0, sizeof(*access));
	access->where = (uint8_t)where;
	access->use = (uint8_t)use;
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

/* reads: the device's side is read, the host's is written. */
static void buffer_transfer(const struct claw_call *call,
			    struct claw_demand *demand)
{
	bool reads = call->api == CLAW_API_clEnqueueReadBuffer;
	uint64_t bytes = ARG(call, size_t, 4);
	struct claw_span span = whole_span(0, bytes);

	add_buffer(demand, ARG(call, void *, 1),
		   reads ? CLAW_READS : CLAW_WRITES, ARG(call, size_t, 3),
		   bytes);
	if (bytes)
		add_host(demand, reads ? CLAW_WRITES : CLAW_READS, &span,
			 ARG(call, void *, 5));
}

static void rectangle_transfer(const struct claw_call *call,
			       struct claw_demand *demand)
{
	bool reads = call->api == CLAW_API_clEnqueueReadBufferRect;
	const size_t *region = ARG(call, size_t *, 5);
	struct claw_span span;

	if (rectangle(&span, ARG(call, size_t *, 3), region,
		      ARG(call, size_t, 6), ARG(call, size_t, 7)))
		add_rectangle(demand, ARG(call, void *, 1),
			      reads ? CLAW_READS : CLAW_WRITES, &span);
	if (rectangle(&span, ARG(call, size_t *, 4), region,
		      ARG(call, size_t, 8), ARG(call, size_t, 9)))
		add_host(demand, reads ? CLAW_WRITES : CLAW_READS, &span,
			 ARG(call, void *, 10));
}

static void image_transfer(const struct claw_call *call,
			   struct claw_demand *demand)
{
	bool reads = call->api == CLAW_API_clEnqueueReadImage;
	const size_t *region = ARG(call, size_t *, 4);
	cl_mem mem = ARG(call, cl_mem, 1);
	struct claw_span span;
	struct image image;

	add_image(demand, mem, reads ? CLAW_READS : CLAW_WRITES,
		  ARG(call, size_t *, 3), region);
	if (demand->count && look_at_image(mem, &image) &&
	    image_span(&image, region, ARG(call, size_t, 5),
		       ARG(call, size_t, 6), &span))
		add_host(demand, reads ? CLAW_WRITES : CLAW_READS, &span,
			 ARG(call, void *, 7));
}

static void copy_rectangle(const struct claw_call *call,
			   struct claw_demand *demand)
{
	const size_t *region = ARG(call, size_t *, 5);
	struct claw_span span;

	if (rectangle(&span, ARG(call, size_t *, 3), region,
		      ARG(call, size_t, 6), ARG(call, size_t, 7)))
		add_rectangle(demand, ARG(call, void *, 1), CLAW_READS, &span);
	if (rectangle(&span, ARG(call, size_t *, 4), region,
		      ARG(call, size_t, 8), ARG(call, size_t, 9)))
		add_rectangle(demand, ARG(call, void *, 2), CLAW_WRITES, &span);
}

/* What a map lets the host write comes back with the unmap. */
static void map(const struct claw_call *call, struct claw_demand *demand)
{
	bool shows = ARG(call, cl_map_flags, 3) & CL_MAP_READ;

	if (call->api == CLAW_API_clEnqueueMapBuffer)
		add_buffer(demand, ARG(call, void *, 1), shows ? CLAW_READS : 0,
			   ARG(call, size_t, 4), ARG(call, size_t, 5));
	else
		add_image(demand, ARG(call, void *, 1), shows ? CLAW_READS : 0,
			  ARG(call, size_t *, 4), ARG(call, size_t *, 5));
}

static void free_shared(const struct claw_call *call,
			struct claw_demand *demand)
{
	void *const *list = ARG(call, void **, 2);

	/* A function of the program's runs in the queue, and frees them. */
	demand->opaque = ARG(call, void *, 3) != NULL;
	for (cl_uint i = 0; !demand->opaque && list &&
	     i < ARG(call, cl_uint, 1); i++)
		add_shared(demand, 0, list[i], 1);
}

static void copy_buffer(const struct claw_call *call,
			struct claw_demand *demand)
{
	add_buffer(demand, ARG(call, void *, 1), CLAW_READS,
		   ARG(call, size_t, 3), ARG(call, size_t, 5));
	add_buffer(demand, ARG(call, void *, 2), CLAW_WRITES,
		   ARG(call, size_t, 4), ARG(call, size_t, 5));
}

static void fill_buffer(const struct claw_call *call,
			struct claw_demand *demand)
{
	add_buffer(demand, ARG(call, void *, 1), CLAW_WRITES,
		   ARG(call, size_t, 4), ARG(call, size_t, 5));
}

static void copy_image(const struct claw_call *call, struct claw_demand *demand)
{
	add_image(demand, ARG(call, void *, 1), CLAW_READS,
		  ARG(call, size_t *, 3), ARG(call, size_t *, 5));
	add_image(demand, ARG(call, void *, 2), CLAW_WRITES,
		  ARG(call, size_t *, 4), ARG(call, size_t *, 5));
}

static void copy_image_to_buffer(const struct claw_call *call,
				 struct claw_demand *demand)
{
	add_image(demand, ARG(call, void *, 1), CLAW_READS,
		  ARG(call, size_t *, 3), ARG(call, size_t *, 4));
	add_buffer(demand, ARG(call, void *, 2), CLAW_WRITES,
		   ARG(call, size_t, 5),
		   image_bytes(ARG(call, cl_mem, 1), ARG(call, size_t *, 4)));
}

static void copy_buffer_to_image(const struct claw_call *call,
				 struct claw_demand *demand)
{
	add_buffer(demand, ARG(call, void *, 1), CLAW_READS,
		   ARG(call, size_t, 3),
		   image_bytes(ARG(call, cl_mem, 2), ARG(call, size_t *, 5)));
	add_image(demand, ARG(call, void *, 2), CLAW_WRITES,
		  ARG(call, size_t *, 4), ARG(call, size_t *, 5));
}

static void fill_image(const struct claw_call *call, struct claw_demand *demand)
{
	add_image(demand, ARG(call, void *, 1), CLAW_WRITES,
		  ARG(call, size_t *, 3), ARG(call, size_t *, 4));
}

static void unmap(const struct claw_call *call, struct claw_demand *demand)
{
	add_buffer(demand, ARG(call, void *, 1), 0, 0, 1);
}

static void copy_shared(const struct claw_call *call,
			struct claw_demand *demand)
{
	add_shared(demand, CLAW_WRITES, ARG(call, void *, 2),
		   ARG(call, size_t, 4));
	add_shared(demand, CLAW_READS, ARG(call, void *, 3),
		   ARG(call, size_t, 4));
}

static void fill_shared(const struct claw_call *call,
			struct claw_demand *demand)
{
	add_shared(demand, CLAW_WRITES, ARG(call, void *, 1),
		   ARG(call, size_t, 4));
}

static void map_shared(const struct claw_call *call, struct claw_demand *demand)
{
	add_shared(demand, 0, ARG(call, void *, 3), ARG(call, size_t, 4));
}

static void unmap_shared(const struct claw_call *call,
			 struct claw_demand *demand)
{
	add_shared(demand, 0, ARG(call, void *, 1), 1);
}

/* By what these do the program may know that others are done. */
static void opaque(const struct claw_call *call, struct claw_demand *demand)
{
	(void)call;
	demand->opaque = true;
}

/* One that is not here touches nothing. */
static void (*const finders[CLAW_API_COUNT])(const struct claw_call *call,
					     struct claw_demand *demand) = {
	[CLAW_API_clEnqueueReadBuffer] = buffer_transfer,
	[CLAW_API_clEnqueueWriteBuffer] = buffer_transfer,
	[CLAW_API_clEnqueueReadBufferRect] = rectangle_transfer,
	[CLAW_API_clEnqueueWriteBufferRect] = rectangle_transfer,
	[CLAW_API_clEnqueueReadImage] = image_transfer,
	[CLAW_API_clEnqueueWriteImage] = image_transfer,
	[CLAW_API_clEnqueueCopyBuffer] = copy_buffer,
	[CLAW_API_clEnqueueCopyBufferRect] = copy_rectangle,
	[CLAW_API_clEnqueueFillBuffer] = fill_buffer,
	[CLAW_API_clEnqueueCopyImage] = copy_image,
	[CLAW_API_clEnqueueCopyImageToBuffer] = copy_image_to_buffer,
	[CLAW_API_clEnqueueCopyBufferToImage] = copy_buffer_to_image,
	[CLAW_API_clEnqueueFillImage] = fill_image,
	[CLAW_API_clEnqueueMapBuffer] = map,
	[CLAW_API_clEnqueueMapImage] = map,
	[CLAW_API_clEnqueueUnmapMemObject] = unmap,
	[CLAW_API_clEnqueueNDRangeKernel] = claw_kernels_look,
	[CLAW_API_clEnqueueTask] = claw_kernels_look,
	[CLAW_API_clEnqueueSVMMemcpy] = copy_shared,
	[CLAW_API_clEnqueueMemcpyINTEL] = copy_shared,
	[CLAW_API_clEnqueueSVMMemFill] = fill_shared,
	[CLAW_API_clEnqueueMemFillINTEL] = fill_shared,
	[CLAW_API_clEnqueueSVMMap] = map_shared,
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
	if (call->api < CLAW_API_COUNT && finders[call->api])
		finders[call->api](call, demand);
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
	memset(access, 0, sizeof(*access));
	access->where = CLAW_IN_HOST;
	access->use = CLAW_MAPS;
	access->object = claw_number(call->ret);
	if (call->api == CLAW_API_clEnqueueMapBuffer) {
		access->span = whole_span(access->object,
					  ARG(call, size_t, 5));
		return access->span.row_bytes;
	}
	region = ARG(call, size_t *, 5);
	row = ARG(call, size_t *, 6);
	slice = ARG(call, size_t *, 7);
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
