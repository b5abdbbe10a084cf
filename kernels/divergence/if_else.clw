/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: swap_halves
global_size: 8
local_size: 8
build_options: -cl-opt-disable

[test]
arg_in:  0 buffer int[8] 1 2 3 4 5 6 7 8
arg_out: 1 buffer int[8] 5 6 7 8 -1 -2 -3 -4
!*/
/* Twin of if_else_bug: one barrier for both. */
kernel void swap_halves(global const int *input, global int *output)
{
	local int values[8];
	size_t lid = get_local_id(0);

	values[lid] = input[lid];
	barrier(CLK_LOCAL_MEM_FENCE);
	if (lid < 4)
		output[lid] = values[lid + 4];
	else
		output[lid] = -values[lid - 4];
}
