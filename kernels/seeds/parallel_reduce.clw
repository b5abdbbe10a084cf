/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: parallel_reduce
tags: seed

[test]
name: two groups
global_size: 16
local_size: 8
arg_in:  0 buffer float[16] 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16
arg_out: 0 buffer float[16] 36 2 3 4 5 6 7 8 100 10 11 12 13 14 15 16
arg_in:  1 local float[8]

[test]
name: one work-item
global_size: 1
local_size: 1
arg_in:  0 buffer float[1] 7
arg_out: 0 buffer float[1] 7
arg_in:  1 local float[1]
!*/
/*
 * "After" with the result written to the group's first element. The local
 * size must be a power of two (parallel_reduce_odd).
 */
__kernel void parallel_reduce(__global float* data, __local float* partial) {
    int tid = get_local_id(0);
    int gid = get_global_id(0);
    unsigned int local_size = get_local_size(0);

    // Phase 1: Load into shared memory
    partial[tid] = data[gid];

    // CRITICAL: Barrier to ensure all threads complete their loads
    barrier(CLK_LOCAL_MEM_FENCE);

    // Phase 2: Reduction in shared memory
    for (int s = local_size / 2; s > 0; s >>= 1) {
        if (tid < s) {
            partial[tid] += partial[tid + s];
        }
        // CRITICAL: Barrier at end of each reduction step
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (tid == 0)
        data[gid] = partial[0];
}
