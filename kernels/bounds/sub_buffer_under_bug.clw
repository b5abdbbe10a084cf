/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: spread_left
global_size: 8
local_size: 8
expect_finding: invalid-write global

[test]
arg_in:  0 buffer int[8] 1 2 3 4 5 6 7 8
arg_in:  1 buffer int[8] repeat 0 offset 128
arg_out: 1 buffer int[8] 2 3 4 5 6 7 8 0
!*/
/*
 * A sub-buffer, and a write in front of it: inside of the parent, so oclgrind
 * 21.10 sees nothing. The runner's guard zone before the sub-buffer has it,
 * without a line.
 */
kernel void spread_left(global const int *input, global int *output)
{
	int gid = get_global_id(0);

	output[gid - 1] = input[gid];
}
