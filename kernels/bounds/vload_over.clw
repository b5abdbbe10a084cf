/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: sum_by_four
global_size: 3

[test]
arg_in:  0 buffer float[10] 1 2 3 4 5 6 7 8 9 10
arg_in:  1 uint 10
arg_out: 2 buffer float[3] 10 26 19
!*/
/* Twin of vload_over_bug: the rest is added one by one. */
kernel void sum_by_four(global const float *input, uint count,
			global float *sums)
{
	size_t gid = get_global_id(0);
	float sum = 0;

	if ((gid + 1) * 4 <= count)
		sum = dot(vload4(gid, input), (float4)1);
	else
		for (size_t i = gid * 4; i < count; i++)
			sum += input[i];
	sums[gid] = sum;
}
