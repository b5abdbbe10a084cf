/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: process_pixels
global_size: 1936 1088		# 1921 x 1081, rounded up to work-groups of 16 x 16
local_size: 16 16
tags: slow
expect_finding: invalid-write global

[test]
arg_in:  0 buffer uchar[6229803] repeat 0 guard 64KiB
arg_out: 0 buffer uchar[6229803] repeat 255
arg_in:  1 int 1921
arg_in:  2 int 1081
!*/
/*
 * process_pixels_bug at its published size. The last row's end is 40 KiB past the
 * buffer's; a guard zone of 64 KiB has it on any device. (The text rounds
 * 1921 x 1081 to 1920 x 1088; it is 1936 x 1088.)
 */
__kernel void process_pixels(__global uchar* image, int width, int height) {
	int idx = get_global_id(0);
	int idy = get_global_id(1);
	// Bug: Not checking bounds before accessing pixel
	int pixel_index = idy * width * 3 + idx * 3;
	for (int i = 0; i < 3; i++)
		image[pixel_index + i] = 255;
}
