/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: add_under_lock
global_size: 4
local_size: 1
timeout: 2s
expect_fault: clw-kernel-timeout
xfail: llvmpipe ends every loop after 65535 rounds
xfail_driver: ^rusticl, driver 22[.]

[test]
arg_in:  0 buffer int[4] 1 2 3 4
arg_in:  1 buffer int[1] 0
arg_in:  2 buffer int[1] 0
arg_out: 2 buffer int[1] 10
!*/
/*
 * A lock that is not given back on one way out: whoever takes it for an odd
 * value keeps it, and the next one spins for ever.
 */
kernel void add_under_lock(global const int *input,
			   global volatile int *lock,
			   global volatile int *sum)
{
	int value = input[get_group_id(0)];

	while (atomic_cmpxchg(lock, 0, 1) != 0)
		;
	atomic_xchg(sum, atomic_or(sum, 0) + value);
	if (value % 2)
		return;
	atomic_xchg(lock, 0);
}
