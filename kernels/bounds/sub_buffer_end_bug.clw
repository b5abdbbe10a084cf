/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: number_part
global_size: 36
local_size: 4
expect_finding: invalid-write global 23

[test]
arg_in:  0 buffer int[64] repeat 5
arg_in:  1 buffer int[32] undefined alias 0 offset 128
arg_out: 0 buffer int[64] \
	5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 \
	0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 \
	26 27 28 29 30 31
!*/
/*
 * The sub-buffer is the end of its parent: what is written past it is past the
 * parent, too, and that oclgrind sees.
 */
kernel void number_part(global const int *parent, global int *part)
{
	part[get_global_id(0)] = get_global_id(0);	/* bug */
}
