/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: fetch
global_size: 8
local_size: 8
timeout: 20s
expect_finding: divergence 29
allow_finding: divergence
allow_finding: kernel-error
allow_finding: race
allow_finding: uninitialized-read
allow_finding: wrong-result

[test]
arg_in:  0 buffer int[8] 1 2 3 4 5 6 7 8
arg_out: 1 buffer int[8] 2 4 6 8 10 12 14 16
!*/
/*
 * One work-item begins the copy, "because once is enough". It is a function
 * of the whole work-group: all have to call it, with the same arguments.
 */
kernel void fetch(global const int *input, global int *output)
{
	local int tile[8];
	size_t lid = get_local_id(0);

	if (lid == 0) {
		event_t copied = async_work_group_copy(tile, input, 8, 0);

		wait_group_events(1, &copied);
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	output[lid] = 2 * tile[lid];
}
