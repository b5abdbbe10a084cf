/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: convolve
global_size: 4
expect_finding: invalid-read private 27
expect_finding: array-index private 27
allow_finding: uninitialized-read
allow_finding: host-uninitialized

[test]
arg_in:  0 buffer int[6] 1 2 3 4 5 6
arg_out: 1 buffer int[4] 8 12 16 20
!*/
/*
 * Three weights, four turns of the loop: the last reads past the end of a
 * private array. The compiler may do anything with it.
 */
kernel void convolve(global const int *input, global int *output)
{
	size_t gid = get_global_id(0);
	int weights[3], sum = 0;

	for (int i = 0; i < 3; i++)
		weights[i] = 2 - abs(i - 1);
	for (size_t i = 0; i <= 3; i++)
		sum += weights[i] * (gid + i < 6 ? input[gid + i] : 0);	/* bug */
	output[gid] = sum;
}
