/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: total
global_size: 4
local_size: 1

[test]
arg_in:  0 buffer int[4] 1 2 3 4
arg_in:  1 buffer int[1] 0
arg_in:  2 buffer int[1] 0
arg_out: 3 buffer int[1] 10
!*/
/* Twin of last_block_counter_bug: the counter is atomic. */
kernel void total(global const int *input, global int *sum,
		  global volatile int *finished, global int *result)
{
	atomic_add(sum, input[get_group_id(0)]);
	mem_fence(CLK_GLOBAL_MEM_FENCE);
	if (atomic_inc(finished) == 3)
		*result = atomic_or(sum, 0);
}
