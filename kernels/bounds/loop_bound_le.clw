/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: row_sums
global_size: 3

[test]
arg_in:  0 buffer int[12] 1 2 3 4 5 6 7 8 9 10 11 12
arg_out: 1 buffer int[3] 10 26 42
arg_in:  2 int 4
!*/
/* Twin of loop_bound_le_bug: width turns. */
kernel void row_sums(global const int *input, global int *sums, int width)
{
	size_t row = get_global_id(0);
	int sum = 0;

	for (int i = 0; i < width; i++)
		sum += input[row * width + i];
	sums[row] = sum;
}
