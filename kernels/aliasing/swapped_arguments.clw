/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: copy_positive
global_size: 4

[test]
arg_in:  0 buffer int[4] 1 -2 3 -4
arg_in:  1 buffer int[4] repeat 0
arg_out: 1 buffer int[4] 1 0 3 0
!*/
/* Twin of swapped_arguments_bug: source first. */
kernel void copy_positive(global int *source, global int *destination)
{
	size_t gid = get_global_id(0);

	destination[gid] = max(source[gid], 0);
}
