/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: diagonal
dimensions: 2
global_size: 4 4
local_size: 4 4
expect_finding: uninitialized-read 28
allow_finding: host-uninitialized

[test]
arg_in:  0 buffer int[16] 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1
arg_out: 1 buffer int[16] 2 2 2 1 2 2 2 1 2 2 2 1 1 1 1 1
!*/
/*
 * A tile of 5 x 5 with a halo on the right and below: the edges are filled, the
 * corner and the last row are forgotten.
 */
kernel void diagonal(global const int *input, global int *output)
{
	local int tile[5][5];
	int x = get_local_id(0), y = get_local_id(1);

	tile[y][x] = input[y * 4 + x];
	if (x == 3)
		tile[y][4] = 0;
	barrier(CLK_LOCAL_MEM_FENCE);
	output[y * 4 + x] = tile[y][x] + tile[y + 1][x + 1];	/* bug */
}
