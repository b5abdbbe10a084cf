/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: rounds
global_size: 8
local_size: 8
timeout: 20s
expect_finding: divergence 28
allow_finding: divergence
allow_finding: race local
allow_finding: wrong-result

[test]
arg_in:  0 buffer int[8] 1 2 3 4 5 6 7 8
arg_in:  1 buffer int[8] 3 3 3 3 3 2 3 3
arg_out: 2 buffer int[8] 4 5 6 7 8 1 2 3
!*/
/* The bound of the loop is data, and one work-item has another one. */
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
