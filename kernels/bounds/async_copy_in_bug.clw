/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: reverse_group
global_size: 12		# 10 elements, rounded up
local_size: 4
expect_finding: invalid-read global 29-30
allow_finding: uninitialized-read
allow_finding: host-uninitialized

[test]
arg_in:  0 buffer int[10] 0 1 2 3 4 5 6 7 8 9
arg_in:  1 uint 10
arg_out: 2 buffer int[10] 3 2 1 0 7 6 5 4 9 8
arg_in:  3 local int[4]
!*/
/*
 * async_work_group_copy takes a whole tile, also of the last group, which has but
 * half of one.
 */
kernel void reverse_group(global const int *input, uint count,
			  global int *output, local int *tile)
{
	uint first = get_group_id(0) * get_local_size(0);
	uint lid = get_local_id(0);
	uint here = min((uint)get_local_size(0), count - first);
	event_t event;

	event = async_work_group_copy(tile, input + first, get_local_size(0), 0);
	wait_group_events(1, &event);	/* bug: reported here or above */
	if (lid < here)
		output[first + lid] = tile[here - 1 - lid];
}
