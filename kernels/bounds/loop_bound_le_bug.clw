/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: row_sums
global_size: 3
expect_finding: invalid-read global 25
allow_finding: uninitialized-read
allow_finding: host-uninitialized

[test]
arg_in:  0 buffer int[12] 1 2 3 4 5 6 7 8 9 10 11 12
arg_out: 1 buffer int[3] 10 26 42
arg_in:  2 int 4
!*/
/*
 * <= instead of <: every row's sum takes in the first element of the next, and
 * the last row's what is behind the buffer.
 */
kernel void row_sums(global const int *input, global int *sums, int width)
{
	size_t row = get_global_id(0);
	int sum = 0;

	for (int i = 0; i <= width; i++)
		sum += input[row * width + i];	/* bug */
	sums[row] = sum;
}
