/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: first_negative
global_size: 4
local_size: 4
timeout: 20s
expect_finding: divergence 30
allow_finding: race local
allow_finding: uninitialized-read
allow_finding: wrong-result

[test]
arg_in:  0 buffer int[16] 1 -2 3 4  1 2 -3 4  -1 2 3 4  1 2 3 4
arg_out: 1 buffer int[4] 1 2 0 4
!*/
/*
 * The search ends with "break" for the work-item that has found something;
 * the rest of the group waits for it in the next trip.
 */
kernel void first_negative(global const int *input, global int *output)
{
	local int column[4];
	int lid = get_local_id(0), i;

	for (i = 0; i < 4; i++) {
		column[lid] = input[lid * 4 + i];
		if (column[lid] < 0)
			break;
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	output[lid] = i;
}
