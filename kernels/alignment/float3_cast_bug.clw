/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: sum_points
global_size: 4
expect_finding: misaligned global 19

[test]
arg_in:  0 buffer float[16] 1 2 3 4 5 6 7 8 9 10 11 12 0 0 0 0
arg_out: 1 buffer float[4] 6 15 24 33
!*/
/*
 * A cast to float3 at a multiple of 12: the load takes 16 bytes and wants a
 * multiple of 16.
 */
kernel void sum_points(global const float *input, global float *sums)
{
	size_t gid = get_global_id(0);
	float3 point = *(global const float3 *)(input + gid * 3);	/* bug */

	sums[gid] = dot(point, (float3)1);
}
