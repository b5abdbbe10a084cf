/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: every_other
global_size: 8
local_size: 4
allow_finding: uninitialized-read

[test]
arg_in:  0 buffer int[16] 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15
arg_out: 1 buffer int[8] 0 2 4 6 8 10 12 14
!*/
/* Twin of strided_copy_bug: what differs from group to group may. */
kernel void every_other(global const int *input, global int *output)
{
	local int tile[4];
	event_t copied = async_work_group_strided_copy(tile,
		input + get_group_id(0) * 8, 4, 2, 0);

	wait_group_events(1, &copied);
	output[get_global_id(0)] = tile[get_local_id(0)];
}
