/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: matrix_power
global_size: 2
[test]
arg_in:  0 buffer float[2] 1 2
arg_out: 1 buffer float[2] 256 512
!*/
/*
 * Clean, and without a twin: three private matrices of 16 x 16, more than the
 * registers of any device; right wherever they are kept.
 */
kernel void matrix_power(global const float *input, global float *output)
{
	size_t gid = get_global_id(0);
	float a[16][16], b[16][16], c[16][16], sum = 0;

	for (int y = 0; y < 16; y++)
		for (int x = 0; x < 16; x++) {
			a[y][x] = input[gid];
			b[y][x] = x == y;
		}
	for (int y = 0; y < 16; y++)
		for (int x = 0; x < 16; x++) {
			c[y][x] = 0;
			for (int i = 0; i < 16; i++)
				c[y][x] += a[y][i] * b[i][x];
		}
	for (int y = 0; y < 16; y++)
		for (int x = 0; x < 16; x++)
			sum += c[y][x];
	output[gid] = sum;
}
