/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: image_process
global_size: 2
local_size: 1
tags: seed

[test]
arg_in:  0 buffer uchar[16384] repeat 1 2 3 4
arg_in:  1 buffer uchar[16384] repeat 9
arg_out: 1 buffer uchar[16384] repeat 9
!*/
/*
 * "Before", as published: 16 KiB on the stack of each work-item, and nothing
 * is ever written. A compiler drops all of it.
 */
__kernel void image_process(__global uchar* input, __global uchar* output) {
    // Stack allocation - causes overflow on many GPUs
    uchar local_scratch[8192];
    float intermediate[2048];

    for (int i = 0; i < 8192; i++) {
        local_scratch[i] = input[get_global_id(0) * 8192 + i];
    }
    // Processing...
}
