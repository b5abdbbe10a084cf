/* SPDX-License-Identifier: Apache-2.0 */
/* Meters: how many bytes a transfer or an allocation is about. */
#include "config.h"

#include "meter.h"

#include <string.h>

/* Position of the first parameter whose name has that end, and that role if
 * it is not OTHER; or -1. */
static int find_named(const struct claw_api_info *info, const char *end,
		      enum claw_role role)
{
	size_t length = strlen(end);

	for (int i = 0; i < info->param_count; i++) {
		size_t own = strlen(info->params[i]);

		if (own >= length &&
		    !strcmp(info->params[i] + own - length, end) &&
		    (role == CLAW_P_OTHER || info->roles[i] == role))
			return i;
	}
	return -1;
}

static uint64_t element_bytes(cl_mem image)
{
	size_t bytes = 0;

	claw_ours_begin();
	if (claw_next.clGetImageInfo(image, CL_IMAGE_ELEMENT_SIZE,
				     sizeof(bytes), &bytes, NULL))
		bytes = 0;
	claw_ours_end();
	return bytes;
}

/* Of a part of an image. */
static uint64_t region_bytes(const struct claw_call *call)
{
	const struct claw_api_info *info = &claw_api_table[call->api];
	int image = find_named(info, "image", CLAW_P_MEM);
	int region = find_named(info, "region", CLAW_P_OTHER);
	const size_t *size;

	if (image < 0 || region < 0)
		return 0;
	size = *(const size_t *const *)call->args[region];
	return size ? (uint64_t)size[0] * size[1] * size[2] *
		element_bytes(*(const cl_mem *)call->args[image]) : 0;
}

uint64_t claw_meter_bytes(const struct claw_call *call)
{
	if (call->api == CLAW_API_clCreatePipe)
		return (uint64_t)*(const cl_uint *)call->args[2] *
		       *(const cl_uint *)call->args[3];
	if (claw_api_table[call->api].groups & CLAW_G_TRANSFER &&
	    find_named(&claw_api_table[call->api], "image", CLAW_P_MEM) >= 0)
		return region_bytes(call);
	return claw_call_bytes(call);
}
