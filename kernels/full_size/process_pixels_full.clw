/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: process_pixels
global_size: 1936 1088		# 1921 x 1081, rounded up to work-groups of 16 x 16
local_size: 16 16
tags: slow

[test]
arg_in:  0 buffer uchar[6229803] repeat 0 guard 64KiB
arg_out: 0 buffer uchar[6229803] repeat 255
arg_in:  1 int 1921
arg_in:  2 int 1081
!*/
/* Twin of process_pixels_full_bug: the bounds are tested. */
__kernel void process_pixels(__global uchar* image, int width, int height) {
	int idx = get_global_id(0);
	int idy = get_global_id(1);

	if (idx >= width || idy >= height)
		return;
	int pixel_index = idy * width * 3 + idx * 3;
	for (int i = 0; i < 3; i++)
		image[pixel_index + i] = 255;
}
