/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: running_maximum
global_size: 4

[test]
arg_in:  0 buffer int[4] 3 -1 4 -1
arg_in:  1 buffer int[4] repeat 0
arg_out: 1 buffer int[4] 3 0 4 0
!*/
/* Twin of write_only_read_bug: the buffer may be read and written. */
kernel void running_maximum(global const int *input, global int *output)
{
	size_t gid = get_global_id(0);

	output[gid] = max(output[gid], input[gid]);
}
