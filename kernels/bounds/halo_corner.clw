/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: neighbours
global_size: 3 3
local_size: 3 3

[test]
arg_in:  0 buffer int[9] repeat 1
arg_out: 1 buffer int[9] 4 6 4 6 9 6 4 6 4
!*/
/* Twin of halo_corner_bug: rows and columns are tested. */
kernel void neighbours(global const int *input, global int *output)
{
	int x = get_global_id(0), y = get_global_id(1);
	int width = get_global_size(0), height = get_global_size(1);
	int sum = 0;

	for (int ny = y - 1; ny <= y + 1; ny++)
		for (int nx = x - 1; nx <= x + 1; nx++)
			if (ny >= 0 && ny < height && nx >= 0 && nx < width)
				sum += input[ny * width + nx];
	output[y * width + x] = sum;
}
