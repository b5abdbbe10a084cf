/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: spread_left
global_size: 8
local_size: 8

[test]
arg_in:  0 buffer int[8] 1 2 3 4 5 6 7 8
arg_in:  1 buffer int[8] repeat 0 offset 128
arg_out: 1 buffer int[8] 2 3 4 5 6 7 8 0
!*/
/* Twin of sub_buffer_under_bug: the first work-item writes nothing. */
kernel void spread_left(global const int *input, global int *output)
{
	int gid = get_global_id(0);

	if (gid > 0)
		output[gid - 1] = input[gid];
}
