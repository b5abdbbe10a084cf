/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: window_sums
global_size: 8
local_size: 4
expect_finding: invalid-write local 27-28
allow_finding: invalid-read local
allow_finding: uninitialized-read
allow_finding: host-uninitialized

[test]
arg_in:  0 buffer int[10] 0 1 2 3 4 5 6 7 8 9
arg_out: 1 buffer int[8] 3 6 9 12 15 18 21 24
arg_in:  2 local int[4]
!*/
/*
 * Local memory for the work-items, not for the two elements of halo: the copy
 * writes past its end.
 */
kernel void window_sums(global const int *input, global int *output,
			local int *tile)
{
	size_t lid = get_local_id(0);
	event_t event;

	event = async_work_group_copy(tile, input + get_group_id(0) * 4, 6, 0);
	wait_group_events(1, &event);	/* bug: reported here or above */
	output[get_global_id(0)] = tile[lid] + tile[lid + 1] + tile[lid + 2];
}
