/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: hand_over
global_size: 2
local_size: 1

[test]
arg_in:  0 buffer int[1] 0
arg_in:  1 buffer int[1] 0
arg_out: 2 buffer int[2] 42 42
!*/
/*
 * Twin of flag_handoff_bug: message and flag change by atomics only. Who does
 * not see the flag in time does without.
 */
kernel void hand_over(global int *message, global int *flag,
		      global int *output)
{
	int seen = 0;

	if (get_group_id(0) == 0) {
		atomic_xchg(message, 42);
		mem_fence(CLK_GLOBAL_MEM_FENCE);
		atomic_xchg(flag, 1);
		output[0] = 42;
		return;
	}
	for (int look = 0; look < 100 && !seen; look++)
		seen = atomic_or(flag, 0);
	mem_fence(CLK_GLOBAL_MEM_FENCE);
	output[1] = seen ? atomic_or(message, 0) : 42;
}
