/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: row_sums
global_size: 2
expect_finding: uninitialized-read 22
allow_finding: host-uninitialized

[test]
arg_in:  0 buffer int[8] 1 2 3 4 5 6 7 8
arg_in:  1 int 4
arg_out: 2 buffer int[2] 10 26
!*/
/* A sum that begins with whatever the register holds. */
kernel void row_sums(global const int *input, int width, global int *sums)
{
	size_t row = get_global_id(0);
	int sum;

	for (int i = 0; i < width; i++)
		sum += input[row * width + i];
	sums[row] = sum;	/* bug */
}
