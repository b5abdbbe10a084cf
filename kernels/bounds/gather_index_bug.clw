/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: gather
global_size: 4
expect_finding: invalid-read global 22
allow_finding: uninitialized-read
allow_finding: host-uninitialized

[test]
arg_in:  0 buffer int[4] 10 11 12 13
arg_in:  1 buffer int[4] 3 0 4 -1		# two are no element's
arg_out: 2 buffer int[4] 13 10 -1 -1
!*/
/* Indices are data, and data may be wrong: 4 is past the end, -1 in front. */
kernel void gather(global const int *table, global const int *indices,
		   global int *output)
{
	size_t gid = get_global_id(0);
	int index = indices[gid];

	output[gid] = table[index];	/* bug */
}
