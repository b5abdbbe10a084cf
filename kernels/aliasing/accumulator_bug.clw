/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: normalise
global_size: 4
local_size: 4
expect_finding: race global 22

[test]
arg_in:  0 buffer float[4] 2 4 6 8
arg_in:  1 buffer float[1] undefined alias 0	# the data's first element
arg_out: 0 buffer float[4] 1 2 3 4
!*/
/*
 * The scale is taken from the data itself: as soon as the first work-item has
 * divided, the others divide by 1.
 */
kernel void normalise(global float *data, global const float *scale)
{
	size_t gid = get_global_id(0);

	data[gid] = data[gid] / scale[0];	/* bug */
}
