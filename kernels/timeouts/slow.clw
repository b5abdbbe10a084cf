/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: count_pairs
global_size: 1
timeout: 30s

[test]
arg_in:  0 uint 1000
arg_in:  1 buffer uint[1] 0
arg_out: 1 buffer uint[1] 499500
!*/
/* Twin of slow_bug: the same number without counting. */
kernel void count_pairs(uint count, global volatile uint *result)
{
	*result = count * (count - 1) / 2;
}
