/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: columns
global_size: 4 4
local_size: 4 4
timeout: 20s
expect_finding: divergence 25
allow_finding: race local
allow_finding: uninitialized-read
allow_finding: wrong-result

[test]
arg_in:  0 buffer int[16] 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16
arg_out: 1 buffer int[4] 28 32 36 40
!*/
/* Whole rows of a group in two dimensions go without the barrier. */
kernel void columns(global const int *input, global int *sums)
{
	local int tile[4][4];
	int x = get_local_id(0), y = get_local_id(1);

	tile[y][x] = input[y * 4 + x];
	if (y < 1) {
		barrier(CLK_LOCAL_MEM_FENCE);
		sums[x] = tile[0][x] + tile[1][x] + tile[2][x] + tile[3][x];
	}
}
