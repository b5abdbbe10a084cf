/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: move_right
global_size: 1
local_size: 1

[test]
arg_in:  0 buffer int[6] 1 2 3 4 5 6
arg_out: 0 buffer int[6] 1 2 1 2 3 4
!*/
/* Twin of move_overlapping_bug: one work-item, from the end to the start. */
kernel void move_right(global int *data)
{
	for (int i = 3; i >= 0; i--)
		data[i + 2] = data[i];
}
