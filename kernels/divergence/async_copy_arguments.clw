/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: fetch_rows
global_size: 4
local_size: 4

[test]
arg_in:  0 buffer int[16] 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15
arg_out: 1 buffer int[4] 6 22 38 54
!*/
/* Twin of async_copy_arguments_bug: all rows at once, asked for by all. */
kernel void fetch_rows(global const int *input, global int *sums)
{
	local int tile[16];
	int lid = get_local_id(0);
	event_t copied = async_work_group_copy(tile, input, 16, 0);

	wait_group_events(1, &copied);
	sums[lid] = tile[lid * 4] + tile[lid * 4 + 1] + tile[lid * 4 + 2] +
		    tile[lid * 4 + 3];
}
