/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: gather
global_size: 4

[test]
arg_in:  0 buffer int[4] 10 11 12 13
arg_in:  1 buffer int[4] 3 0 4 -1		# two are no element's
arg_out: 2 buffer int[4] 13 10 -1 -1
!*/
/* Twin of gather_index_bug: an index that is no element's gives -1. */
kernel void gather(global const int *table, global const int *indices,
		   global int *output)
{
	size_t gid = get_global_id(0);
	int index = indices[gid];

	output[gid] = index >= 0 && index < 4 ? table[index] : -1;
}
