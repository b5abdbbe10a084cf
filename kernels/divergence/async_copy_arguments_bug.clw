/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: fetch_rows
global_size: 4
local_size: 4
timeout: 20s
expect_finding: divergence 26
allow_finding: divergence
allow_finding: race
allow_finding: uninitialized-read
allow_finding: wrong-result

[test]
arg_in:  0 buffer int[16] 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15
arg_out: 1 buffer int[4] 6 22 38 54
!*/
/*
 * Each work-item copies its own row. All have to give the same arguments; a
 * driver takes those of whichever work-item it likes.
 */
kernel void fetch_rows(global const int *input, global int *sums)
{
	local int tile[16];
	int lid = get_local_id(0);
	event_t copied = async_work_group_copy(tile + lid * 4,
					       input + lid * 4, 4, 0);

	wait_group_events(1, &copied);
	sums[lid] = tile[lid * 4] + tile[lid * 4 + 1] + tile[lid * 4 + 2] +
		    tile[lid * 4 + 3];
}
