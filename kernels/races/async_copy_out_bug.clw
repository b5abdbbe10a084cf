/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: store
global_size: 16
local_size: 8
expect_finding: race local 25
allow_finding: uninitialized-read
allow_finding: wrong-result

[test]
arg_in:  0 buffer int[16] 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15
arg_out: 1 buffer int[16] 0 1 4 9 16 25 36 49 64 81 100 121 144 169 196 225
!*/
/*
 * The copy to global memory begins before all work-items have stored what it
 * copies: async_work_group_copy() waits for nobody.
 */
kernel void store(global const int *input, global int *output)
{
	local int tile[8];
	int value = input[get_global_id(0)];
	event_t copied;

	tile[get_local_id(0)] = value * value;
	copied = async_work_group_copy(output + get_group_id(0) * 8, tile, 8,
				       0);
	wait_group_events(1, &copied);
}
