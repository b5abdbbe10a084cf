/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: clear_part
global_size: 32
local_size: 8

[test]
arg_in:  0 buffer int[96] repeat 5
arg_in:  1 buffer int[32] undefined alias 0 offset 128
arg_out: 0 buffer int[96] \
	5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 \
	0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 \
	5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5
!*/
/* Twin of sub_buffer_over_bug: as many work-items as elements. */
kernel void clear_part(global const int *parent, global int *part)
{
	part[get_global_id(0)] = 0;
}
