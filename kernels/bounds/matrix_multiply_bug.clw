/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: matrix_multiply
global_size: 4 4		# 3 x 3, rounded up
local_size: 2 2
expect_finding: invalid-read global 40
expect_finding: invalid-write global 42
allow_finding: race
allow_finding: uninitialized-read
allow_finding: race global
allow_finding: host-uninitialized

[test]
arg_in:  0 buffer float[6] 1 2 3 4 5 6			# 3 x 2
arg_in:  1 buffer float[6] 1 0 2 0 1 3			# 2 x 3
arg_in:  2 buffer float[9] repeat -1
arg_out: 2 buffer float[9] 1 2 8 3 4 18 5 6 28
arg_in:  3 int 3
arg_in:  4 int 3
arg_in:  5 int 2
!*/
/*
 * The published matrix product, before its mending: row and col go to the rounded
 * global size. Beyond the last column it reads B's and writes C's next row, beyond
 * the last row it leaves the buffers.
 */
__kernel void matrix_multiply(
	__global float* A,
	__global float* B,
	__global float* C,
	int M, int N, int K) {

	int row = get_global_id(0);
	int col = get_global_id(1);

	// No bounds checking - dangerous
	float sum = 0.0f;
	for (int i = 0; i < K; i++) {
		sum += A[row * K + i] * B[i * N + col];	/* bug */
	}
	C[row * N + col] = sum;	/* bug */
}
