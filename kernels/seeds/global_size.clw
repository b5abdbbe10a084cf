/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: invert
dimensions: 2
local_size: 16 16
tags: seed

[test]
name: 17x9 by 16x16
global_size: 32 16
arg_in:  0 buffer uchar[153] repeat 1
arg_out: 0 buffer uchar[153] repeat 254
arg_in:  1 int 17
arg_in:  2 int 9

[test]
name: 16x16 by 16x16
global_size: 16 16
arg_in:  0 buffer uchar[256] repeat 0 255
arg_out: 0 buffer uchar[256] repeat 255 0
arg_in:  1 int 16
arg_in:  2 int 16
!*/
/* Mended: rounded up as before, and work-items outside do nothing. */
__kernel void invert(__global uchar* image, int width, int height) {
    int x = get_global_id(0);
    int y = get_global_id(1);
    if (x < width && y < height)
        image[y * width + x] = 255 - image[y * width + x];
}
