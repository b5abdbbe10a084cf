/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: test_bounds_kernel
global_size: 4
tags: seed

[test]
name: nothing to write to
arg_in:  0 buffer int[4] 1 2 3 4
arg_out: 0 buffer int[4] 1 2 3 4
arg_in:  1 int 0
arg_in:  2 int 9

[test]
name: no memory
arg_in:  0 buffer int[4] null
arg_in:  1 int 0
arg_in:  2 int 9

[test]
name: three of four
arg_in:  0 buffer int[3] 1 2 3
arg_out: 0 buffer int[3] 9 9 9
arg_in:  1 int 3
arg_in:  2 int 9
!*/
/* Mended: who is behind the end returns first. */
__kernel void test_bounds_kernel(
    __global int* output,
    int buffer_size,
    int test_pattern) {

    int gid = get_global_id(0);

    if (gid >= buffer_size)
        return;
    output[gid] = test_pattern;
}
