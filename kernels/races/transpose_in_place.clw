/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: transpose
dimensions: 2
global_size: 4 4
local_size: 2 2

[test]
arg_in:  0 buffer int[16] 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15
arg_out: 0 buffer int[16] 0 4 8 12 1 5 9 13 2 6 10 14 3 7 11 15
!*/
/*
 * Twin of transpose_in_place_bug: one work-item exchanges both elements of a
 * pair, and nobody else touches them.
 */
kernel void transpose(global int *matrix)
{
	int x = get_global_id(0), y = get_global_id(1);

	if (x > y) {
		int upper = matrix[y * 4 + x];

		matrix[y * 4 + x] = matrix[x * 4 + y];
		matrix[x * 4 + y] = upper;
	}
}
