/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
expect_build_fail: true
tags: seed
!*/
/*
 * As published. Does not compile: "intidy" is no declaration, so idy is
 * unknown. process_pixels_bug has that mended, process_pixels the rest.
 */
__kernel void process_pixels(__global uchar* image, int width, int height) {
    int idx = get_global_id(0);
    intidy = get_global_id(1);
    // Bug: Not checking bounds before accessing pixel
    int pixel_index = idy * width * 3 + idx * 3;  // May overflow on boundary
    image[pixel_index] = 255;  // Undefined behavior at edges
}
