/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Five points of a plane, with its edges left out.
 * bench: stencil global=1024,1024 local=64,1 z:1048576 f:1048576 =1024 =1024
 */
__kernel void stencil(__global float *to, __global const float *from, int width,
		      int height)
{
	int x = get_global_id(0), y = get_global_id(1);

	if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1)
		return;
	int i = y * width + x;

	to[i] = 0.5f * from[i] + 0.125f * (from[i - 1] + from[i + 1] +
					   from[i - width] + from[i + width]);
}
