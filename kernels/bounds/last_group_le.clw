/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: negate
global_size: 16
local_size: 8

[test]
arg_in:  0 buffer int[13] 0 1 2 3 4 5 6 7 8 9 10 11 12
arg_out: 0 buffer int[13] 0 -1 -2 -3 -4 -5 -6 -7 -8 -9 -10 -11 -12
arg_in:  1 int 13
!*/
/* Twin of last_group_le_bug: 13 elements are 0 to 12. */
kernel void negate(global int *data, int count)
{
	int gid = get_global_id(0);

	if (gid >= count)
		return;
	data[gid] = -data[gid];
}
