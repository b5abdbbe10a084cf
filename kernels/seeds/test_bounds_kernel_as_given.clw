/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: test_bounds_kernel
global_size: 8
tags: seed

[test]
name: five of eight
arg_in:  0 buffer int[5] repeat 0
arg_out: 0 buffer int[5] repeat 9
arg_in:  1 int 5
arg_in:  2 int 9

[test]
name: one of eight
arg_in:  0 buffer int[1] 0
arg_out: 0 buffer int[1] -1
arg_in:  1 int 1
arg_in:  2 int -1

[test]
name: all
arg_in:  0 buffer int[8] repeat 0
arg_out: 0 buffer int[8] repeat 7
arg_in:  1 int 8
arg_in:  2 int 7
!*/
/* As published: right for a buffer that has an element. */
__kernel void test_bounds_kernel(
    __global int* output,
    int buffer_size,
    int test_pattern) {

    int gid = get_global_id(0);

    // Test all boundary conditions
    if (gid == 0 || gid == buffer_size - 1) {
        output[gid] = test_pattern;  // Edge cases
    }

    if (gid == buffer_size / 2) {
        output[gid] = test_pattern;  // Middle
    }

    // Valid interior accesses
    if (gid > 0 && gid < buffer_size - 1) {
        output[gid] = test_pattern;
    }
}
