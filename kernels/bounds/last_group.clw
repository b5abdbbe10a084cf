/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: scale
global_size: 16		# 13, rounded up to work-groups of 4
local_size: 4

[test]
arg_in:  0 buffer float[13] 0 1 2 3 4 5 6 7 8 9 10 11 12
arg_out: 0 buffer float[13] 0 2 4 6 8 10 12 14 16 18 20 22 24
arg_in:  1 int 13
!*/
/* Twin of last_group_bug: what is behind the end returns. */
kernel void scale(global float *data, int count)
{
	size_t gid = get_global_id(0);

	if (gid >= (size_t)count)
		return;
	data[gid] *= 2.0f;
}
