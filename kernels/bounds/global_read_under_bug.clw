/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: backward_difference
global_size: 8
local_size: 8
expect_finding: invalid-read global 23
allow_finding: uninitialized-read
allow_finding: host-uninitialized

[test]
arg_in:  0 buffer int[8] 1 2 4 8 16 32 64 128
arg_out: 1 buffer int[8] 1 1 2 4 8 16 32 64
!*/
/*
 * The first work-item has no left neighbour and reads what is in front of the
 * buffer.
 */
kernel void backward_difference(global const int *input, global int *output)
{
	int gid = get_global_id(0);

	output[gid] = input[gid] - input[gid - 1];	/* bug */
}
