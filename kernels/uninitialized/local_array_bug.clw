/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: add_to_tile
global_size: 8
local_size: 4
expect_finding: uninitialized-read 25
allow_finding: uninitialized-read
allow_finding: host-uninitialized

[test]
arg_in:  0 buffer int[8] 1 2 3 4 5 6 7 8
arg_out: 1 buffer int[8] 1 2 3 4 5 6 7 8
!*/
/*
 * Local memory holds what the last kernel left there. CPUs often give zeros, and
 * the test passes at home.
 */
kernel void add_to_tile(global const int *input, global int *output)
{
	local int tile[4];
	size_t lid = get_local_id(0);

	tile[lid] += input[get_global_id(0)];
	output[get_global_id(0)] = tile[lid];	/* bug */
}
