/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: sum_header
global_size: 3

[test]
arg_in:  0 buffer float[16] 9 1 2 3 4 5 6 7 8 9 10 11 12 0 0 0	# a header, then fours
arg_out: 1 buffer float[3] 10 26 42
!*/
/* Twin of float4_cast_bug: vload4 needs the alignment of a float only. */
kernel void sum_header(global const float *input, global float *sums)
{
	size_t gid = get_global_id(0);


	sums[gid] = dot(vload4(gid, input + 1), (float4)1);
}
