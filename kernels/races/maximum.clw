/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: largest
global_size: 16
local_size: 4

[test]
arg_in:  0 buffer int[16] 3 1 4 1 5 9 2 6 5 3 5 8 9 7 9 12
arg_in:  1 buffer int[1] 0
arg_out: 1 buffer int[1] 12
!*/
/* Twin of maximum_bug: atomic_max(). */
kernel void largest(global const int *input, global volatile int *result)
{
	atomic_max(result, input[get_global_id(0)]);
}
