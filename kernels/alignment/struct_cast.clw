/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: read_points
global_size: 2

[test]
name: a message header of 6 bytes, then points of two ints
arg_in:  0 buffer uchar[22] 1 2 3 4 5 6  1 0 0 0 2 0 0 0  3 0 0 0 4 0 0 0
arg_out: 1 buffer int[2] 3 7
!*/
/* Twin of struct_cast_bug: a packed struct may lie anywhere. */
struct point {
	int x, y;
} __attribute__((packed));

kernel void read_points(global const uchar *message, global int *sums)
{
	global const struct point *points =
		(global const struct point *)(message + 6);
	size_t gid = get_global_id(0);

	sums[gid] = points[gid].x + points[gid].y;
}
