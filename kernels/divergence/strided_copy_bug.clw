/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: every_other
global_size: 8
local_size: 4
allow_finding: uninitialized-read
timeout: 20s
expect_finding: divergence 24
allow_finding: divergence
allow_finding: race
allow_finding: kernel-error
allow_finding: wrong-result

[test]
arg_in:  0 buffer int[16] 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15
arg_out: 1 buffer int[8] 0 2 4 6 8 10 12 14
!*/
/* The stride is another one in half of the group. */
kernel void every_other(global const int *input, global int *output)
{
	local int tile[4];
	size_t lid = get_local_id(0);
	event_t copied = async_work_group_strided_copy(tile,
		input + get_group_id(0) * 8, 4, lid < 2 ? 2 : 1, 0);

	wait_group_events(1, &copied);
	output[get_global_id(0)] = tile[lid];
}
