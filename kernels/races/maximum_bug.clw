/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: largest
global_size: 16
local_size: 4
expect_finding: race global 24
allow_finding: wrong-result

[test]
arg_in:  0 buffer int[16] 3 1 4 1 5 9 2 6 5 3 5 8 9 7 9 12
arg_in:  1 buffer int[1] 0
arg_out: 1 buffer int[1] 12
!*/
/*
 * Compare, then store: between the two another work-item may have stored
 * something larger, which is lost.
 */
kernel void largest(global const int *input, global volatile int *result)
{
	int value = input[get_global_id(0)];

	if (value > *result)
		*result = value;
}
