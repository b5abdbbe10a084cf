/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: forward_difference
global_size: 8
local_size: 8

[test]
arg_in:  0 buffer int[8] 1 2 4 8 16 32 64 128
arg_out: 1 buffer int[8] 1 2 4 8 16 32 64 0
!*/
/* Twin of global_read_over_bug: the last difference is 0. */
kernel void forward_difference(global const int *input, global int *output)
{
	size_t gid = get_global_id(0);

	output[gid] = gid + 1 < get_global_size(0) ?
			  input[gid + 1] - input[gid] : 0;
}
