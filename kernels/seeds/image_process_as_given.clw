/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
expect_build_fail: true
tags: seed
!*/
/*
 * "After", as published. Does not compile: input_size is declared nowhere.
 * Were it, the kernel would not work either: the loop stores the same element
 * in every trip, the index is the work-item's id times the group's size
 * where the group's id belongs, and output is never written.
 */
__kernel void image_process(
    __global uchar* input,
    __global uchar* output,
    __local float* shared_scratch) {  // Use shared memory parameter

    // Shared memory is pre-allocated by host
    // Host code: kernel.set_local_arg(2,
    //            clbuild.localMemorySize(8192 * sizeof(float)))

    float intermediate[256];  // Reduced - fits in registers/stack

    for (int i = 0; i < get_local_size(0); i++) {
        // Bounds-checked access using local ID
        int local_idx = get_local_id(0);
        int global_idx = get_global_id(0) * get_local_size(0) + local_idx;
        if (global_idx < input_size) {
            shared_scratch[local_idx] = (float)input[global_idx];
        }
    }

    barrier(CLK_LOCAL_MEM_FENCE);
    // Processing with shared memory...
}
