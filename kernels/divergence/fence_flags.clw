/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: choose_fence
global_size: 8
local_size: 8

[test]
arg_in:  0 buffer int[8] 1 2 3 4 5 6 7 8
arg_out: 1 buffer int[8] 2 3 4 5 6 7 8 1
!*/
/* Twin of fence_flags_bug: one flag for all. */
kernel void choose_fence(global const int *input, global int *output)
{
	local int values[8];
	size_t lid = get_local_id(0);

	values[lid] = input[lid];
	barrier(CLK_LOCAL_MEM_FENCE);
	output[lid] = values[(lid + 1) % 8];
}
