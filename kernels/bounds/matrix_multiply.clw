/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: matrix_multiply
global_size: 4 4		# 3 x 3, rounded up
local_size: 2 2

[test]
arg_in:  0 buffer float[6] 1 2 3 4 5 6			# 3 x 2
arg_in:  1 buffer float[6] 1 0 2 0 1 3			# 2 x 3
arg_in:  2 buffer float[9] repeat -1
arg_out: 2 buffer float[9] 1 2 8 3 4 18 5 6 28
arg_in:  3 int 3
arg_in:  4 int 3
arg_in:  5 int 2
!*/
/* Twin of matrix_multiply_bug: the published product after its mending. */
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
