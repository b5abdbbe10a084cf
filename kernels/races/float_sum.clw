/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: total
global_size: 16
local_size: 4

[test]
arg_in:  0 buffer float[16] repeat 0.5 1 1.5 2
arg_in:  1 buffer float[1] 0
arg_out: 1 buffer float[1] 20
!*/
/*
 * Twin of float_sum_bug: add to what was seen, and put it there if it is
 * still what was seen. The numbers are exact in any order.
 */
kernel void total(global const float *input, global volatile uint *sum)
{
	float value = input[get_global_id(0)];
	uint seen = atomic_or(sum, 0), before;

	do {
		before = seen;
		seen = atomic_cmpxchg(sum, before,
				      as_uint(as_float(before) + value));
	} while (seen != before);
}
