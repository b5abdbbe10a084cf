/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: transpose_small
global_size: 1
expect_finding: array-index private 27
expect_finding: invalid-write private 27
allow_finding: invalid-read private
allow_finding: array-index
allow_finding: uninitialized-read
allow_finding: host-uninitialized

[test]
arg_in:  0 buffer int[6] 1 2 3 4 5 6		# 2 x 3
arg_out: 1 buffer int[6] 1 4 2 5 3 6		# 3 x 2
!*/
/*
 * A private table of two rows of three, written as three rows of two: [0][2] is
 * right, [2][0] is a row that does not exist.
 */
kernel void transpose_small(global const int *input, global int *output)
{
	int table[2][3];

	for (int y = 0; y < 2; y++)
		for (int x = 0; x < 3; x++)
			table[x][y] = input[y * 3 + x];	/* bug */
	for (int i = 0; i < 6; i++)
		output[i] = table[i / 2][i % 2];
}
