/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: multiply_padded
global_size: 3

[test]
arg_in:  0 buffer int[3] 2 0 1
arg_in:  1 buffer int[6] 0 0 2 1 0 0
arg_in:  2 buffer int[6] 5 0 9 7 0 0
arg_in:  3 buffer int[3] 1 2 3
arg_out: 4 buffer int[3] 19 0 27
arg_in:  5 int 3
!*/
/*
 * A sparse matrix whose rows are padded to one length and stored by columns. The
 * names of its variables are those of builtin functions.
 */
kernel void multiply_padded(global const int *lengths,
			    global const int *columns,
			    global const int *values, global const int *x,
			    global int *y, int rows)
{
	int min = (int)get_global_id(0), sum = 0;
	int max = lengths[min];

	for (int i = 0; i < max; i++) {
		int at = i * rows + min;

		sum += values[at] * x[columns[at]];
	}
	y[min] = sum;
}
