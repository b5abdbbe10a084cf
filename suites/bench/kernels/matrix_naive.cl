/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A matrix product, one element a work-item.
 * bench: matrix_naive global=256,256 local=16,16 z:65536 f:65536 f:65536 =256
 */
__kernel void matrix_naive(__global float *c, __global const float *a,
			   __global const float *b, int n)
{
	int x = get_global_id(0), y = get_global_id(1);
	float sum = 0.0f;

	for (int k = 0; k < n; k++)
		sum += a[y * n + k] * b[k * n + x];
	c[y * n + x] = sum;
}
