/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: matrix_multiply
dimensions: 2
local_size: 4 4
tags: seed workload

[test]
name: rounded up to work-groups		# 3x2 times 2x3 by 4x4 work-items
global_size: 4 4
arg_in:  0 buffer float[6] 1 2 3 4 5 6
arg_in:  1 buffer float[6] 1 0 2 0 1 1
arg_out: 2 buffer float[9] 1 2 4 3 4 10 5 6 16
arg_in:  3 int 3
arg_in:  4 int 3
arg_in:  5 int 2

[test]
name: one element
global_size: 4 4
arg_in:  0 buffer float[1] 3
arg_in:  1 buffer float[1] -2
arg_out: 2 buffer float[1] -6
arg_in:  3 int 1
arg_in:  4 int 1
arg_in:  5 int 1

[test]
name: square
global_size: 4 4
arg_in:  0 buffer float[16] 1 2 3 4  5 6 7 8  9 10 11 12  13 14 15 16
arg_in:  1 buffer float[16] 0 1 0 0  0 0 1 0  0 0 0 1  1 0 0 0
arg_out: 2 buffer float[16] 4 1 2 3  8 5 6 7  12 9 10 11  16 13 14 15
arg_in:  3 int 4
arg_in:  4 int 4
arg_in:  5 int 4

[test]
name: wide				# 5x1 times 1x7, 8x8 work-items
global_size: 8 8
arg_in:  0 buffer float[5] 1 2 3 4 5
arg_in:  1 buffer float[7] 1 -1 2 -2 0 0.5 10
arg_out: 2 buffer float[35] 1 -1 2 -2 0 0.5 10  2 -2 4 -4 0 1 20 \
                            3 -3 6 -6 0 1.5 30  4 -4 8 -8 0 2 40 \
                            5 -5 10 -10 0 2.5 50
arg_in:  3 int 5
arg_in:  4 int 7
arg_in:  5 int 1

[test]
name: large				# 64x64 times 64x64
global_size: 64 64
local_size: 8 8
arg_in:  0 buffer float[4096] repeat 0.5
arg_in:  1 buffer float[4096] repeat 1 2 3 4
arg_out: 2 buffer float[4096] repeat 32 64 96 128
arg_in:  3 int 64
arg_in:  4 int 64
arg_in:  5 int 64
!*/
/*
 * "After": the text's own bounds check mends it. The name is that of the
 * workload in the text's error message.
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
