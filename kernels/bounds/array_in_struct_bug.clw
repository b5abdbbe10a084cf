/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: pack
global_size: 2
expect_finding: array-index private 29
allow_finding: array-index

[test]
arg_in:  0 buffer int[8] 1 2 3 4 5 6 7 8
arg_out: 1 buffer int[2] 110 126
!*/
/*
 * A private struct with an array of three and a total behind it: element 3 is the
 * total. The address is inside of the object, so only the index gives it away.
 */
struct record {
	int values[3];
	int total;
};

kernel void pack(global const int *input, global int *totals)
{
	size_t first = get_global_id(0) * 4;
	struct record record;

	record.total = 100;
	for (int i = 0; i < 4; i++)
		record.values[i] = input[first + i];	/* bug */
	for (int i = 0; i < 4; i++)
		record.total += record.values[i];
	totals[get_global_id(0)] = record.total;
}
