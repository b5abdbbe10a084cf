/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: add_left
global_size: 8
local_size: 4
expect_finding: invalid-read local 27
allow_finding: uninitialized-read
allow_finding: host-uninitialized

[test]
arg_in:  0 buffer int[8] 1 2 3 4 5 6 7 8
arg_out: 1 buffer int[8] 1 3 5 7 5 11 13 15
arg_in:  2 local int[4]
!*/
/*
 * The first work-item of a group reads in front of local memory: on a device
 * another kernel's leftovers.
 */
kernel void add_left(global const int *input, global int *output,
		     local int *tile)
{
	int lid = get_local_id(0);

	tile[lid] = input[get_global_id(0)];
	barrier(CLK_LOCAL_MEM_FENCE);
	output[get_global_id(0)] = tile[lid] + tile[lid - 1];	/* bug */
}
