/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: coordinates
global_size: 2 5
expect_finding: invalid-write global 24
allow_finding: race

[test]
arg_in:  0 buffer int[10] repeat -1
arg_out: 0 buffer int[10] 0 1 10 11 20 21 30 31 40 41
arg_in:  1 int 2
arg_in:  2 int 5
!*/
/*
 * Rows are height elements apart: as long as images are square nobody sees it; a
 * tall one is left by the end.
 */
kernel void coordinates(global int *image, int width, int height)
{
	int x = get_global_id(0), y = get_global_id(1);

	if (x < width && y < height)
		image[y * height + x] = y * 10 + x;	/* bug */
}
