/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: halve
global_size: 16
local_size: 8

[test]
arg_in:  0 buffer int[16] 1 2 3 4 5 6 7 8 1 1 1 1 2 2 2 2
arg_out: 1 buffer int[16] 6 8 10 12 0 0 0 0 3 3 3 3 0 0 0 0
!*/
/* Twin of barrier_in_if_bug: the barrier stands before the if. */
kernel void halve(global const int *input, global int *output)
{
	local int values[8];
	size_t gid = get_global_id(0), lid = get_local_id(0);

	values[lid] = input[gid];
	output[gid] = 0;
	barrier(CLK_LOCAL_MEM_FENCE);
	if (lid < 4)
		output[gid] = values[lid] + values[lid + 4];
}
