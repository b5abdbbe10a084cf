/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: scan_step
global_size: 8
local_size: 8

[test]
arg_in:  0 buffer int[8] 1 2 3 4 5 6 7 8
arg_in:  1 buffer int[8] repeat 0
arg_out: 1 buffer int[8] 1 2 4 6 8 10 12 14
arg_in:  2 int 2
!*/
/* Twin of prefix_sum_bug: two buffers. */
kernel void scan_step(global const int *from, global int *to, int distance)
{
	int gid = get_global_id(0);
	int add = gid >= distance ? from[gid - distance] : 0;

	to[gid] = from[gid] + add;
}
