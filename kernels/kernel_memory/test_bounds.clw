/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes test_pattern into the first buffer_size elements of output and
 * nowhere else, whatever the global size is.
 *
 * expect: clean
 *
 * test_bounds_kernel is the kernel as it was published. It is right
 * for buffer_size >= 1 only: with 0 its first and second tests are both true
 * for gid 0, and it writes output[0] of an empty buffer. That is why
 * test_bounds_kernel_mended, which returns first where there is nothing to
 * write to, is what the cases without memory launch.
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

__kernel void test_bounds_kernel_mended(
    __global int* output,
    int buffer_size,
    int test_pattern) {

    int gid = get_global_id(0);

    if (output == 0 || gid >= buffer_size) {
        return;
    }

    if (gid == 0 || gid == buffer_size - 1) {
        output[gid] = test_pattern;
    }

    if (gid == buffer_size / 2) {
        output[gid] = test_pattern;
    }

    if (gid > 0 && gid < buffer_size - 1) {
        output[gid] = test_pattern;
    }
}
