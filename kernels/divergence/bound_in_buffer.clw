/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: rounds
global_size: 8
local_size: 8

[test]
arg_in:  0 buffer int[8] 1 2 3 4 5 6 7 8
arg_in:  1 buffer int[8] 3 3 3 3 3 3 3 3
arg_out: 2 buffer int[8] 4 5 6 7 8 1 2 3
!*/
/* Twin of bound_in_buffer_bug: each has its own bound, and all are alike. */
kernel void rounds(global const int *input, global const int *counts,
		   global int *output)
{
	local int values[8];
	int lid = get_local_id(0);
	int count = counts[lid];

	values[lid] = input[lid];
	for (int i = 0; i < count; i++) {
		barrier(CLK_LOCAL_MEM_FENCE);
		int next = values[(lid + 1) % 8];

		barrier(CLK_LOCAL_MEM_FENCE);
		values[lid] = next;
	}
	output[lid] = values[lid];
}
