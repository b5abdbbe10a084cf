/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
build_options: -cl-std=CL2.0
expect_build_fail: true
tags: seed
!*/
/*
 * As published. Does not compile: atomic_int is of OpenCL C 2.0, and there an
 * atomic object is read by atomic_load() only, not assigned to an int.
 */
__kernel void race_condition_kernel(__global atomic_int* counter) {
    __local int temp;
    temp = counter[get_global_id(0)];
    // Missing barrier before shared access
    // Other threads may modify temp simultaneously
    barrier(CLK_LOCAL_MEM_FENCE);  // Barrier placed too late
}
