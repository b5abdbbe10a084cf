/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: compute_chunk
global_size: 32
local_size: 8
tags: seed
expect_finding: invalid-read global 25
expect_finding: invalid-write global 25
allow_finding: uninitialized-read

[test]
arg_in:  0 buffer float[8] 0 1 2 3 4 5 6 7
arg_in:  1 buffer float[8] repeat 0
arg_out: 1 buffer float[8] 0 2 4 6 8 10 12 14
!*/
/*
 * The text launches "compute_chunk" once for each chunk and does not show it;
 * this is "compute" on a chunk. Here the global size is the chunk's size in
 * bytes and not, as in the text, that divided by sizeof(float): four times as
 * many work-items as elements.
 */
__kernel void compute_chunk(__global const float* input,
                            __global float* output) {
    output[get_global_id(0)] = input[get_global_id(0)] * 2.0f;
}
