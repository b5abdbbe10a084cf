/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A sparse matrix by a vector: indices that come from memory.
 * bench: sparse global=65536 local=64 z:65536 f:1048576 i:1048576:65536 f:65536 =16
 */
__kernel void sparse(__global float *y, __global const float *values,
		     __global const uint *columns, __global const float *x,
		     uint per_row)
{
	size_t row = get_global_id(0);
	float sum = 0.0f;

	for (uint k = 0; k < per_row; k++) {
		size_t at = row * per_row + k;

		sum += values[at] * x[columns[at]];
	}
	y[row] = sum;
}
