/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: copy_rows
global_size: 3 2

[test]
arg_in:  0 buffer int[8] 1 2 3 -9 4 5 6 -9	# rows of 3, padded to 4
arg_in:  1 uint 3
arg_in:  2 uint 4
arg_out: 3 buffer int[6] 1 2 3 4 5 6
!*/
/* Twin of pitch_padding_bug: the input's rows lie a pitch apart. */
kernel void copy_rows(global const int *input, uint width, uint pitch,
		      global int *output)
{
	size_t x = get_global_id(0), y = get_global_id(1);

	output[y * width + x] = input[y * pitch + x];
}
