/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: race_condition_kernel
global_size: 8
local_size: 8
tags: seed
expect_finding: race local 22
allow_finding: wrong-result

[test]
arg_in:  0 buffer int[8] 1 2 3 4 5 6 7 8
arg_out: 0 buffer int[8] 1 2 3 4 5 6 7 8
!*/
/*
 * As published but for the type and a last line that uses temp: all
 * work-items of the group write their value into the one temp, then wait. No
 * barrier could mend that.
 */
__kernel void race_condition_kernel(__global int* counter) {
    __local int temp;
    temp = counter[get_global_id(0)];
    // Missing barrier before shared access
    // Other threads may modify temp simultaneously
    barrier(CLK_LOCAL_MEM_FENCE);  // Barrier placed too late
    counter[get_global_id(0)] = temp;
}
