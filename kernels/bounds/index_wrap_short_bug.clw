/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: crop
dimensions: 2
global_size: 4 2
global_offset: 0 200
expect_finding: invalid-read global 26
allow_finding: uninitialized-read
allow_finding: host-uninitialized

[test]
arg_in:  0 buffer uchar[33000] repeat 0 1 2 3
arg_in:  1 int 164
arg_out: 2 buffer uchar[8] 0 1 2 3 0 1 2 3
!*/
/*
 * A row and a column fit a short, their pixel's number does not: row 200 of 164
 * pixels begins at 32,800, which is -32,736 as a short.
 */
kernel void crop(global const uchar *image, int width, global uchar *output)
{
	size_t x = get_global_id(0), y = get_global_id(1);
	short pixel = y * width + x;

	output[(y - 200) * 4 + x] = image[pixel];	/* bug */
}
