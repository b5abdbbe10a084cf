/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: find_once
global_size: 16
local_size: 4
expect_finding: race global 24
allow_finding: wrong-result

[test]
arg_in:  0 buffer int[16] 0 0 1 0 0 1 0 0 1 0 0 0 1 0 0 1
arg_in:  1 buffer int[1] 0
arg_out: 1 buffer int[1] 1
!*/
/*
 * "Only set what is not set yet" saves a write and adds a read, which races
 * with the writes of others. All write the same value, and the result is
 * right on every driver tried; it is a race all the same, and oclgrind says
 * so, other than of the writes alone (same_value).
 */
kernel void find_once(global const int *input, global volatile int *found)
{
	if (input[get_global_id(0)] && !*found)
		*found = 1;
}
