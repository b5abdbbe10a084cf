/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: insert_sorted
global_size: 2
expect_finding: invalid-read private 29
allow_finding: array-index
allow_finding: uninitialized-read
allow_finding: host-uninitialized

[test]
arg_in:  0 buffer int[8] 4 3 2 1 9 7 8 6
arg_out: 1 buffer int[8] 1 2 3 4 6 7 8 9
!*/
/*
 * An insertion sort that never asks whether it is at the front: it reads the
 * element with index -1.
 */
kernel void insert_sorted(global const int *input, global int *output)
{
	size_t first = get_global_id(0) * 4;
	int sorted[4];

	for (int i = 0; i < 4; i++)
		sorted[i] = input[first + i];
	for (int i = 1; i < 4; i++) {
		int value = sorted[i], at = i;

		while (sorted[at - 1] > value && at > 0) {	/* bug */
			sorted[at] = sorted[at - 1];
			at--;
		}
		sorted[at] = value;
	}
	for (int i = 0; i < 4; i++)
		output[first + i] = sorted[i];
}
