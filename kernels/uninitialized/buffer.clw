/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: accumulate
global_size: 4

[test]
arg_in:  0 buffer int[4] 1 2 3 4
arg_in:  1 buffer int[4] repeat 0
arg_out: 1 buffer int[4] 1 2 3 4
!*/
/* Twin of buffer_bug: the host writes zeros first. */
kernel void accumulate(global const int *input, global int *total)
{
	size_t gid = get_global_id(0);

	total[gid] += input[gid];
}
