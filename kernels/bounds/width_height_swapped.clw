/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: coordinates
global_size: 2 5

[test]
arg_in:  0 buffer int[10] repeat -1
arg_out: 0 buffer int[10] 0 1 10 11 20 21 30 31 40 41
arg_in:  1 int 2
arg_in:  2 int 5
!*/
/* Twin of width_height_swapped_bug: rows are width elements apart. */
kernel void coordinates(global int *image, int width, int height)
{
	int x = get_global_id(0), y = get_global_id(1);

	if (x < width && y < height)
		image[y * width + x] = y * 10 + x;
}
