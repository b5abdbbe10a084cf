/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: first_four
global_size: 4

[test]
arg_in:  0 buffer int[64] repeat 1 2 3 4
arg_in:  1 buffer int[32] undefined alias 0 offset 128
arg_out: 2 buffer int[4] 1 2 3 4
!*/
/* Twin of sub_buffer_offset_bug: the offset is a multiple of 128 bytes. */
kernel void first_four(global const int *parent, global const int *part,
		       global int *output)
{
	output[get_global_id(0)] = part[get_global_id(0)];
}
