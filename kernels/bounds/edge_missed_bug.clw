/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: gray
global_size: 20 12		# what "aligned" gave: too narrow
local_size: 4 4
expect_finding: wrong-result

[test]
arg_in:  0 buffer uchar[231] repeat 7
arg_in:  1 buffer uchar[231] repeat 0
arg_out: 1 buffer uchar[231] repeat 14
arg_in:  2 int 21
arg_in:  3 int 11
!*/
/*
 * Bounds are tested, but the width was rounded down (the published 1921 to 1920;
 * here 21 to 20): the last column is never written. No tool that looks at
 * addresses can see what is not done, only the result tells.
 */
kernel void gray(global const uchar *input, global uchar *output, int width,
		 int height)
{
	int x = get_global_id(0), y = get_global_id(1);

	if (x < width && y < height)
		output[y * width + x] = input[y * width + x] * 2;
}
