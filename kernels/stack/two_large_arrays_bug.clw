/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: swap_large
global_size: 2
expect_finding: invalid-write private 25
expect_finding: array-index private 25

[test]
arg_in:  0 buffer int[2] 1 2
arg_out: 1 buffer int[2] 101 102
!*/
/*
 * Two private arrays side by side: what is written past the end of one is mostly
 * the other's. On a device the sum is wrong, and nothing faults.
 */
kernel void swap_large(global const int *input, global int *output)
{
	size_t gid = get_global_id(0);
	int first[512], second[512];

	for (int i = 0; i < 512; i++)
		second[i] = 100;
	for (int i = 0; i <= 512; i++)
		first[i] = input[gid];	/* bug */
	output[gid] = first[gid * 7 + 3] + second[gid * 5];
}
