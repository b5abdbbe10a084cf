/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Transfers that reach outside of an image, or of the buffer that they copy it
 * from or to. The driver answers them; not every one sees where an image ends.
 */
#include "config.h"

#include "guard_private.h"

#include <string.h>

#include "faults/ledger/ledger.h"
#include "faults/journal/site_cache.h"

/* A box of an image that a call touches. */
struct box {
	unsigned int param;		/* the image's */
	cl_mem image;
	const size_t *origin, *region;
};

static unsigned int find_boxes(const struct claw_call *call,
			       struct box ret_boxes[CLAW_MAX_TOUCHES])
{
	const struct claw_touch *touch = claw_api_table[call->api].touches;
	unsigned int count = 0;

	for (unsigned int i = 0; i < CLAW_MAX_TOUCHES; i++, touch++)
		if (touch->kind == CLAW_TOUCH_IMAGE)
			ret_boxes[count++] = (struct box){
				(unsigned int)touch->memory,
				CLAW_ARG_AT(call, cl_mem, touch->memory),
				CLAW_ARG_AT(call, size_t *, touch->at),
				CLAW_ARG_AT(call, size_t *, touch->size),
			};
	return count;
}

static size_t number(cl_mem image, cl_image_info what)
{
	size_t found = 0;

	return claw_next.clGetImageInfo(image, what, sizeof(found), &found,
					NULL) || !found ? SIZE_MAX : found;
}

/* What origin and region have to stay within; SIZE_MAX: nobody knows. */
static void find_size(cl_mem image, size_t size[3])
{
	cl_mem_object_type type = 0;

	claw_ours_begin();
	claw_next.clGetMemObjectInfo(image, CL_MEM_TYPE, sizeof(type), &type,
				     NULL);
	size[0] = number(image, CL_IMAGE_WIDTH);
	size[1] = size[2] = 1;
	switch (type) {
	case CL_MEM_OBJECT_IMAGE1D_ARRAY:
		size[1] = number(image, CL_IMAGE_ARRAY_SIZE);
		break;
	case CL_MEM_OBJECT_IMAGE2D:
		size[1] = number(image, CL_IMAGE_HEIGHT);
		break;
	case CL_MEM_OBJECT_IMAGE2D_ARRAY:
		size[1] = number(image, CL_IMAGE_HEIGHT);
		size[2] = number(image, CL_IMAGE_ARRAY_SIZE);
		break;
	case CL_MEM_OBJECT_IMAGE3D:
		size[1] = number(image, CL_IMAGE_HEIGHT);
		size[2] = number(image, CL_IMAGE_DEPTH);
		break;
	case CL_MEM_OBJECT_IMAGE1D:
	case CL_MEM_OBJECT_IMAGE1D_BUFFER:
		break;
	default:
		size[0] = size[1] = size[2] = SIZE_MAX;
	}
	claw_ours_end();
}

static void tell(struct claw_call *call, const struct box *box,
		 const struct claw_ledger_entry *entry, unsigned int axis,
		 size_t size)
{
	const char *name = claw_api_table[call->api].params[box->param];
	struct claw_found_entry found = {
		.kind = CLAW_FOUND_IMAGE_RANGE,
		.second = claw_found_nowhere(),
		.third = claw_found_place(entry->site, entry->api,
					  CLAW_OBJ_MEM),
		.handle = entry->handle,
		.values = { box->origin[axis], box->region[axis], size, axis },
	};

	if (!call->site)
		call->site = claw_site_cached();
	found.at = claw_found_place(call->site, call->api, CLAW_OBJ_MEM);
	strncpy(found.name, name, sizeof(found.name) - 1);
	claw_found_add(&found);
}

static void check_box(struct claw_call *call, const struct box *box)
{
	struct claw_ledger_entry entry;
	size_t size[3];

	if (!box->image || !box->origin || !box->region ||
	    !box->region[0] || !box->region[1] || !box->region[2] ||
	    !claw_ledger_copy(CLAW_OBJ_MEM, box->image, &entry))
		return;			/* the driver's to say */
	find_size(box->image, size);
	for (unsigned int axis = 0; axis < 3; axis++)
		if (box->origin[axis] > size[axis] ||
		    box->region[axis] > size[axis] - box->origin[axis]) {
			tell(call, box, &entry, axis, size[axis]);
			return;
		}
}

/* The buffer of a copy: as many bytes as the image's box has. */
static void check_buffer(struct claw_call *call, const struct box *box,
			 const struct claw_touch *touch)
{
	struct claw_range range = {
		.param = (unsigned int)touch->memory,
		.mem = CLAW_ARG_AT(call, void *, touch->memory),
		.offset = CLAW_ARG_AT(call, size_t, touch->at),
	};
	size_t element;

	if (!box->image || !box->region)
		return;
	claw_ours_begin();
	element = number(box->image, CL_IMAGE_ELEMENT_SIZE);
	claw_ours_end();
	if (element == SIZE_MAX)
		return;
	range.bytes = element;
	for (unsigned int axis = 0; axis < 3; axis++)
		range.overflows |= __builtin_mul_overflow(range.bytes,
			box->region[axis], &range.bytes);
	claw_guard_check_one_range(call, &range);
}

void claw_guard_check_images(struct claw_call *call)
{
	struct box boxes[CLAW_MAX_TOUCHES];
	unsigned int count = find_boxes(call, boxes);
	const struct claw_touch *buffer =
		claw_api_find_touch(call->api, CLAW_TOUCH_BUFFER_PIXELS);

	for (unsigned int i = 0; i < count; i++)
		check_box(call, &boxes[i]);
	if (buffer && count)
		check_buffer(call, &boxes[0], buffer);
}
