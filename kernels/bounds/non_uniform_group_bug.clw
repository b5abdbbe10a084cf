/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: brighten
global_size: 21 11		# not a multiple of the local size
local_size: 4 4
expect_finding: api-error

[test]
arg_in:  0 buffer uchar[231] repeat 7
arg_out: 0 buffer uchar[231] repeat 8
arg_in:  1 int 21
arg_in:  2 int 11
!*/
/*
 * A published mistake: a global size that the local size does not divide (1921 x
 * 1081 by 16 x 16 there). It is no access out of bounds, as the text says: OpenCL
 * C 1.x refuses the launch with CL_INVALID_WORK_GROUP_SIZE.
 */
kernel void brighten(global uchar *image, int width, int height)
{
	int x = get_global_id(0), y = get_global_id(1);

	if (x < width && y < height)
		image[y * width + x]++;
}
