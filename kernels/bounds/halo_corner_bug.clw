/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: neighbours
global_size: 3 3
local_size: 3 3
expect_finding: invalid-read global 29
allow_finding: uninitialized-read
allow_finding: host-uninitialized

[test]
arg_in:  0 buffer int[9] repeat 1
arg_out: 1 buffer int[9] 4 6 4 6 9 6 4 6 4
!*/
/*
 * A 3 x 3 neighbourhood whose test asks about rows only. Left and right of the
 * image are the ends of other rows, which are valid addresses: only the corners
 * leave the buffer, everything else is silently wrong.
 */
kernel void neighbours(global const int *input, global int *output)
{
	int x = get_global_id(0), y = get_global_id(1);
	int width = get_global_size(0), height = get_global_size(1);
	int sum = 0;

	for (int ny = y - 1; ny <= y + 1; ny++)
		for (int nx = x - 1; nx <= x + 1; nx++)
			if (ny >= 0 && ny < height)
				sum += input[ny * width + nx];	/* bug */
	output[y * width + x] = sum;
}
