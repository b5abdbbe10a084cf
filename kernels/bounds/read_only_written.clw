/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: clamp_to
global_size: 4

[test]
arg_in:  0 buffer int[4] 1 5 9 13 read_only
arg_in:  1 buffer int[4] repeat 0
arg_out: 1 buffer int[4] 1 5 8 8
!*/
/* Twin of read_only_written_bug: the input stays as it is. */
kernel void clamp_to(global const int *input, global int *output)
{
	size_t gid = get_global_id(0);

	output[gid] = min(input[gid], 8);
}
