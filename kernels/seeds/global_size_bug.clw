/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: invert
dimensions: 2
local_size: 16 16
tags: seed
expect_finding: invalid-read global 30
expect_finding: invalid-write global 30
allow_finding: race global 30
allow_finding: uninitialized-read
allow_finding: wrong-result

[test]
name: 17x9 by 16x16
global_size: 32 16
arg_in:  0 buffer uchar[153] repeat 1
arg_out: 0 buffer uchar[153] repeat 254
arg_in:  1 int 17
!*/
/*
 * "Insufficient global work size calculation", the text's (1921, 1081) by
 * (16, 16) in small: OpenCL 1.2 refuses a global size that is no multiple of
 * the group's, so it is rounded up, and then the kernel has to know the image's
 * size. It knows the width only.
 */
__kernel void invert(__global uchar* image, int width) {
    int x = get_global_id(0);
    int y = get_global_id(1);
    image[y * width + x] = 255 - image[y * width + x];
}
