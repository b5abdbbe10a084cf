/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: by_role
global_size: 8
local_size: 8
timeout: 20s
expect_finding: divergence 29
allow_finding: race local
allow_finding: uninitialized-read
allow_finding: wrong-result

[test]
arg_in:  0 buffer int[8] 1 2 3 4 5 6 7 8
arg_out: 1 buffer int[8] 8 2 6 4 4 6 2 8
!*/
/*
 * Roles by a switch: producers, consumers, and the producers' case has the
 * barrier that the consumers should wait at.
 */
kernel void by_role(global const int *input, global int *output)
{
	local int values[8];
	size_t lid = get_local_id(0);

	switch (lid % 2) {
	case 0:
		values[lid] = input[7 - lid];
		barrier(CLK_LOCAL_MEM_FENCE);
		output[lid] = values[lid];
		break;
	default:
		output[lid] = input[lid];
		break;
	}
}
