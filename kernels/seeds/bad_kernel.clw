/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: bad_kernel
global_size: 4
local_size: 4
tags: seed

[test]
arg_in:  0 buffer float[4] 1 2 3 4
arg_out: 0 buffer float[4] 136 272 408 544
!*/
/*
 * With something to do: the sum of data[gid] * (1 + i % 16) for 16 values of
 * i, in 64 bytes of private memory. What fits in 64 bytes needs no 16 KiB.
 */
__kernel void bad_kernel(__global float* data) {
    float local_buffer[16];
    float value = data[get_global_id(0)];
    float sum = 0.0f;

    for (int i = 0; i < 16; i++)
        local_buffer[i] = value * (1 + i);
    for (int i = 0; i < 16; i++)
        sum += local_buffer[15 - i];
    data[get_global_id(0)] = sum;
}
