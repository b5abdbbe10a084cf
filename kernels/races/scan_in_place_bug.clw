/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: prefix_sum
global_size: 8
local_size: 8
expect_finding: race local 28
allow_finding: wrong-result

[test]
arg_in:  0 buffer int[8] 1 2 3 4 5 6 7 8
arg_out: 1 buffer int[8] 1 3 6 10 15 21 28 36
!*/
/*
 * Prefix sum after Hillis and Steele with one buffer: in each step a
 * work-item adds an element that another changes in the same step. The
 * barrier behind the step comes too late.
 */
kernel void prefix_sum(global const int *input, global int *output)
{
	local int sums[8];
	size_t lid = get_local_id(0);

	sums[lid] = input[lid];
	barrier(CLK_LOCAL_MEM_FENCE);
	for (size_t step = 1; step < 8; step *= 2) {
		if (lid >= step)
			sums[lid] += sums[lid - step];
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	output[lid] = sums[lid];
}
