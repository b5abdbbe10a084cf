/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: matrix_multiply
dimensions: 2
tags: seed

[test]
name: rounded up to work-groups		# 3x2 times 2x3 by 4x4 work-items
global_size: 4 4
local_size: 4 4
arg_in:  0 buffer float[6] 1 2 3 4 5 6
arg_in:  1 buffer float[6] 1 0 2 0 1 1
arg_in:  2 buffer float[9] repeat 0
arg_out: 2 buffer float[9] 1 2 4 3 4 10 5 6 16
arg_in:  3 int 3
arg_in:  4 int 3
arg_in:  5 int 2
!*/
/*
 * Twin of matrix_multiply_bug: the same launch, with the bounds check that the
 * text's "After" adds. matrix_multiply_v2 is the workload, with more sizes.
 */
__kernel void matrix_multiply(
    __global float* A,
    __global float* B,
    __global float* C,
    int M, int N, int K) {

    int row = get_global_id(0);
    int col = get_global_id(1);

    // Bounds check before any memory access
    if (row >= M || col >= N) {
        return;  // Guard clause - exit safely
    }

    float sum = 0.0f;
    for (int i = 0; i < K; i++) {
        sum += A[row * K + i] * B[i * N + col];
    }
    C[row * N + col] = sum;
}
