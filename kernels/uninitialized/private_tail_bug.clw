/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: reverse_rows
global_size: 2
expect_finding: uninitialized-read 24
allow_finding: host-uninitialized

[test]
arg_in:  0 buffer int[8] 1 2 3 0 5 6 0 0
arg_in:  1 buffer int[2] 3 2		# lengths
arg_out: 2 buffer int[8] 0 3 2 1 0 0 6 5
!*/
/* Only as much of the array is filled as the row is long; all of it is used. */
kernel void reverse_rows(global const int *input, global const int *lengths,
			 global int *output)
{
	size_t row = get_global_id(0);
	int values[4];

	for (int i = 0; i < lengths[row]; i++)
		values[i] = input[row * 4 + i];
	for (int i = 0; i < 4; i++)
		output[row * 4 + i] = values[3 - i];	/* bug */
}
