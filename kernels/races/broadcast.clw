/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: scale_by_first
global_size: 16
local_size: 8

[test]
arg_in:  0 buffer int[16] 3 1 2 3 4 5 6 7 2 1 2 3 4 5 6 7
arg_out: 1 buffer int[16] 9 3 6 9 12 15 18 21 4 2 4 6 8 10 12 14
!*/
/* Twin of broadcast_bug: a barrier before the value is used. */
kernel void scale_by_first(global const int *input, global int *output)
{
	local int factor;
	size_t gid = get_global_id(0);

	if (get_local_id(0) == 0)
		factor = input[gid];
	barrier(CLK_LOCAL_MEM_FENCE);
	output[gid] = input[gid] * factor;
}
