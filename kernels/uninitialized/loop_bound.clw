/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: sum_prefix
global_size: 2

[test]
arg_in:  0 buffer int[4] 1 2 3 4
arg_in:  1 buffer int[1] 3
arg_out: 2 buffer int[2] 6 6
!*/
/* Twin of loop_bound_bug: the host has written it. */
kernel void sum_prefix(global const int *input, global const int *count,
		       global int *sums)
{
	int sum = 0;

	for (int i = 0; i < (count[0] & 3); i++)
		sum += input[i];
	sums[get_global_id(0)] = sum;
}
