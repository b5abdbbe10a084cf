/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: row_sums
global_size: 2

[test]
arg_in:  0 buffer int[8] 1 2 3 4 5 6 7 8
arg_in:  1 int 4
arg_out: 2 buffer int[2] 10 26
!*/
/* Twin of private_sum_bug: it begins with 0. */
kernel void row_sums(global const int *input, int width, global int *sums)
{
	size_t row = get_global_id(0);
	int sum = 0;

	for (int i = 0; i < width; i++)
		sum += input[row * width + i];
	sums[row] = sum;
}
