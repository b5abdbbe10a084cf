/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: box
global_size: 4
[test]
arg_in:  0 image uint 10 20 30 40 image_type 2d image_width 4 image_height 1 \
	image_channel_order R image_channel_data_type UNSIGNED_INT32
arg_in:  1 sampler normalized_coords false addressing_mode CLAMP_TO_EDGE \
	filter_mode NEAREST
arg_out: 2 buffer uint[4] 40 60 90 110
!*/
/*
 * Clean, and without a twin: a sampler that clamps makes reads left and right of
 * an image defined.
 */
kernel void box(read_only image2d_t image, sampler_t sampler,
		global uint *sums)
{
	int x = get_global_id(0);
	uint sum = 0;

	for (int i = x - 1; i <= x + 1; i++) {
		int2 at = (int2)(i, 0);

		sum += read_imageui(image, sampler, at).x;
	}
	sums[x] = sum;
}
