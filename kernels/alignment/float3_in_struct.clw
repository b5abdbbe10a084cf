/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: weigh
global_size: 2

[test]
name: the host has a weight and three floats, 16 bytes
arg_in:  0 buffer float[8] 2 1 2 3 10 1 1 1
arg_out: 1 buffer float[2] 12 30
!*/
/* Twin of float3_in_struct_bug: three floats are an array of three. */
struct body {
	float weight;
	float at[3];
};

kernel void weigh(global const struct body *bodies, global float *output)
{
	size_t gid = get_global_id(0);
	float3 at = vload3(0, bodies[gid].at);

	output[gid] = bodies[gid].weight * dot(at, (float3)1);
}
