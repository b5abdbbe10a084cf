/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: process_pixels
dimensions: 2
tags: seed

[test]
name: rounded up to work-groups		# a 5x3 image, 8x4 work-items
global_size: 8 4
local_size: 4 2
arg_in:  0 buffer uchar[45] repeat 0
arg_out: 0 buffer uchar[45] repeat 255 0 0
arg_in:  1 int 5
arg_in:  2 int 3

[test]
name: exact
global_size: 4 2
local_size: 4 2
arg_in:  0 buffer uchar[24] repeat 7
arg_out: 0 buffer uchar[24] repeat 255 7 7
arg_in:  1 int 4
arg_in:  2 int 2

[test]
name: one pixel
global_size: 4 2
local_size: 4 2
arg_in:  0 buffer uchar[3] 1 2 3
arg_out: 0 buffer uchar[3] 255 2 3
arg_in:  1 int 1
arg_in:  2 int 1
!*/
/* Mended: work-items outside of the image do nothing. */
__kernel void process_pixels(__global uchar* image, int width, int height) {
    int idx = get_global_id(0);
    int idy = get_global_id(1);
    if (idx >= width || idy >= height)
        return;
    int pixel_index = idy * width * 3 + idx * 3;
    image[pixel_index] = 255;
}
