/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: spread_minimum
global_size: 8
local_size: 8

[test]
arg_in:  0 buffer int[8] 8 7 6 5 4 3 2 1
arg_out: 1 buffer int[8] repeat 1
!*/
/*
 * Twin of converge_flag_bug: all read the flag into a private variable, and a
 * barrier stands before it is cleared again.
 */
kernel void spread_minimum(global const int *input, global int *output)
{
	local int labels[8];
	local int changed;
	int lid = get_local_id(0);
	int round = 0, again;

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
		again = changed;
		barrier(CLK_LOCAL_MEM_FENCE);
	} while (again && ++round < 16);
	output[lid] = labels[lid];
}
