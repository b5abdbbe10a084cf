/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: add_under_lock
global_size: 4
local_size: 1
timeout: 30s

[test]
arg_in:  0 buffer int[4] 1 2 3 4
arg_in:  1 buffer int[1] 0
arg_in:  2 buffer int[1] 0
arg_out: 2 buffer int[1] 10
!*/
/*
 * Twin of lost_lock_bug: given back in every case. Groups of one work-item:
 * a lock within a group that runs in lockstep would never be had.
 */
kernel void add_under_lock(global const int *input,
			   global volatile int *lock,
			   global volatile int *sum)
{
	int value = input[get_group_id(0)];

	while (atomic_cmpxchg(lock, 0, 1) != 0)
		;
	atomic_xchg(sum, atomic_or(sum, 0) + value);
	atomic_xchg(lock, 0);
}
