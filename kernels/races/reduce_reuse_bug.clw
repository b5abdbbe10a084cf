/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: center
global_size: 16
local_size: 8
expect_finding: race local 31
allow_finding: wrong-result

[test]
arg_in:  0 buffer int[16] 1 2 3 4 5 6 7 8 0 0 0 0 8 8 8 8
arg_out: 1 buffer int[16] 7 7 7 7 7 7 7 7 8 8 8 8 8 8 8 8
arg_in:  2 local int[8]
!*/
/*
 * Largest minus smallest, by two reductions in one piece of local memory. The
 * second loads its elements while slow work-items still read the result of
 * the first: a barrier is missing between the two phases.
 */
int reduce(local int *partial, int value, int sign)
{
	size_t lid = get_local_id(0);

	partial[lid] = sign * value;
	barrier(CLK_LOCAL_MEM_FENCE);
	for (size_t step = get_local_size(0) / 2; step > 0; step /= 2) {
		if (lid < step)
			partial[lid] = max(partial[lid], partial[lid + step]);
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	return sign * partial[0];
}

kernel void center(global const int *input, global int *range,
		   local int *partial)
{
	size_t gid = get_global_id(0);
	int largest = reduce(partial, input[gid], 1);
	int smallest = reduce(partial, input[gid], -1);

	range[gid] = largest - smallest;
}
