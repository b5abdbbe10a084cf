/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: blur
global_size: 16
local_size: 8
expect_finding: race local 30
allow_finding: wrong-result

[test]
arg_in:  0 buffer int[16] 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16
arg_out: 1 buffer int[16] 3 6 9 12 15 18 21 24 27 30 33 36 39 42 45 31
!*/
/*
 * A tile with a halo of one element on both sides. The tile is loaded before
 * the barrier, the halo behind it, so nobody waits for the halo.
 */
kernel void blur(global const int *input, global int *output)
{
	local int tile[10];
	int gid = get_global_id(0), lid = get_local_id(0);
	int last = get_global_size(0) - 1;

	tile[lid + 1] = input[gid];
	barrier(CLK_LOCAL_MEM_FENCE);
	if (lid == 0) {
		tile[0] = gid > 0 ? input[gid - 1] : 0;
		tile[9] = gid + 8 <= last ? input[gid + 8] : 0;
	}
	output[gid] = tile[lid] + tile[lid + 1] + tile[lid + 2];
}
