/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: spread_minimum
global_size: 8
local_size: 8
expect_finding: race local 42
allow_finding: wrong-result
allow_finding: divergence

[test]
arg_in:  0 buffer int[8] 8 7 6 5 4 3 2 1
arg_out: 1 buffer int[8] repeat 1
!*/
/*
 * Repeat until nothing changes. The flag is cleared for the next round while
 * slow work-items have not yet looked at it: they leave the loop, the others
 * go on, and wait in a barrier for those that left.
 */
kernel void spread_minimum(global const int *input, global int *output)
{
	local int labels[8];
	local int changed;
	int lid = get_local_id(0);
	int round = 0;

	labels[lid] = input[lid];
	do {
		int own, right;

		if (lid == 0)
			changed = 0;
		barrier(CLK_LOCAL_MEM_FENCE);
		own = labels[lid];
		right = lid < 7 ? labels[lid + 1] : own;
		barrier(CLK_LOCAL_MEM_FENCE);
		if (right < own) {
			labels[lid] = right;
			changed = 1;
		}
		barrier(CLK_LOCAL_MEM_FENCE);
	} while (changed && ++round < 16);
	output[lid] = labels[lid];
}
