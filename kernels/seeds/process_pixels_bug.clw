/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: process_pixels
dimensions: 2
tags: seed
expect_finding: invalid-write global 28

[test]
name: rounded up to work-groups		# a 5x3 image, 8x4 work-items
global_size: 8 4
local_size: 4 2
arg_in:  0 buffer uchar[45] repeat 0
arg_in:  1 int 5
arg_in:  2 int 3
!*/
/*
 * As published but for "int idy". The launch is rounded up to whole
 * work-groups, as it has to be, and nothing asks for width and height: what is
 * right of the image goes to the next line, what is below it goes past the
 * end of the buffer.
 */
__kernel void process_pixels(__global uchar* image, int width, int height) {
    int idx = get_global_id(0);
    int idy = get_global_id(1);
    // Bug: Not checking bounds before accessing pixel
    int pixel_index = idy * width * 3 + idx * 3;  // May overflow on boundary
    image[pixel_index] = 255;  // Undefined behavior at edges
}
