/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: meet
global_size: 2
local_size: 1
timeout: 30s

[test]
arg_in:  0 buffer int[2] 0 0
arg_in:  1 buffer int[2] repeat 0
arg_out: 1 buffer int[2] repeat 1
!*/
/*
 * Twin of deadlock_bug: nobody waits. Groups may run one behind the other, so
 * a group may never wait for another; the one that comes second does what
 * both were to do.
 */
kernel void meet(global volatile int *here, global int *output)
{
	if (atomic_inc(&here[0]) == 1) {
		output[0] = 1;
		output[1] = 1;
	}
}
