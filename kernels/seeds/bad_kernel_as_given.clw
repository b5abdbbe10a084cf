/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: bad_kernel
global_size: 4
local_size: 4
tags: seed

[test]
arg_in:  0 buffer float[4] 1 2 3 4
arg_out: 0 buffer float[4] 1 2 3 4
!*/
/*
 * As published: 16 KiB on the stack of each work-item. As nothing uses them,
 * every compiler drops them, and the kernel is right: it does nothing.
 */
__kernel void bad_kernel(__global float* data) {
    // Too large for stack - each thread allocates 16KB on stack
    float local_buffer[4096];  // 4096 * 4 bytes = 16KB per thread
    // ...
}
