/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: prefix_sum
global_size: 8
local_size: 8

[test]
arg_in:  0 buffer int[8] 1 2 3 4 5 6 7 8
arg_out: 1 buffer int[8] 1 3 6 10 15 21 28 36
!*/
/*
 * Twin of scan_in_place_bug: what a step reads is taken into a private
 * variable, and a barrier stands before it is written.
 */
kernel void prefix_sum(global const int *input, global int *output)
{
	local int sums[8];
	size_t lid = get_local_id(0);

	sums[lid] = input[lid];
	barrier(CLK_LOCAL_MEM_FENCE);
	for (size_t step = 1; step < 8; step *= 2) {
		int before = lid >= step ? sums[lid - step] : 0;

		barrier(CLK_LOCAL_MEM_FENCE);
		sums[lid] += before;
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	output[lid] = sums[lid];
}
