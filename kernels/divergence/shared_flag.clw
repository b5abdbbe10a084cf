/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: until_zero
global_size: 8
local_size: 8

[test]
arg_in:  0 buffer int[8] 3 1 4 1 5 2 2 3
arg_out: 1 buffer int[8] 5 5 5 5 5 5 5 5
!*/
/* Twin of shared_flag_bug: all read one flag, between two barriers. */
kernel void until_zero(global const int *input, global int *output)
{
	local int busy;
	int lid = get_local_id(0), mine = input[lid], trips = 0;

	for (;;) {
		barrier(CLK_LOCAL_MEM_FENCE);
		if (lid == 0)
			busy = 0;
		barrier(CLK_LOCAL_MEM_FENCE);
		if (mine > 0)
			atomic_or(&busy, 1);
		barrier(CLK_LOCAL_MEM_FENCE);
		if (!busy)
			break;
		mine--;
		trips++;
	}
	output[lid] = trips;
}
