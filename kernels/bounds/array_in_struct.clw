/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: pack
global_size: 2

[test]
arg_in:  0 buffer int[8] 1 2 3 4 5 6 7 8
arg_out: 1 buffer int[2] 110 126
!*/
/* Twin of array_in_struct_bug: an array of four. */
struct record {
	int values[4];
	int total;
};

kernel void pack(global const int *input, global int *totals)
{
	size_t first = get_global_id(0) * 4;
	struct record record;

	record.total = 100;
	for (int i = 0; i < 4; i++)
		record.values[i] = input[first + i];
	for (int i = 0; i < 4; i++)
		record.total += record.values[i];
	totals[get_global_id(0)] = record.total;
}
