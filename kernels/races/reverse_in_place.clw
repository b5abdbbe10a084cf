/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: reverse
global_size: 8
local_size: 8

[test]
arg_in:  0 buffer int[8] 1 2 3 4 5 6 7 8
arg_out: 0 buffer int[8] 8 7 6 5 4 3 2 1
!*/
/*
 * Twin of reverse_in_place_bug: all read before the barrier, and write behind
 * it. That is enough because there is one group only.
 */
kernel void reverse(global int *data)
{
	size_t gid = get_global_id(0);
	size_t last = get_global_size(0) - 1;
	int value = data[gid];

	barrier(CLK_GLOBAL_MEM_FENCE);
	data[last - gid] = value;
}
