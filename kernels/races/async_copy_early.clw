/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: fetch
global_size: 16
local_size: 8

[test]
arg_in:  0 buffer int[16] 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15
arg_out: 1 buffer int[16] 0 2 4 6 8 10 12 14 16 18 20 22 24 26 28 30
!*/
/* Twin of async_copy_early_bug: wait, then use. */
kernel void fetch(global const int *input, global int *output)
{
	local int tile[8];
	size_t lid = get_local_id(0);
	event_t copied = async_work_group_copy(
		tile, input + get_group_id(0) * 8, 8, 0);

	wait_group_events(1, &copied);
	output[get_global_id(0)] = 2 * tile[lid];
}
