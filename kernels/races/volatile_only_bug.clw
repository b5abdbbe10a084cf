/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: difference
global_size: 16
local_size: 8
expect_finding: race local 26
allow_finding: uninitialized-read
allow_finding: wrong-result

[test]
arg_in:  0 buffer int[16] 1 4 9 16 25 36 49 64 0 1 3 6 10 15 21 28
arg_out: 1 buffer int[16] 3 5 7 9 11 13 15 -63 1 2 3 4 5 6 7 -28
!*/
/*
 * "volatile" keeps the compiler from holding a value in a register. It orders
 * nothing between work-items.
 */
kernel void difference(global const int *input, global int *output)
{
	local volatile int scratch[8];
	size_t gid = get_global_id(0);
	size_t lid = get_local_id(0);

	scratch[lid] = input[gid];
	output[gid] = scratch[(lid + 1) % 8] - input[gid];
}
