/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: fetch_half
global_size: 8
local_size: 8

[test]
arg_in:  0 buffer int[4] 1 2 3 4
arg_out: 1 buffer int[8] 1 2 3 4 0 0 0 0
!*/
/* Twin of wait_events_in_if_bug: all wait. */
kernel void fetch_half(global const int *input, global int *output)
{
	local int tile[4];
	size_t lid = get_local_id(0);
	event_t copied = async_work_group_copy(tile, input, 4, 0);

	output[lid] = 0;
	wait_group_events(1, &copied);
	if (lid < 4)
		output[lid] = tile[lid];
}
