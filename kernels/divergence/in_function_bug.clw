/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: largest_of_pairs
global_size: 8
local_size: 8
timeout: 20s
expect_finding: divergence 26
allow_finding: race local
allow_finding: uninitialized-read
allow_finding: wrong-result

[test]
arg_in:  0 buffer int[8] 1 5 4 3 9 2 6 7
arg_out: 1 buffer int[8] 5 0 4 0 9 0 7 0
!*/
/*
 * The barrier is in a function, and the kernel calls it for a part of the
 * group only. Neither looks wrong by itself.
 */
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

	if (lid % 2 == 0)
		output[lid] = max(input[lid], exchange(values, input[lid]));
	else
		output[lid] = 0;
}
