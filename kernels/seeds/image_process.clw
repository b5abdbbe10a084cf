/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: image_process
local_size: 8
tags: seed

[test]
name: two groups
global_size: 16
arg_in:  0 buffer uchar[16] 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15
arg_out: 1 buffer uchar[16] 255 254 253 252 251 250 249 248 \
                            247 246 245 244 243 242 241 240
arg_in:  2 local float[8]
arg_in:  3 int 16

[test]
name: last group not full
global_size: 16
arg_in:  0 buffer uchar[11] 0 1 2 3 4 5 6 7 8 9 10
arg_out: 1 buffer uchar[11] 255 254 253 252 251 250 249 248 247 246 245
arg_in:  2 local float[8]
arg_in:  3 int 11
!*/
/*
 * Mended: input_size is an argument, each work-item loads one element, the
 * barrier is for all, and the picture comes out negative.
 */
__kernel void image_process(
    __global uchar* input,
    __global uchar* output,
    __local float* shared_scratch,
    int input_size) {

    int local_idx = get_local_id(0);
    int global_idx = get_global_id(0);

    if (global_idx < input_size)
        shared_scratch[local_idx] = (float)input[global_idx];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (global_idx < input_size)
        output[global_idx] = (uchar)(255.0f - shared_scratch[local_idx]);
}
