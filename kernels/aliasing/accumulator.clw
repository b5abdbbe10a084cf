/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: normalise
global_size: 4
local_size: 4

[test]
arg_in:  0 buffer float[4] 2 4 6 8
arg_in:  1 buffer float[1] 2
arg_out: 0 buffer float[4] 1 2 3 4
!*/
/* Twin of accumulator_bug: the scale has memory of its own. */
kernel void normalise(global float *data, global const float *scale)
{
	size_t gid = get_global_id(0);

	data[gid] = data[gid] / scale[0];
}
