/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: count_down
global_size: 4
timeout: 2s
expect_fault: clw-kernel-timeout
xfail: llvmpipe ends every loop after 65535 rounds
xfail_driver: ^rusticl, driver 22[.]

[test]
arg_in:  0 buffer int[4] 1 2 3 4
arg_in:  1 buffer int[1] 0
arg_out: 1 buffer int[1] 10
!*/
/*
 * Counts down while an unsigned number is not negative, which it never is.
 * The loop stores in every trip, so that no compiler can drop it.
 */
kernel void count_down(global const int *input, global volatile int *sum)
{
	for (uint i = input[get_global_id(0)] - 1; i >= 0; i--)
		atomic_inc(sum);
}
