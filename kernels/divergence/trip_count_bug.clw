/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: powers
global_size: 8
local_size: 8
timeout: 20s
expect_finding: divergence 28
allow_finding: race local
allow_finding: wrong-result

[test]
arg_in:  0 buffer int[8] 1 2 3 2 1 3 2 1
arg_out: 1 buffer int[8] 2 4 8 4 2 8 4 2
!*/
/*
 * A barrier in a loop whose trip count depends on the work-item's own data:
 * those that are through do not come any more.
 */
kernel void powers(global const int *input, global int *output)
{
	local int values[8];
	size_t lid = get_local_id(0);

	values[lid] = 1;
	for (int i = 0; i < input[lid]; i++) {
		values[lid] *= 2;
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	output[lid] = values[lid];
}
