/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: increment
global_size: 4

[test]
arg_in:  0 buffer int[4] 1 2 3 4
arg_in:  1 buffer int[4] repeat -1
arg_out: 1 buffer int[4] 2 3 4 5
!*/
/* Twin of freed_buffer_bug: released after the launch. */
kernel void increment(global const int *input, global int *output)
{
	size_t gid = get_global_id(0);

	output[gid] = input[gid] + 1;
}
