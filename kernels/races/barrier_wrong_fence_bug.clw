/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: reverse_group
global_size: 16
local_size: 8
expect_finding: race local 28
allow_finding: wrong-result

[test]
arg_in:  0 buffer int[16] 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15
arg_out: 1 buffer int[16] 7 6 5 4 3 2 1 0 15 14 13 12 11 10 9 8
arg_in:  2 local int[8]
!*/
/*
 * There is a barrier, but with the flag of the other memory: the work-items
 * wait for each other, their stores to local memory need not be visible. Most
 * drivers fence both and hide it; oclgrind takes the flag at its word.
 */
kernel void reverse_group(global const int *input, global int *output,
			  local int *scratch)
{
	size_t gid = get_global_id(0);
	size_t lid = get_local_id(0);

	scratch[lid] = input[gid];
	barrier(CLK_GLOBAL_MEM_FENCE);
	output[gid] = scratch[get_local_size(0) - 1 - lid];
}
