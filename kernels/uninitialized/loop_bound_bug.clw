/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: sum_prefix
global_size: 2
expect_finding: uninitialized-read 20
allow_finding: host-uninitialized

[test]
arg_in:  0 buffer int[4] 1 2 3 4
arg_in:  1 buffer int[1] undefined
arg_out: 2 buffer int[2] 6 6
!*/
/* How often the loop turns is in a buffer that was never written. */
kernel void sum_prefix(global const int *input, global const int *count,
		       global int *sums)
{
	int sum = 0;

	for (int i = 0; i < (count[0] & 3); i++)	/* bug */
		sum += input[i];
	sums[get_global_id(0)] = sum;
}
