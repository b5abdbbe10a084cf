/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: outside
global_size: 4 3
[test]
arg_in:  0 image uchar4 repeat 1 1 1 1 image_type 2d image_width 2 image_height 2 \
	image_channel_order RGBA image_channel_data_type UNSIGNED_INT8
arg_in:  1 sampler normalized_coords false addressing_mode CLAMP \
	filter_mode NEAREST
arg_out: 2 buffer uint[12] 0 0 0 0 0 1 1 0 0 1 1 0
!*/
/*
 * Clean, and without a twin: CLK_ADDRESS_CLAMP gives the border colour outside of
 * an image, which is 0 for these channels.
 */
kernel void outside(read_only image2d_t image, sampler_t sampler,
		    global uint *alpha)
{
	int x = get_global_id(0), y = get_global_id(1);

	alpha[y * get_global_size(0) + x] =
		read_imageui(image, sampler, (int2)(x - 1, y - 1)).w;
}
