/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: powers
global_size: 8
local_size: 8

[test]
arg_in:  0 buffer int[8] 1 2 3 2 1 3 2 1
arg_out: 1 buffer int[8] 2 4 8 4 2 8 4 2
!*/
/*
 * Twin of trip_count_bug: all take as many trips as the longest needs, known
 * to all alike; who is through does nothing in the rest.
 */
kernel void powers(global const int *input, global int *output)
{
	local int values[8];
	size_t lid = get_local_id(0);

	values[lid] = 1;
	for (int i = 0; i < 3; i++) {
		if (i < input[lid])
			values[lid] *= 2;
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	output[lid] = values[lid];
}
