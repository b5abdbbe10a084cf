/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: halve
global_size: 16
local_size: 8
timeout: 20s
expect_finding: divergence 29
allow_finding: race local
allow_finding: wrong-result

[test]
arg_in:  0 buffer int[16] 1 2 3 4 5 6 7 8 1 1 1 1 2 2 2 2
arg_out: 1 buffer int[16] 6 8 10 12 0 0 0 0 3 3 3 3 0 0 0 0
!*/
/*
 * The barrier is inside of the if: half of the group waits, the other half
 * never comes. A GPU may hang, or let the barrier count the wrong arrivals;
 * pocl 3.1 makes code of it that crashes.
 */
kernel void halve(global const int *input, global int *output)
{
	local int values[8];
	size_t gid = get_global_id(0), lid = get_local_id(0);

	values[lid] = input[gid];
	output[gid] = 0;
	if (lid < 4) {
		barrier(CLK_LOCAL_MEM_FENCE);
		output[gid] = values[lid] + values[lid + 4];
	}
}
