/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: insert_sorted
global_size: 2

[test]
arg_in:  0 buffer int[8] 4 3 2 1 9 7 8 6
arg_out: 1 buffer int[8] 1 2 3 4 6 7 8 9
!*/
/* Twin of private_under_bug: it stops at the front. */
kernel void insert_sorted(global const int *input, global int *output)
{
	size_t first = get_global_id(0) * 4;
	int sorted[4];

	for (int i = 0; i < 4; i++)
		sorted[i] = input[first + i];
	for (int i = 1; i < 4; i++) {
		int value = sorted[i], at = i;

		while (at > 0 && sorted[at - 1] > value) {
			sorted[at] = sorted[at - 1];
			at--;
		}
		sorted[at] = value;
	}
	for (int i = 0; i < 4; i++)
		output[first + i] = sorted[i];
}
