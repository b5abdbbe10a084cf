/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The same by tiles in local memory.
 * bench: matrix_tiled global=256,256 local=16,16 z:65536 f:65536 f:65536 =256
 */
#define TILE 16

__kernel void matrix_tiled(__global float *c, __global const float *a,
			   __global const float *b, int n)
{
	__local float as[TILE][TILE], bs[TILE][TILE];
	int lx = get_local_id(0), ly = get_local_id(1);
	int x = get_global_id(0), y = get_global_id(1);
	float sum = 0.0f;

	for (int at = 0; at < n; at += TILE) {
		as[ly][lx] = a[y * n + at + lx];
		bs[ly][lx] = b[(at + ly) * n + x];
		barrier(CLK_LOCAL_MEM_FENCE);
		for (int k = 0; k < TILE; k++)
			sum += as[ly][k] * bs[k][lx];
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	c[y * n + x] = sum;
}
