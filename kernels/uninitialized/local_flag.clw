/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: any_negative
global_size: 8
local_size: 4

[test]
arg_in:  0 buffer int[8] 1 2 3 4 5 -6 7 8
arg_out: 1 buffer int[2] 0 1
!*/
/* Twin of local_flag_bug: one work-item lowers it first. */
kernel void any_negative(global const int *input, global int *found)
{
	local int flag;

	if (get_local_id(0) == 0)
		flag = 0;
	barrier(CLK_LOCAL_MEM_FENCE);
	if (input[get_global_id(0)] < 0)
		atomic_or(&flag, 1);
	barrier(CLK_LOCAL_MEM_FENCE);
	if (get_local_id(0) == 0)
		found[get_group_id(0)] = flag;
}
