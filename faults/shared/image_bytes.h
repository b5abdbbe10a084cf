/* SPDX-License-Identifier: Apache-2.0 */
/* How large images and their elements are. */
#ifndef CLAW_IMAGE_BYTES_H
#define CLAW_IMAGE_BYTES_H

#include <stdbool.h>
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

/* What its type does not look at may hold anything (OpenCL 3.0 API, 5.3.1.2):
 * here it is 0. */
static inline cl_image_desc claw_image_desc_of(cl_image_desc desc)
{
	cl_mem_object_type type = desc.image_type;
	bool is_lines = type == CL_MEM_OBJECT_IMAGE1D_ARRAY;

	if (is_lines || type == CL_MEM_OBJECT_IMAGE1D ||
	    type == CL_MEM_OBJECT_IMAGE1D_BUFFER)
		desc.image_height = 0;
	if (type != CL_MEM_OBJECT_IMAGE3D)
		desc.image_depth = 0;
	if (!is_lines && type != CL_MEM_OBJECT_IMAGE2D_ARRAY)
		desc.image_array_size = 0;
	return desc;
}

/* Elements, lines, slices: layers are the last of them that its type has. */
static inline void claw_image_region(const cl_image_desc *given,
				     uint64_t ret[3])
{
	cl_image_desc desc = claw_image_desc_of(*given);
	bool is_lines = desc.image_type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
	uint64_t lines = is_lines ? desc.image_array_size : desc.image_height;
	uint64_t slices = is_lines ? 0 :
		desc.image_depth + desc.image_array_size;

	ret[0] = desc.image_width;
	ret[1] = lines ? lines : 1;
	ret[2] = slices ? slices : 1;
}

#endif
