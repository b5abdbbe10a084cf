/* SPDX-License-Identifier: Apache-2.0 */
/* Meters: how many bytes a transfer or an allocation is about. */
#include "config.h"

#include "meter.h"

/* Of a part of an image. */
static uint64_t region_bytes(const struct claw_call *call,
			     const struct claw_touch *image)
{
	const size_t *region = CLAW_ARG_AT(call, size_t *, image->size);
	size_t element = 0;

	if (!region)
		return 0;
	claw_ours_begin();
	if (claw_next.clGetImageInfo(CLAW_ARG_AT(call, cl_mem, image->memory),
				     CL_IMAGE_ELEMENT_SIZE, sizeof(element),
				     &element, NULL))
		element = 0;
	claw_ours_end();
	return (uint64_t)region[0] * region[1] * region[2] * element;
}

uint64_t claw_meter_bytes(const struct claw_call *call)
{
	const struct claw_touch *image =
		claw_api_find_touch(call->api, CLAW_TOUCH_IMAGE);

	return image ? region_bytes(call, image) : claw_call_bytes(call);
}
