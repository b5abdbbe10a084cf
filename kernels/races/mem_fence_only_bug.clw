/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: pass_on
global_size: 16
local_size: 8
expect_finding: race local 27
allow_finding: uninitialized-read
allow_finding: wrong-result

[test]
arg_in:  0 buffer int[16] repeat 1 2 3 4 5 6 7 8
arg_out: 1 buffer int[16] repeat 3 5 7 9 11 13 15 9
!*/
/*
 * mem_fence() orders the accesses of one work-item; it makes nobody wait.
 * Here it stands where a barrier has to stand.
 */
kernel void pass_on(global const int *input, global int *output)
{
	local int scratch[8];
	size_t gid = get_global_id(0);
	size_t lid = get_local_id(0);

	scratch[lid] = input[gid];
	mem_fence(CLK_LOCAL_MEM_FENCE);
	output[gid] = input[gid] + scratch[(lid + 1) % 8];
}
