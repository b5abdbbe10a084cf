/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: squares
global_size: 12		# 10 elements, rounded up
local_size: 4
expect_finding: invalid-write global 24-25

[test]
arg_in:  0 buffer int[10] repeat -1
arg_out: 0 buffer int[10] 0 1 4 9 16 25 36 49 64 81
arg_in:  1 uint 10
!*/
/* The way back: the last group copies two elements past the end. */
kernel void squares(global int *output, uint count)
{
	local int tile[4];
	uint first = get_group_id(0) * get_local_size(0);
	uint gid = get_global_id(0);
	event_t event;

	tile[get_local_id(0)] = gid * gid;
	barrier(CLK_LOCAL_MEM_FENCE);
	event = async_work_group_copy(output + first, tile, 4, 0);
	wait_group_events(1, &event);	/* bug: reported here or above */
}
