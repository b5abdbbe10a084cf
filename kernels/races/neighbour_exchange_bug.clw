/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: add_neighbour
global_size: 16
local_size: 8
expect_finding: race global 27
allow_finding: wrong-result

[test]
arg_in:  0 buffer int[16] repeat 0
arg_out: 0 buffer int[16] 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15
arg_out: 1 buffer int[16] 1 2 3 4 5 6 7 0 9 10 11 12 13 14 15 8
!*/
/*
 * The work-items of a group exchange values through global memory, and the
 * barrier between has the flag of local memory only.
 */
kernel void add_neighbour(global int *posted, global int *received)
{
	size_t gid = get_global_id(0);
	size_t size = get_local_size(0);
	size_t first = get_group_id(0) * size;

	posted[gid] = (int)gid;
	barrier(CLK_LOCAL_MEM_FENCE);
	received[gid] = posted[first + (get_local_id(0) + 1) % size];
}
