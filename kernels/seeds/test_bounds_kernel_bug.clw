/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: test_bounds_kernel
global_size: 4
tags: seed
expect_finding: wrong-result

[test]
name: nothing to write to
arg_in:  0 buffer int[4] 1 2 3 4
arg_out: 0 buffer int[4] 1 2 3 4
arg_in:  1 int 0
arg_in:  2 int 9
!*/
/*
 * As published, told that the buffer has no element: "gid == 0" and
 * "gid == buffer_size / 2" are both true, and it writes the first. Where there
 * is memory, only the result shows it; kernel_memory's test_bounds has the
 * case where there is none.
 */
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
