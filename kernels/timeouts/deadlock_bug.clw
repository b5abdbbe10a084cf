/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: meet
global_size: 2
local_size: 1
timeout: 2s
expect_fault: clw-kernel-timeout
xfail: llvmpipe ends every loop after 65535 rounds
xfail_driver: ^rusticl, driver 22[.]

[test]
arg_in:  0 buffer int[2] 0 0
arg_in:  1 buffer int[2] repeat 0
!*/
/*
 * Two groups, and each waits for the other's sign before it gives its own.
 */
kernel void meet(global volatile int *here, global int *output)
{
	int own = get_group_id(0), other = 1 - own;

	while (atomic_or(&here[other], 0) == 0)
		;
	atomic_xchg(&here[own], 1);
	output[own] = 1;
}
