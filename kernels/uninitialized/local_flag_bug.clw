/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: any_negative
global_size: 8
local_size: 4
expect_finding: uninitialized-read 24
allow_finding: uninitialized-read
allow_finding: host-uninitialized

[test]
arg_in:  0 buffer int[8] 1 2 3 4 5 -6 7 8
arg_out: 1 buffer int[2] 0 1
!*/
/* The flag is raised by whoever finds one, and lowered by nobody. */
kernel void any_negative(global const int *input, global int *found)
{
	local int flag;

	if (input[get_global_id(0)] < 0)
		atomic_or(&flag, 1);
	barrier(CLK_LOCAL_MEM_FENCE);
	if (get_local_id(0) == 0)
		found[get_group_id(0)] = flag;	/* bug */
}
