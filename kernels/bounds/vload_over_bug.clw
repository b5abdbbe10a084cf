/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: sum_by_four
global_size: 3
expect_finding: invalid-read global 22
allow_finding: uninitialized-read
allow_finding: host-uninitialized

[test]
arg_in:  0 buffer float[10] 1 2 3 4 5 6 7 8 9 10
arg_in:  1 uint 10
arg_out: 2 buffer float[3] 10 26 19
!*/
/* Ten elements by fours: the third vload4 takes two that are not there. */
kernel void sum_by_four(global const float *input, uint count,
			global float *sums)
{
	size_t gid = get_global_id(0);
	float sum = 0;

	sum = dot(vload4(gid, input), (float4)1);	/* bug */
	sums[gid] = sum;
}
