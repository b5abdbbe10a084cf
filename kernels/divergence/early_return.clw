/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: mean_of_group
global_size: 16
local_size: 8

[test]
arg_in:  0 buffer int[12] 1 2 3 4 5 6 7 12 4 4 4 8
arg_out: 1 buffer int[2] 40 20
arg_in:  2 int 12
!*/
/*
 * Twin of early_return_bug: who is behind the end loads a neutral value and
 * goes on to every barrier.
 */
kernel void mean_of_group(global const int *input, global int *sums,
			  int count)
{
	local int partial[8];
	int gid = get_global_id(0), lid = get_local_id(0);

	partial[lid] = gid < count ? input[gid] : 0;
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int step = 4; step > 0; step /= 2) {
		if (lid < step)
			partial[lid] += partial[lid + step];
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	if (lid == 0)
		sums[get_group_id(0)] = partial[0];
}
