/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: add
global_size: 4

[test]
arg_in:  0 buffer int[4] 1 2 3 4 read_only
arg_in:  1 buffer int[4] repeat 0 write_only
arg_out: 1 buffer int[4] 11 12 13 14
!*/
/* Twin of swapped_const_bug: each is used as it was made. */
kernel void add(global int *source, global int *destination)
{
	size_t gid = get_global_id(0);

	destination[gid] = source[gid] + 10;
}
