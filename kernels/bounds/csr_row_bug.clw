/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: multiply_sparse
global_size: 3
expect_finding: invalid-read global 26
allow_finding: uninitialized-read
allow_finding: host-uninitialized

[test]
arg_in:  0 buffer int[3] 0 2 2
arg_in:  1 buffer int[3] 0 2 1
arg_in:  2 buffer int[3] 5 7 9
arg_in:  3 buffer int[3] 1 2 3
arg_out: 4 buffer int[3] 26 0 18
!*/
/*
 * A sparse matrix by rows has rows + 1 offsets; the host copied rows of them. The
 * last row ends where nobody knows.
 */
kernel void multiply_sparse(global const int *first, global const int *columns,
			    global const int *values, global const int *x,
			    global int *y)
{
	size_t row = get_global_id(0);
	int end = min(first[row + 1], 3);	/* bug */
	int sum = 0;

	for (int i = first[row]; i < end; i++)
		sum += values[i] * x[columns[i]];
	y[row] = sum;
}
