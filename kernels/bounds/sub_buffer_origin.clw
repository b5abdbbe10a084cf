/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: set_part
global_size: 32

[test]
arg_in:  0 buffer int[64] repeat 5
arg_in:  1 buffer int[32] undefined alias 0 offset 128
arg_in:  2 uint 32			# the part's first element in the whole
arg_out: 0 buffer int[64] \
	5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 \
	9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9
!*/
/* Twin of sub_buffer_origin_bug: the sub-buffer begins at element 0. */
kernel void set_part(global const int *parent, global int *part, uint origin)
{
	part[get_global_id(0)] = 9;
}
