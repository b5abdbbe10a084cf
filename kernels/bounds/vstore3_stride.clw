/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: cross_x
global_size: 4

[test]
arg_in:  0 buffer float[12] 1 2 3 4 5 6 7 8 9 10 11 12
arg_out: 1 buffer float[12] 0 -3 2 0 -6 5 0 -9 8 0 -12 11
!*/
/* Twin of vstore3_stride_bug: vload3 and vstore3 go by three floats. */
kernel void cross_x(global const float *input, global float *output)
{
	size_t gid = get_global_id(0);
	float3 v = vload3(gid, input);
	float3 result = (float3)(0, -v.z, v.y);

	vstore3(result, gid, output);
}
