/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: race_condition_kernel
global_size: 16
local_size: 8
tags: seed

[test]
arg_in:  0 buffer int[16] 1 2 3 4 5 6 7 8 3 3 3 3 3 3 3 3
arg_out: 0 buffer int[16] 1 1 1 1 1 1 1 1 3 3 3 3 3 3 3 3
!*/
/*
 * Mended: one work-item writes temp, a barrier, then all read it.
 */
__kernel void race_condition_kernel(__global int* counter) {
    __local int temp;
    if (get_local_id(0) == 0)
        temp = counter[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    counter[get_global_id(0)] = temp;
}
