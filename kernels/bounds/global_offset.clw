/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: second_half
global_size: 4
global_offset: 4

[test]
arg_in:  0 buffer int[8] 0 1 2 3 4 5 6 7
arg_in:  1 buffer int[4] repeat -1
arg_out: 1 buffer int[4] 8 10 12 14
!*/
/* Twin of global_offset_bug: the offset is taken off again. */
kernel void second_half(global const int *input, global int *output)
{
	size_t gid = get_global_id(0);

	output[gid - get_global_offset(0)] = input[gid] * 2;
}
