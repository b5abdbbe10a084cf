/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: find_once
global_size: 16
local_size: 4

[test]
arg_in:  0 buffer int[16] 0 0 1 0 0 1 0 0 1 0 0 0 1 0 0 1
arg_in:  1 buffer int[1] 0
arg_out: 1 buffer int[1] 1
!*/
/* Twin of same_value_read_bug: read and write are one atomic_or(). */
kernel void find_once(global const int *input, global volatile int *found)
{
	if (input[get_global_id(0)])
		atomic_or(found, 1);
}
