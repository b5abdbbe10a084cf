/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: clamp_all
global_size: 8
local_size: 4
[test]
arg_in:  0 buffer int[8] -1 2 -3 4 99 6 77 8
arg_in:  1 buffer int[8] undefined alias 0
arg_out: 0 buffer int[8] 0 2 0 4 10 6 10 8
!*/
/*
 * Clean, and without a twin: one buffer for both arguments is right where every
 * work-item reads and writes its own element only, and nothing says restrict.
 */
kernel void clamp_all(global const int *input, global int *output)
{
	size_t gid = get_global_id(0);

	output[gid] = clamp(input[gid], 0, 10);
}
