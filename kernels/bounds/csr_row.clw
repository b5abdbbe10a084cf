/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: multiply_sparse
global_size: 3

[test]
arg_in:  0 buffer int[4] 0 2 2 3			# first of each row, and the end
arg_in:  1 buffer int[3] 0 2 1
arg_in:  2 buffer int[3] 5 7 9
arg_in:  3 buffer int[3] 1 2 3
arg_out: 4 buffer int[3] 26 0 18
!*/
/* Twin of csr_row_bug: the end of the last row is there. */
kernel void multiply_sparse(global const int *first, global const int *columns,
			    global const int *values, global const int *x,
			    global int *y)
{
	size_t row = get_global_id(0);
	int end = min(first[row + 1], 3);
	int sum = 0;

	for (int i = first[row]; i < end; i++)
		sum += values[i] * x[columns[i]];
	y[row] = sum;
}
