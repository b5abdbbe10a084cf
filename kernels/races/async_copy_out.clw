/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: store
global_size: 16
local_size: 8

[test]
arg_in:  0 buffer int[16] 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15
arg_out: 1 buffer int[16] 0 1 4 9 16 25 36 49 64 81 100 121 144 169 196 225
!*/
/* Twin of async_copy_out_bug: a barrier before the copy. */
kernel void store(global const int *input, global int *output)
{
	local int tile[8];
	int value = input[get_global_id(0)];
	event_t copied;

	tile[get_local_id(0)] = value * value;
	barrier(CLK_LOCAL_MEM_FENCE);
	copied = async_work_group_copy(output + get_group_id(0) * 8, tile, 8,
				       0);
	wait_group_events(1, &copied);
}
