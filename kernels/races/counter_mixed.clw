/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: take_ticket
global_size: 8
local_size: 4

[test]
arg_in:  0 buffer int[1] 0
arg_out: 0 buffer int[1] 8
arg_in:  1 buffer int[8] repeat 0
arg_out: 1 buffer int[8] repeat 1
!*/
/* Twin of counter_mixed_bug: the ticket is what atomic_inc() returns. */
kernel void take_ticket(global volatile int *counter, global int *taken)
{
	int ticket = atomic_inc(counter);

	taken[ticket & 7] = 1;
}
