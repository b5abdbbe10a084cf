/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: keep_odd
global_size: 16
local_size: 4

[test]
arg_in:  0 buffer int[16] 0 7 2 7 4 7 6 7 8 7 10 7 12 7 14 7
arg_in:  1 buffer int[16] repeat 0
arg_out: 1 buffer int[16] 7 7 7 7 7 7 7 7 0 0 0 0 0 0 0 0
arg_in:  2 buffer int[1] 0
arg_out: 2 buffer int[1] 8
!*/
/*
 * Twin of append_bug: atomic_inc() gives each work-item a place of its own.
 * The order of the list is not fixed; that is why all elements are alike.
 */
kernel void keep_odd(global const int *input, global int *list,
		     global int *count)
{
	int value = input[get_global_id(0)];

	if (value % 2)
		list[atomic_inc(count)] = value;
}
