/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: count_pairs
global_size: 1
timeout: 2s
expect_fault: clw-kernel-timeout
xfail: llvmpipe ends every loop after 65535 rounds
xfail_driver: ^rusticl, driver 22[.]

[test]
arg_in:  0 uint 1000000
arg_in:  1 buffer uint[1] 0
!*/
/*
 * This one would end, after an hour or so: all pairs of a million numbers, by
 * one work-item. A watchdog cannot tell it from one that never ends.
 */
kernel void count_pairs(uint count, global volatile uint *result)
{
	for (uint i = 0; i < count; i++)
		for (uint j = 0; j < i; j++)
			atomic_inc(result);
}
