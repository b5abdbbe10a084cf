/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: forward_difference
global_size: 8
local_size: 8
expect_finding: invalid-read global 23
allow_finding: uninitialized-read
allow_finding: host-uninitialized

[test]
arg_in:  0 buffer int[8] 1 2 4 8 16 32 64 128
arg_out: 1 buffer int[8] 1 2 4 8 16 32 64 0
!*/
/*
 * The last work-item has no right neighbour and reads it all the same: garbage
 * in the last element, a fault where the page ends there.
 */
kernel void forward_difference(global const int *input, global int *output)
{
	size_t gid = get_global_id(0);

	output[gid] = input[gid + 1] - input[gid];	/* bug */
}
