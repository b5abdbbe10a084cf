/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: insert_front
global_size: 1

[test]
arg_in:  0 buffer int[5] 1 2 3 4 0
arg_in:  1 int 9
arg_out: 0 buffer int[5] 9 1 2 3 4
!*/
/* Twin of move_forwards_bug: it begins at the end. */
kernel void insert_front(global int *data, int value)
{
	for (int i = 3; i >= 0; i--)
		data[i + 1] = data[i];
	data[0] = value;
}
