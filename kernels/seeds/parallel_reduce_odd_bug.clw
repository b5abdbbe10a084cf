/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: parallel_reduce
global_size: 12
local_size: 6
tags: seed
expect_finding: wrong-result

[test]
arg_in:  0 buffer float[12] 1 2 3 4 5 6 7 8 9 10 11 12
arg_out: 0 buffer float[12] 21 2 3 4 5 6 57 8 9 10 11 12
arg_in:  1 local float[6]
!*/
/*
 * "After", with the result written, in groups of 6: halving 3 gives 1, and
 * the third sum is left out. No memory tool can see it, only the result does.
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
