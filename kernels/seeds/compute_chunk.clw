/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: compute_chunk
local_size: 8
tags: seed

[test]
name: first chunk
global_size: 8
arg_in:  0 buffer float[8] 0 1 2 3 4 5 6 7
arg_out: 1 buffer float[8] 0 2 4 6 8 10 12 14

[test]
name: second chunk
global_size: 16
arg_in:  0 buffer float[16] 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23
arg_out: 1 buffer float[16] 16 18 20 22 24 26 28 30 32 34 36 38 40 42 44 46
!*/
/* The same with chunk_size / sizeof(float) work-items, as in the text. */
__kernel void compute_chunk(__global const float* input,
                            __global float* output) {
    output[get_global_id(0)] = input[get_global_id(0)] * 2.0f;
}
