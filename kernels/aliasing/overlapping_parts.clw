/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: shift_parts
global_size: 64
local_size: 16

[test]
arg_in:  0 buffer int[160] repeat 1
arg_in:  1 buffer int[64] undefined alias 0 offset 0
arg_in:  2 buffer int[64] undefined alias 0 offset 384
arg_out: 2 buffer int[64] repeat 2
!*/
/* Twin of overlapping_parts_bug: the parts lie side by side. */
kernel void shift_parts(global const int *parent, global const int *from,
			global int *to)
{
	size_t gid = get_global_id(0);

	to[gid] = from[gid] + 1;
}
