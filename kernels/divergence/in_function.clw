/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: largest_of_pairs
global_size: 8
local_size: 8

[test]
arg_in:  0 buffer int[8] 1 5 4 3 9 2 6 7
arg_out: 1 buffer int[8] 5 0 4 0 9 0 7 0
!*/
/* Twin of in_function_bug: all call it, half use what it returns. */
int exchange(local int *values, int value)
{
	size_t lid = get_local_id(0);

	values[lid] = value;
	barrier(CLK_LOCAL_MEM_FENCE);
	return values[lid ^ 1];
}

kernel void largest_of_pairs(global const int *input, global int *output)
{
	local int values[8];
	size_t lid = get_local_id(0);
	int other = exchange(values, input[lid]);

	output[lid] = lid % 2 == 0 ? max(input[lid], other) : 0;
}
