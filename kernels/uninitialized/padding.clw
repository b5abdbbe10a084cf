/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: make_records
global_size: 2
[test]
arg_in:  0 buffer int[2] 7 8
arg_out: 1 buffer int[2] 8 10
!*/
/*
 * Clean, and without a twin: the padding between a char and an int is nobody's,
 * and a struct is copied with it.
 */
struct record {
	char tag;
	int value;
};

kernel void make_records(global const int *input, global int *output)
{
	size_t gid = get_global_id(0);
	struct record record, copy;

	record.tag = (char)(gid + 1);
	record.value = input[gid];
	copy = record;
	output[gid] = copy.value + copy.tag;
}
