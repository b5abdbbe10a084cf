/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: convolve
global_size: 4

[test]
arg_in:  0 buffer int[6] 1 2 3 4 5 6
arg_out: 1 buffer int[4] 8 12 16 20
!*/
/* Twin of private_read_over_bug: as many turns as weights. */
kernel void convolve(global const int *input, global int *output)
{
	size_t gid = get_global_id(0);
	int weights[3], sum = 0;

	for (int i = 0; i < 3; i++)
		weights[i] = 2 - abs(i - 1);
	for (size_t i = 0; i < 3; i++)
		sum += weights[i] * input[gid + i];
	output[gid] = sum;
}
