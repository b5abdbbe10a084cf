/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory and hardly anything else.
 * bench: triad global=2097152 local=256 z:2097152 f:2097152 f:2097152 =1.5
 */
__kernel void triad(__global float *a, __global const float *b,
		    __global const float *c, float factor)
{
	size_t i = get_global_id(0);

	a[i] = b[i] + factor * c[i];
}
