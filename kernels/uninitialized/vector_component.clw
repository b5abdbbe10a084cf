/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: to_homogeneous
global_size: 2

[test]
arg_in:  0 buffer float[6] 1 2 3 4 5 6
arg_out: 1 buffer float4[2] 1 2 3 1 4 5 6 1
!*/
/* Twin of vector_component_bug: w is 1. */
/* Not inline, or the compiler leaves out what nobody set before a tool sees it. */
__attribute__((noinline))
void set_xyz(float4 *point, float3 xyz)
{
	float *components = (float *)point;

	components[0] = xyz.x;
	components[1] = xyz.y;
	components[2] = xyz.z;
}

kernel void to_homogeneous(global const float *points, global float4 *output)
{
	size_t gid = get_global_id(0);
	float4 point = (float4)(0, 0, 0, 1);

	set_xyz(&point, vload3(gid, points));
	output[gid] = point;
}
