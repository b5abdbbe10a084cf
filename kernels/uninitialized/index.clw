/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: pick_largest
global_size: 2

[test]
arg_in:  0 buffer int[8] 3 9 4 1 -5 -2 -9 -7
arg_out: 1 buffer int[2] 9 -2
!*/
/* Twin of index_bug: the first is the largest so far. */
kernel void pick_largest(global const int *input, global int *largest)
{
	size_t row = get_global_id(0);
	int value = input[row * 4];
	int at[1] = { 0 };

	for (int i = 0; i < 4; i++)
		if (input[row * 4 + i] > value) {
			value = input[row * 4 + i];
			at[0] = i;
		}
	largest[row] = input[row * 4 + (at[0] & 3)];
}
