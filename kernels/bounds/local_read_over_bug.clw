/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: average_pairs
global_size: 8
local_size: 4
expect_finding: invalid-read local 27
expect_finding: array-index local 27
allow_finding: uninitialized-read
allow_finding: host-uninitialized

[test]
arg_in:  0 buffer int[8] 0 2 4 6 8 10 12 14
arg_out: 1 buffer int[8] 1 3 5 6 9 11 13 14
!*/
/*
 * A stencil over a tile without room for its halo: the last work-item of each
 * group reads behind the local array.
 */
kernel void average_pairs(global const int *input, global int *output)
{
	local int tile[4];
	size_t lid = get_local_id(0);

	tile[lid] = input[get_global_id(0)];
	barrier(CLK_LOCAL_MEM_FENCE);
	output[get_global_id(0)] = (tile[lid] + tile[lid + 1]) / 2;	/* bug */
}
