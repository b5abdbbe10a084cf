/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: parallel_reduce
tags: seed

[test]
name: groups of 6
global_size: 12
local_size: 6
arg_in:  0 buffer float[12] 1 2 3 4 5 6 7 8 9 10 11 12
arg_out: 0 buffer float[12] 21 2 3 4 5 6 57 8 9 10 11 12
arg_in:  1 local float[6]

[test]
name: groups of 7
global_size: 7
local_size: 7
arg_in:  0 buffer float[7] 1 2 3 4 5 6 7
arg_out: 0 buffer float[7] 28 2 3 4 5 6 7
arg_in:  1 local float[7]

[test]
name: groups of 1
global_size: 2
local_size: 1
arg_in:  0 buffer float[2] 3 4
arg_out: 0 buffer float[2] 3 4
arg_in:  1 local float[1]
!*/
/* Mended: a step folds the upper half onto the lower, the middle stays. */
__kernel void parallel_reduce(__global float* data, __local float* partial) {
    int tid = get_local_id(0);
    int gid = get_global_id(0);

    partial[tid] = data[gid];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int n = get_local_size(0); n > 1; n = (n + 1) / 2) {
        int s = (n + 1) / 2;

        if (tid + s < n) {
            partial[tid] += partial[tid + s];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (tid == 0)
        data[gid] = partial[0];
}
