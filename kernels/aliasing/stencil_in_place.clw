/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: average
global_size: 8
local_size: 4

[test]
arg_in:  0 buffer int[8] 0 3 6 9 12 15 18 21
arg_out: 1 buffer int[8] 1 3 6 9 12 15 18 20
!*/
/* Twin of stencil_in_place_bug: it reads one buffer and writes the other. */
kernel void average(global const int *from, global int *to)
{
	int gid = get_global_id(0), last = get_global_size(0) - 1;
	int left = from[max(gid - 1, 0)], right = from[min(gid + 1, last)];

	to[gid] = (left + from[gid] + right) / 3;
}
