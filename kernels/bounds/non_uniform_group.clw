/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: brighten
global_size: 24 12
local_size: 4 4

[test]
arg_in:  0 buffer uchar[231] repeat 7
arg_out: 0 buffer uchar[231] repeat 8
arg_in:  1 int 21
arg_in:  2 int 11
!*/
/* Twin of non_uniform_group_bug: rounded up, and the bounds are tested. */
kernel void brighten(global uchar *image, int width, int height)
{
	int x = get_global_id(0), y = get_global_id(1);

	if (x < width && y < height)
		image[y * width + x]++;
}
