/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: process_pixels
global_size: 24 12		# 21 x 11 (the text's 1921 x 1081), rounded up
local_size: 4 4

[test]
arg_in:  0 buffer uchar[693] repeat 0
arg_out: 0 buffer uchar[693] repeat 255
arg_in:  1 int 21
arg_in:  2 int 11
!*/
/* Twin of process_pixels_bug: the bounds are tested, all three bytes written. */
__kernel void process_pixels(__global uchar* image, int width, int height) {
	int idx = get_global_id(0);
	int idy = get_global_id(1);

	if (idx >= width || idy >= height)
		return;
	int pixel_index = idy * width * 3 + idx * 3;
	image[pixel_index] = 255;
	image[pixel_index + 1] = 255;
	image[pixel_index + 2] = 255;
}
