/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: mean_of_group
global_size: 16
local_size: 8
timeout: 20s
expect_finding: divergence 33
allow_finding: divergence
allow_finding: race local
allow_finding: uninitialized-read
allow_finding: invalid-read global 32

[test]
arg_in:  0 buffer int[12] 1 2 3 4 5 6 7 12 4 4 4 8
arg_out: 1 buffer int[2] 40 20
arg_in:  2 int 12
!*/
/*
 * The guard that everybody writes first: work-items behind the end of the
 * data return. In the last group, which is not full, they are missing at the
 * barrier. With sizes that are a multiple of the group's it never shows.
 */
kernel void mean_of_group(global const int *input, global int *sums,
			  int count)
{
	local int partial[8];
	int gid = get_global_id(0), lid = get_local_id(0);

	if (gid >= count)
		return;
	partial[lid] = input[gid];
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int step = 4; step > 0; step /= 2) {
		if (lid < step && gid + step < count)
			partial[lid] += partial[lid + step];
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	if (lid == 0)
		sums[get_group_id(0)] = partial[0];
}
