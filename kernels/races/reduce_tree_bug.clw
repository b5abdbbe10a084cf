/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: sum
global_size: 16
local_size: 8
expect_finding: race local 27
allow_finding: wrong-result

[test]
arg_in:  0 buffer int[16] 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16
arg_out: 1 buffer int[2] 36 100
arg_in:  2 local int[8]
!*/
/*
 * The elements are loaded behind a barrier, but the steps of the reduction
 * are not: a step reads sums that the step before may still be writing.
 */
kernel void sum(global const int *input, global int *sums, local int *partial)
{
	size_t lid = get_local_id(0);

	partial[lid] = input[get_global_id(0)];
	barrier(CLK_LOCAL_MEM_FENCE);
	for (size_t step = get_local_size(0) / 2; step > 0; step /= 2) {
		if (lid < step)
			partial[lid] += partial[lid + step];
	}
	if (lid == 0)
		sums[get_group_id(0)] = partial[0];
}
