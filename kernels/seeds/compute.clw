/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: compute
global_size: 8
local_size: 8
tags: seed

[test]
name: with input
arg_in:  0 buffer float[8] 0 1 2 3 0.5 -1 -0.25 1e20
arg_out: 1 buffer float[8] 0 2 4 6 1 -2 -0.5 2e20

[test]
name: no input
arg_in:  0 buffer float[8] null
arg_out: 1 buffer float[8] repeat 0
!*/
/* Mended: asks for NULL. */
__kernel void compute(__global float* input, __global float* output) {
    output[get_global_id(0)] = input ? input[get_global_id(0)] * 2.0f : 0.0f;
}
