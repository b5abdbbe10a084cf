/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: wait_for_start
global_size: 4
timeout: 2s
expect_fault: clw-kernel-timeout
xfail: llvmpipe ends every loop after 65535 rounds
xfail_driver: ^rusticl, driver 22[.]

[test]
arg_in:  0 buffer int[1] 0
arg_in:  1 buffer int[4] repeat 0
!*/
/*
 * Waits for a value that nobody ever writes. No result shows it: the launch
 * does not end, and with it nothing that waits for it.
 */
kernel void wait_for_start(global volatile int *start, global int *output)
{
	while (*start == 0)
		;
	output[get_global_id(0)] = 1;
}
