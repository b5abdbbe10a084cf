/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: take_ticket
global_size: 8
local_size: 4
expect_finding: race global 24
allow_finding: wrong-result

[test]
arg_in:  0 buffer int[1] 0
arg_out: 0 buffer int[1] 8
arg_in:  1 buffer int[8] repeat 0
arg_out: 1 buffer int[8] repeat 1
!*/
/*
 * The counter is incremented atomically and then read plainly: between the
 * two, others increment it, and several work-items get the same ticket. What
 * an atomic function returns is what belongs to its caller.
 */
kernel void take_ticket(global volatile int *counter, global int *taken)
{
	atomic_inc(counter);
	taken[(*counter - 1) & 7] = 1;
}
