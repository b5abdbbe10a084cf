/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: count_down
global_size: 4
timeout: 30s

[test]
arg_in:  0 buffer int[4] 1 2 3 4
arg_in:  1 buffer int[1] 0
arg_out: 1 buffer int[1] 10
!*/
/* Twin of wrapping_counter_bug: the number has a sign. */
kernel void count_down(global const int *input, global volatile int *sum)
{
	for (int i = input[get_global_id(0)] - 1; i >= 0; i--)
		atomic_inc(sum);
}
