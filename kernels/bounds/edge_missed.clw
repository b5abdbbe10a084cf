/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: gray
global_size: 24 12
local_size: 4 4

[test]
arg_in:  0 buffer uchar[231] repeat 7
arg_in:  1 buffer uchar[231] repeat 0
arg_out: 1 buffer uchar[231] repeat 14
arg_in:  2 int 21
arg_in:  3 int 11
!*/
/* Twin of edge_missed_bug: the width is rounded up. */
kernel void gray(global const uchar *input, global uchar *output, int width,
		 int height)
{
	int x = get_global_id(0), y = get_global_id(1);

	if (x < width && y < height)
		output[y * width + x] = input[y * width + x] * 2;
}
