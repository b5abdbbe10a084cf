/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: shift_groups
global_size: 16
local_size: 4

[test]
arg_in:  0 buffer int[16] 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15
arg_out: 1 buffer int[16] 5 6 7 8 9 10 11 12 13 14 15 16 1 2 3 4
!*/
/*
 * Twin of group_exchange_bug: a group computes what it needs of its
 * neighbour's part itself. The other way is a launch for each phase.
 */
kernel void shift_groups(global const int *input, global int *output)
{
	size_t gid = get_global_id(0);
	size_t next = (gid + get_local_size(0)) % get_global_size(0);

	output[gid] = input[next] + 1;
}
