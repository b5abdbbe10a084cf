/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: pick_largest
global_size: 2
expect_finding: uninitialized-read 29
allow_finding: host-uninitialized

[test]
arg_in:  0 buffer int[8] 3 9 4 1 -5 -2 -9 -7
arg_out: 1 buffer int[2] 9 -2
!*/
/*
 * The index of the largest is set when one larger than 0 is found, and in a row
 * of negative numbers there is none: the address is made of nothing. The reads
 * that follow may be anywhere.
 */
kernel void pick_largest(global const int *input, global int *largest)
{
	size_t row = get_global_id(0);
	int value = 0;
	int at[1];

	for (int i = 0; i < 4; i++)
		if (input[row * 4 + i] > value) {
			value = input[row * 4 + i];
			at[0] = i;
		}
	largest[row] = input[row * 4 + (at[0] & 3)];	/* bug */
}
