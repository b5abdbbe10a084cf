/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: move_right
global_size: 4
local_size: 4
expect_finding: race global 21

[test]
arg_in:  0 buffer int[6] 1 2 3 4 5 6
arg_out: 0 buffer int[6] 1 2 1 2 3 4
!*/
/*
 * A memcpy by work-items whose source and target overlap: element 2 is written
 * by one and read by another, and nothing orders them.
 */
kernel void move_right(global int *data)
{
	size_t gid = get_global_id(0);

	data[gid + 2] = data[gid];	/* bug */
}
