/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: copy_half
global_size: 32
[test]
arg_in:  0 buffer int[64] repeat 1 2 3 4
arg_in:  1 buffer int[32] undefined alias 0 offset 0
arg_in:  2 buffer int[32] undefined alias 0 offset 128
arg_out: 2 buffer int[32] repeat 10 20 30 40
!*/
/*
 * Clean, and without a twin: sub-buffers of one parent that touch and do not
 * overlap.
 */
kernel void copy_half(global const int *parent, global const int *from,
		      global int *to)
{
	to[get_global_id(0)] = from[get_global_id(0)] * 10;
}
