/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: average_pairs
global_size: 8
local_size: 4

[test]
arg_in:  0 buffer int[8] 0 2 4 6 8 10 12 14
arg_out: 1 buffer int[8] 1 3 5 6 9 11 13 14
!*/
/* Twin of local_read_over_bug: the last of a group averages with itself. */
kernel void average_pairs(global const int *input, global int *output)
{
	local int tile[4];
	size_t lid = get_local_id(0);
	size_t next = min(lid + 1, get_local_size(0) - 1);

	tile[lid] = input[get_global_id(0)];
	barrier(CLK_LOCAL_MEM_FENCE);
	output[get_global_id(0)] = (tile[lid] + tile[next]) / 2;
}
