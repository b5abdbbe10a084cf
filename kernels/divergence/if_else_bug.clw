/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: swap_halves
global_size: 8
local_size: 8
build_options: -cl-opt-disable
timeout: 20s
expect_finding: divergence 35
allow_finding: divergence
allow_finding: race local
allow_finding: uninitialized-read
allow_finding: wrong-result

[test]
arg_in:  0 buffer int[8] 1 2 3 4 5 6 7 8
arg_out: 1 buffer int[8] 5 6 7 8 -1 -2 -3 -4
!*/
/*
 * As many barriers in the if as in the else, so everybody waits once. But
 * they are two barriers: a work-group has to reach the same one. Compilers
 * may hide it and make one barrier of the two, as clang does when it
 * optimizes; pocl 3.1 makes code of it that crashes.
 */
kernel void swap_halves(global const int *input, global int *output)
{
	local int values[8];
	size_t lid = get_local_id(0);

	values[lid] = input[lid];
	if (lid < 4) {
		barrier(CLK_LOCAL_MEM_FENCE);
		output[lid] = values[lid + 4];
	} else {
		barrier(CLK_LOCAL_MEM_FENCE);
		output[lid] = -values[lid - 4];
	}
}
