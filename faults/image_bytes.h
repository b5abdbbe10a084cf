/* SPDX-License-Identifier: Apache-2.0 */
/* How large the elements of an image are. */
#ifndef CLAW_IMAGE_BYTES_H
#define CLAW_IMAGE_BYTES_H

#include <stdint.h>

#include "cl_types.h"

/* Bytes of one element (OpenCL 3.0, Image Format Descriptor). */
static inline uint64_t
claw_image_element_bytes(const cl_image_format *format)
{
	uint64_t channels, bytes;

	if (!format)
		return 0;
	switch (format->image_channel_order) {
	case CL_R: case CL_A: case CL_INTENSITY: case CL_LUMINANCE:
	case CL_DEPTH: case CL_Rx:
		channels = 1;
		break;
	case CL_RG: case CL_RA: case CL_RGx:
		channels = 2;
		break;
	case CL_RGB: case CL_RGBx: case CL_sRGB: case CL_sRGBx:
		channels = 3;
		break;
	default:
		channels = 4;
		break;
	}
	switch (format->image_channel_data_type) {
	case CL_UNORM_SHORT_565: case CL_UNORM_SHORT_555:
		return 2;
	case CL_UNORM_INT_101010: case CL_UNORM_INT_101010_2:
		return 4;
	case CL_SNORM_INT8: case CL_UNORM_INT8: case CL_SIGNED_INT8:
	case CL_UNSIGNED_INT8:
		bytes = 1;
		break;
	case CL_SIGNED_INT32: case CL_UNSIGNED_INT32: case CL_FLOAT:
		bytes = 4;
		break;
	default:
		bytes = 2;
		break;
	}
	return channels * bytes;
}

#endif
