/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: difference
global_size: 16
local_size: 8

[test]
arg_in:  0 buffer int[16] 1 4 9 16 25 36 49 64 0 1 3 6 10 15 21 28
arg_out: 1 buffer int[16] 3 5 7 9 11 13 15 -63 1 2 3 4 5 6 7 -28
!*/
/* Twin of volatile_only_bug: a barrier, and no "volatile". */
kernel void difference(global const int *input, global int *output)
{
	local int scratch[8];
	size_t gid = get_global_id(0);
	size_t lid = get_local_id(0);

	scratch[lid] = input[gid];
	barrier(CLK_LOCAL_MEM_FENCE);
	output[gid] = scratch[(lid + 1) % 8] - input[gid];
}
