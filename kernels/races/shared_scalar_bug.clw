/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: keep_for_later
global_size: 16
local_size: 8
expect_finding: race local 24
allow_finding: wrong-result

[test]
arg_in:  0 buffer int[16] 5 9 2 7 1 1 8 3 4 4 6 0 2 8 5 7
arg_out: 1 buffer int[16] 10 18 4 14 2 2 16 6 8 8 12 0 4 16 10 14
!*/
/*
 * A variable that each work-item needs for itself is declared local, so the
 * whole group has one of it. Every work-item overwrites it; after the barrier
 * all see the last value.
 */
kernel void keep_for_later(global const int *input, global int *output)
{
	local int mine;
	size_t gid = get_global_id(0);

	mine = input[gid];
	barrier(CLK_LOCAL_MEM_FENCE);
	output[gid] = 2 * mine;
}
