/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: lengths_squared
global_size: 4

[test]
name: the host has three floats a point
arg_in:  0 buffer float[12] 1 2 2 2 3 6 1 4 8 4 4 7
arg_out: 1 buffer float[4] 9 49 81 81
!*/
/* Twin of float3_stride_bug: vload3 goes by three floats. */
kernel void lengths_squared(global const float *points, global float *output)
{
	size_t gid = get_global_id(0);
	float3 point = vload3(gid, points);

	output[gid] = dot(point, point);
}
