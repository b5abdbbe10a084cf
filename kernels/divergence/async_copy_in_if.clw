/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: fetch
global_size: 8
local_size: 8

[test]
arg_in:  0 buffer int[8] 1 2 3 4 5 6 7 8
arg_out: 1 buffer int[8] 2 4 6 8 10 12 14 16
!*/
/* Twin of async_copy_in_if_bug: all begin it, all wait for it. */
kernel void fetch(global const int *input, global int *output)
{
	local int tile[8];
	size_t lid = get_local_id(0);
	event_t copied = async_work_group_copy(tile, input, 8, 0);

	wait_group_events(1, &copied);
	output[lid] = 2 * tile[lid];
}
