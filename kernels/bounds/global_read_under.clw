/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: backward_difference
global_size: 8
local_size: 8

[test]
arg_in:  0 buffer int[8] 1 2 4 8 16 32 64 128
arg_out: 1 buffer int[8] 1 1 2 4 8 16 32 64
!*/
/* Twin of global_read_under_bug: the first element is taken as it is. */
kernel void backward_difference(global const int *input, global int *output)
{
	int gid = get_global_id(0);

	output[gid] = input[gid] - (gid > 0 ? input[gid - 1] : 0);
}
