/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: fetch_half
global_size: 8
local_size: 8
timeout: 20s
expect_finding: divergence 31
allow_finding: divergence
allow_finding: kernel-error
allow_finding: race
allow_finding: uninitialized-read
allow_finding: wrong-result

[test]
arg_in:  0 buffer int[4] 1 2 3 4
arg_out: 1 buffer int[8] 1 2 3 4 0 0 0 0
!*/
/*
 * All begin the copy; only those that use it wait for it. wait_group_events()
 * is for the whole group, too.
 */
kernel void fetch_half(global const int *input, global int *output)
{
	local int tile[4];
	size_t lid = get_local_id(0);
	event_t copied = async_work_group_copy(tile, input, 4, 0);

	output[lid] = 0;
	if (lid < 4) {
		wait_group_events(1, &copied);
		output[lid] = tile[lid];
	}
}
