/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: shift_left
global_size: 8
local_size: 8
expect_finding: invalid-write global 22

[test]
arg_in:  0 buffer int[8] 10 11 12 13 14 15 16 17
arg_in:  1 buffer int[8] repeat -1
arg_out: 1 buffer int[8] 11 12 13 14 15 16 17 -1
!*/
/*
 * A shift to the left, and nobody asks whether there is a left: the first
 * work-item writes in front of the buffer, where another buffer may be.
 */
kernel void shift_left(global const int *input, global int *output)
{
	int gid = get_global_id(0);

	output[gid - 1] = input[gid];	/* bug */
}
