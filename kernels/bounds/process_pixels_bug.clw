/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: process_pixels
global_size: 24 12		# 21 x 11 (the text's 1921 x 1081), rounded up
local_size: 4 4
expect_finding: invalid-write global 28
expect_finding: invalid-write global 29
expect_finding: invalid-write global 30

[test]
arg_in:  0 buffer uchar[693] repeat 0
arg_out: 0 buffer uchar[693] repeat 255
arg_in:  1 int 21
arg_in:  2 int 11
!*/
/*
 * A published example of an access out of bounds. The global size is rounded up
 * to whole work-groups and no bound is tested: right of the image the write goes
 * to the next row, below it past the end of the buffer. (As published, the second
 * declaration reads "intidy" and does not compile.)
 */
__kernel void process_pixels(__global uchar* image, int width, int height) {
	int idx = get_global_id(0);
	int idy = get_global_id(1);
	// Bug: Not checking bounds before accessing pixel
	int pixel_index = idy * width * 3 + idx * 3;
	image[pixel_index] = 255;  // Undefined behavior at edges	/* bug */
	image[pixel_index + 1] = 255;	/* bug */
	image[pixel_index + 2] = 255;	/* bug */
}
