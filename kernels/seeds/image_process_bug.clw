/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: image_process
global_size: 16
local_size: 8
tags: seed
expect_finding: uninitialized-read 40-41
allow_finding: wrong-result

[test]
arg_in:  0 buffer uchar[16] 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15
arg_out: 1 buffer uchar[16] 255 254 253 252 251 250 249 248 \
                            247 246 245 244 243 242 241 240
arg_in:  2 local float[8]
arg_in:  3 int 16
!*/
/*
 * "After" with input_size as an argument and a last line that uses what was
 * loaded, all else as published: the index leaves the input for all but the
 * first work-items, the check lets it, and their elements of local memory are
 * never written.
 */
__kernel void image_process(
    __global uchar* input,
    __global uchar* output,
    __local float* shared_scratch,
    int input_size) {

    for (int i = 0; i < get_local_size(0); i++) {
        // Bounds-checked access using local ID
        int local_idx = get_local_id(0);
        int global_idx = get_global_id(0) * get_local_size(0) + local_idx;
        if (global_idx < input_size) {
            shared_scratch[local_idx] = (float)input[global_idx];
        }
    }

    barrier(CLK_LOCAL_MEM_FENCE);
    output[get_global_id(0)] =
        255 - (uchar)shared_scratch[get_local_id(0)];
}
