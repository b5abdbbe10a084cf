/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: load_colours
global_size: 2

[test]
name: three halves a colour
arg_in:  0 buffer half[6] 1 2 3 4 5 6
arg_out: 1 buffer float[2] 6 15
!*/
/* Twin of vloada_half_bug: vload_half3 goes by three. */
kernel void load_colours(global const half *colours, global float *sums)
{
	size_t gid = get_global_id(0);
	float3 colour = vload_half3(gid, colours);

	sums[gid] = dot(colour, (float3)1);
}
