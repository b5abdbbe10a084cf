/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: rotate_group
global_size: 8
local_size: 4

[test]
arg_in:  0 buffer int[8] 0 1 2 3 4 5 6 7
arg_out: 1 buffer int[8] 3 0 1 2 7 4 5 6
arg_in:  2 local int[4]
!*/
/* Twin of local_write_over_bug: the place is taken modulo the group's size. */
kernel void rotate_group(global const int *input, global int *output,
			 local int *scratch)
{
	size_t lid = get_local_id(0);

	scratch[(lid + 1) % get_local_size(0)] = input[get_global_id(0)];
	barrier(CLK_LOCAL_MEM_FENCE);
	output[get_global_id(0)] = scratch[lid];
}
