/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: rotate_group
global_size: 16
local_size: 8

[test]
arg_in:  0 buffer int[16] 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15
arg_out: 1 buffer int[16] 1 2 3 4 5 6 7 0 9 10 11 12 13 14 15 8
arg_in:  2 local int[8]
!*/
/* Twin of barrier_missing_bug: a barrier between the store and the read. */
kernel void rotate_group(global const int *input, global int *output,
			 local int *scratch)
{
	size_t gid = get_global_id(0);
	size_t lid = get_local_id(0);

	scratch[lid] = input[gid];
	barrier(CLK_LOCAL_MEM_FENCE);
	output[gid] = scratch[(lid + 1) % get_local_size(0)];
}
