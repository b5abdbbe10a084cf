/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: reverse
global_size: 6
local_size: 3
expect_finding: race global 22

[test]
arg_in:  0 buffer int[6] 1 2 3 4 5 6
arg_out: 0 buffer int[6] 6 5 4 3 2 1
!*/
/*
 * Reversed in place by one work-item an element: every pair is exchanged by two
 * work-items, half of them with what the other has written.
 */
kernel void reverse(global int *data)
{
	size_t gid = get_global_id(0);
	size_t other = get_global_size(0) - 1 - gid;

	data[gid] = data[other];	/* bug */
}
