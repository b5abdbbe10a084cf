/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: fill
global_size: 8
local_size: 8

[test]
arg_in:  0 buffer int[8] repeat 0
arg_out: 0 buffer int[8] 1 2 1 2 1 2 1 2
!*/
/*
 * Twin of struct_copy_bug: different members of one struct, set in place by
 * different work-items, are different memory. No race.
 */
struct pair {
	int first, second;
};

kernel void fill(global struct pair *pairs)
{
	int gid = get_global_id(0);

	if (gid % 2 == 0)
		pairs[gid / 2].first = 1;
	else
		pairs[gid / 2].second = 2;
}
