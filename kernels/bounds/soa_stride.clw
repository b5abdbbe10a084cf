/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: move
global_size: 4

[test]
name: all x, all y, all vx, all vy
arg_in:  0 buffer float[16] 0 1 2 3  4 5 6 7  1 1 1 1  2 2 2 2
arg_out: 0 buffer float[16] 1 2 3 4  6 7 8 9  1 1 1 1  2 2 2 2
arg_in:  1 uint 4
!*/
/* Twin of soa_stride_bug: a field is count elements. */
kernel void move(global float *fields, uint count)
{
	size_t gid = get_global_id(0);
	size_t stride = count;
	global float *x = fields, *y = fields + stride;
	global const float *vx = fields + 2 * stride, *vy = fields + 3 * stride;

	x[gid] += vx[gid];
	y[gid] += vy[gid];
}
