/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: shift_groups
global_size: 16
local_size: 4
expect_finding: race global 28
allow_finding: wrong-result

[test]
arg_in:  0 buffer int[16] 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15
arg_in:  1 buffer int[16] repeat 0
arg_out: 2 buffer int[16] 5 6 7 8 9 10 11 12 13 14 15 16 1 2 3 4
!*/
/*
 * A barrier makes the work-items of one group wait, never those of another,
 * whatever its flag. Here a group reads behind it what the next group stores
 * before it.
 */
kernel void shift_groups(global const int *input, global int *between,
			 global int *output)
{
	size_t gid = get_global_id(0);
	size_t next = (gid + get_local_size(0)) % get_global_size(0);

	between[gid] = input[gid] + 1;
	barrier(CLK_GLOBAL_MEM_FENCE);
	output[gid] = between[next];
}
