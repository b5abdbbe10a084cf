/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: previous
global_size: 8
local_size: 8
expect_finding: invalid-read global 24
allow_finding: uninitialized-read
allow_finding: host-uninitialized

[test]
arg_in:  0 buffer int[8] 3 1 4 1 5 9 2 6
arg_out: 1 buffer int[8] 0 3 1 4 1 5 9 2
!*/
/*
 * The index is a uchar to save registers: 0 - 1 is 255, so the test for a
 * negative one never holds.
 */
kernel void previous(global const int *input, global int *output)
{
	size_t gid = get_global_id(0);
	uchar left = gid - 1;

	output[gid] = left < 0 ? 0 : input[left];	/* bug */
}
