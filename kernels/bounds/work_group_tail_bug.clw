/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: group_sums
global_size: 12
local_size: 4
expect_finding: invalid-write global 28

[test]
arg_in:  0 buffer int[12] repeat 1
arg_in:  1 buffer int[2] repeat 0
arg_out: 1 buffer int[2] 4 4
!*/
/*
 * One sum a work-group, and a host that divided 10 by 4 and rounded down: there
 * are three groups.
 */
kernel void group_sums(global const int *input, global int *sums)
{
	local int sum;

	if (get_local_id(0) == 0)
		sum = 0;
	barrier(CLK_LOCAL_MEM_FENCE);
	atomic_add(&sum, input[get_global_id(0)]);
	barrier(CLK_LOCAL_MEM_FENCE);
	if (get_local_id(0) == 0)
		sums[get_group_id(0)] = sum;	/* bug */
}
