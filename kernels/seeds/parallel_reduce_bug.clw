/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: parallel_reduce
global_size: 16
local_size: 8
tags: seed
expect_finding: race local 32
allow_finding: uninitialized-read
allow_finding: wrong-result

[test]
arg_in:  0 buffer float[16] 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16
arg_out: 0 buffer float[16] 36 2 3 4 5 6 7 8 100 10 11 12 13 14 15 16
arg_in:  1 local float[8]
!*/
/*
 * "Before", as published but for the last two lines, without which no result
 * can be seen: no barrier behind the load, none between the steps.
 */
__kernel void parallel_reduce(__global float* data, __local float* partial) {
    int tid = get_local_id(0);
    int gid = get_global_id(0);

    // Load into shared memory
    partial[tid] = data[gid];
    // Missing barrier - other threads may not have finished loading

    // Incorrect reduction - race condition
    for (int s = 1; s < get_local_size(0); s *= 2) {
        if (tid % (2 * s) == 0) {
            partial[tid] += partial[tid + s];  // Race condition!
        }
    }
    if (tid == 0)
        data[gid] = partial[0];
}
