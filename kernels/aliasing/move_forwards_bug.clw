/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: insert_front
global_size: 1
expect_finding: wrong-result

[test]
arg_in:  0 buffer int[5] 1 2 3 4 0
arg_in:  1 int 9
arg_out: 0 buffer int[5] 9 1 2 3 4
!*/
/*
 * One work-item moves to the right from the start: it reads what it has just
 * written. There is no race and no address is wrong, only the result.
 */
kernel void insert_front(global int *data, int value)
{
	for (int i = 0; i < 4; i++)
		data[i + 1] = data[i];
	data[0] = value;
}
