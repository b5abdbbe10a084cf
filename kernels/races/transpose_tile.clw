/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: transpose
dimensions: 2
global_size: 4 4
local_size: 4 4

[test]
arg_in:  0 buffer int[16] 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15
arg_out: 1 buffer int[16] 0 4 8 12 1 5 9 13 2 6 10 14 3 7 11 15
!*/
/* Twin of transpose_tile_bug: a barrier between rows and columns. */
kernel void transpose(global const int *input, global int *output)
{
	local int tile[4][5];	/* one more: no bank conflicts */
	int x = get_local_id(0), y = get_local_id(1);

	tile[y][x] = input[y * 4 + x];
	barrier(CLK_LOCAL_MEM_FENCE);
	output[y * 4 + x] = tile[x][y];
}
