/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: load_colours
global_size: 2
expect_finding: wrong-result
allow_finding: misaligned
allow_finding: invalid-read
allow_finding: invalid-read global
allow_finding: uninitialized-read
allow_finding: host-uninitialized

[test]
name: three halves a colour
arg_in:  0 buffer half[6] 1 2 3 4 5 6
arg_out: 1 buffer float[2] 6 15
!*/
/*
 * vloada_half3 takes colours four halves apart (OpenCL C, section 6.15.7), the
 * host wrote them three apart.
 */
kernel void load_colours(global const half *colours, global float *sums)
{
	size_t gid = get_global_id(0);
	float3 colour = vloada_half3(gid, colours);

	sums[gid] = dot(colour, (float3)1);
}
