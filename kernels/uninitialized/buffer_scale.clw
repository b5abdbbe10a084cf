/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: scale
global_size: 4

[test]
arg_in:  0 buffer float[4] 0.5 1 1.5 2
arg_in:  1 float 2
arg_out: 2 buffer float[4] 1 2 3 4
!*/
/* Twin of buffer_scale_bug: the host has written it. */
kernel void scale(global const float *input, float factor, global float *output)
{
	size_t gid = get_global_id(0);

	output[gid] = input[gid] * factor;
}
