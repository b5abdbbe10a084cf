/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: to_homogeneous
global_size: 2
expect_finding: uninitialized-read 31
allow_finding: host-uninitialized

[test]
arg_in:  0 buffer float[6] 1 2 3 4 5 6
arg_out: 1 buffer float4[2] 1 2 3 1 4 5 6 1
!*/
/* x, y and z are set, w is not, and the vector is stored whole. */
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
	float4 point;

	set_xyz(&point, vload3(gid, points));
	output[gid] = point;	/* bug */
}
