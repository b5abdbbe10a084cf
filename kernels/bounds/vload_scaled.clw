/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: copy_by_four
global_size: 3

[test]
arg_in:  0 buffer int[12] 1 2 3 4 5 6 7 8 9 10 11 12
arg_in:  1 buffer int[12] repeat 0
arg_out: 1 buffer int[12] 1 2 3 4 5 6 7 8 9 10 11 12
!*/
/* Twin of vload_scaled_bug: the offset counts vectors. */
kernel void copy_by_four(global const int *input, global int *output)
{
	size_t at = get_global_id(0);
	int4 four = vload4(at, input);

	vstore4(four, at, output);
}
