/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: fill_rows
global_size: 4 3
expect_finding: invalid-write global 22

[test]
arg_in:  0 buffer int[18] repeat 0
arg_out: 0 buffer int[18] 0 1 2 3 0 0 10 11 12 13 0 0 20 21 22 23 0 0
arg_in:  1 uint 24		# bytes a row: 6 ints, 4 of them pixels
!*/
/*
 * The row pitch is in bytes, the pointer counts ints: rows lie four times too
 * far apart.
 */
kernel void fill_rows(global int *image, uint row_pitch)
{
	size_t x = get_global_id(0), y = get_global_id(1);
	global int *row = image + y * row_pitch;

	row[x] = y * 10 + x;	/* bug */
}
