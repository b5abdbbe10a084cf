/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: neighbours
global_size: 8
local_size: 8
timeout: 20s
expect_finding: divergence 19
allow_finding: race local
allow_finding: wrong-result

[test]
arg_in:  0 buffer int[8] 1 2 3 4 5 6 7 8
arg_out: 1 buffer int[8] 2 3 4 5 6 7 8 0
!*/
/* "?:" is an if, too. */
static int right_of(local int *values, int lid)
{
	barrier(CLK_LOCAL_MEM_FENCE);
	return values[(lid + 1) % 8];
}

kernel void neighbours(global const int *input, global int *output)
{
	local int values[8];
	int lid = get_local_id(0);

	values[lid] = input[lid];
	output[lid] = lid < 7 ? right_of(values, lid) : 0;
}
