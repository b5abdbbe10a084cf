/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: sum_header
global_size: 3
expect_finding: misaligned global 21

[test]
arg_in:  0 buffer float[16] 9 1 2 3 4 5 6 7 8 9 10 11 12 0 0 0	# a header, then fours
arg_out: 1 buffer float[3] 10 26 42
!*/
/*
 * A float4 must lie at a multiple of 16; behind a header of one float it does
 * not. CPUs mostly read it all the same, GPUs fault or read something else.
 */
kernel void sum_header(global const float *input, global float *sums)
{
	size_t gid = get_global_id(0);
	global const float4 *fours = (global const float4 *)(input + 1);

	sums[gid] = dot(fours[gid], (float4)1);	/* bug */
}
