/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: halvings
global_size: 8
local_size: 8

[test]
arg_in:  0 buffer int[8] 1 2 4 8 8 4 2 1
arg_out: 1 buffer int[8] 1 2 3 4 4 3 2 1
!*/
/* Twin of goto_bug: all go back as often. */
kernel void halvings(global const int *input, global int *output)
{
	local int left[8];
	int lid = get_local_id(0), trips = 0, round = 0;

	left[lid] = input[lid];
again:
	barrier(CLK_LOCAL_MEM_FENCE);
	trips += left[lid] > 0;
	left[lid] /= 2;
	if (++round < 4)
		goto again;
	output[lid] = trips;
}
