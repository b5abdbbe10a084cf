/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: hand_over
global_size: 2
local_size: 1
expect_finding: race global 35
allow_finding: race global 36
allow_finding: wrong-result

[test]
arg_in:  0 buffer int[1] 0
arg_in:  1 buffer int[1] 0
arg_out: 2 buffer int[2] 42 42
!*/
/*
 * One group leaves a message and raises a flag, the other looks at the flag,
 * not for ever, and takes the message. Both are plain memory: nothing says
 * that the message arrives before the flag, nor that the flag is looked at
 * more than once.
 */
kernel void hand_over(global int *message, global int *flag,
		      global int *output)
{
	int seen = 0;

	if (get_group_id(0) == 0) {
		*message = 42;
		mem_fence(CLK_GLOBAL_MEM_FENCE);
		*flag = 1;
		output[0] = 42;
		return;
	}
	for (int look = 0; look < 100 && !seen; look++)
		seen = *flag;
	output[1] = seen ? *message : 42;
}
