/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: compute
global_size: 8
local_size: 8
tags: seed
expect_finding: invalid-read global 23
allow_finding: uninitialized-read

[test]
name: no input
arg_in:  0 buffer float[8] null
arg_in:  1 buffer float[8] repeat 0
!*/
/*
 * As published, launched with a NULL buffer, which clSetKernelArg() takes:
 * the kernel reads at address 0. A CPU driver dies with SIGSEGV, a GPU loses
 * its context.
 */
__kernel void compute(__global float* input, __global float* output) {
    // If 'input' is NULL, this causes a segfault
    output[get_global_id(0)] = input[get_global_id(0)] * 2.0f;
}
