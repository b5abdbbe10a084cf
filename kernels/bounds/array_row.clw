/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: transpose_small
global_size: 1

[test]
arg_in:  0 buffer int[6] 1 2 3 4 5 6		# 2 x 3
arg_out: 1 buffer int[6] 1 4 2 5 3 6		# 3 x 2
!*/
/* Twin of array_row_bug: rows first. */
kernel void transpose_small(global const int *input, global int *output)
{
	int table[3][2];

	for (int y = 0; y < 2; y++)
		for (int x = 0; x < 3; x++)
			table[x][y] = input[y * 3 + x];
	for (int i = 0; i < 6; i++)
		output[i] = table[i / 2][i % 2];
}
